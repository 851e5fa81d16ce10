"""Cards of a simulated table, and the keys that send them."""

import pytest

from rules import RULESETS, AllPass, Seat, read_record
from scoring.log_values import DETAILS
from scoring.parsing import posted_mark
from simulate.cards import dealt_hand, form_of


@pytest.mark.parametrize("key", RULESETS)
def test_every_hand_that_is_played_or_passed_out_is_read_by_the_server_as_the_table_saw_it(key: str) -> None:
    ruleset, details = RULESETS[key], list(DETAILS)
    hands = [dealt_hand(ruleset, Seat(0), details, seed=f"{number}") for number in range(5)]
    if ruleset.all_pass is not AllPass.DEALER_MUST_BID:
        hands.append({"kind": "passed_out"})
    for hand in hands:
        sent = {"match": "1", "number": "1", "entry_key": "0" * 32, **form_of(hand, details)}
        assert read_record(ruleset, posted_mark(sent).hand) == read_record(ruleset, hand)
