"""Cards of a simulated table, and the form fields that send its hands."""

import pytest

from rules import RULESETS, AllPassRule, Seat, read_record
from scoring.log_values import DETAILS
from scoring.parsing import parse_mark
from simulate.cards import build_form, deal_hand


@pytest.mark.parametrize("key", RULESETS)
def test_server_reads_a_simulated_hand_as_the_table_saw_it(key: str) -> None:
    ruleset, details = RULESETS[key], list(DETAILS)
    hands = [deal_hand(ruleset, Seat(0), details, seed=f"{number}") for number in range(5)]
    if ruleset.all_pass is not AllPassRule.DEALER_MUST_BID:
        hands.append({"kind": "passed_out"})
    for hand in hands:
        sent = {"match": "1", "number": "1", "entry_key": "0" * 32, **build_form(hand, details)}
        assert read_record(ruleset, parse_mark(sent).hand) == read_record(ruleset, hand)
