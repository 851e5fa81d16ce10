"""Refusal code and field for each mistake in a form, a JSON body or an imported sheet."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import Refusal
from rules import CANADIAN, MAINE, RULESETS, TWO_PLAYER, Ruleset, list_reading_refusals, read_record, record_to_json
from rules.record_reader import KINDS
from tests.rules.sheets import property_settings

HAND = {"side": "A", "contract": "6", "tricks": "7"}
TOTALS = {"kind": "totals", "points_a": "34", "points_b": "27"}


def list_refusals(ruleset: Ruleset, hand_data: dict[str, Any]) -> list[tuple[str, str | None]]:
    found = list_reading_refusals(ruleset, hand_data)
    if found:
        with pytest.raises(Refusal) as caught:
            read_record(ruleset, hand_data)
        assert caught.value.code == found[0].code
    return [(refusal.code, refusal.field) for refusal in found]


@pytest.mark.parametrize(
    ("ruleset", "record_data", "code", "field"),
    [
        pytest.param(CANADIAN, {"kind": "foul"}, "no_such_kind", "kind", id="a kind nobody knows"),
        pytest.param(CANADIAN, HAND | {"side": ""}, "side_required", "side", id="no side"),
        pytest.param(CANADIAN, HAND | {"side": "N"}, "no_such_side", "side", id="a side of bridge"),
        pytest.param(CANADIAN, HAND | {"contract": None}, "contract_required", "contract", id="no contract"),
        pytest.param(MAINE, HAND | {"contract": "8"}, "no_such_bid", "contract", id="D6 8 in maine"),
        pytest.param(CANADIAN, HAND | {"contract": "petite"}, "no_such_bid", "contract", id="RULES 1 P petite"),
        pytest.param(MAINE, HAND | {"contract": "4"}, "below_minimum", "contract", id="D1 P 4 in maine"),
        pytest.param(CANADIAN, HAND | {"contract": "4"}, "below_minimum", "contract", id="V a minimum of 5"),
        pytest.param(CANADIAN, HAND | {"tricks": ""}, "result_required", "tricks", id="D8 no result"),
        pytest.param(CANADIAN, HAND | {"tricks": "9"}, "tricks_out_of_range", "tricks", id="9 tricks"),
        pytest.param(CANADIAN, HAND | {"tricks": "-1"}, "tricks_out_of_range", "tricks", id="-1 tricks"),
        pytest.param(CANADIAN, HAND | {"tricks": "huit"}, "not_a_number", "tricks", id="huit tricks"),
        pytest.param(
            CANADIAN,
            HAND | {"outcome": "failed"},
            "tricks_contradict_outcome",
            "tricks",
            id="RULES 2 6 with 7 failed",
        ),
        pytest.param(CANADIAN, HAND | {"outcome": "perdu"}, "no_such_outcome", "outcome", id="perdu"),
        pytest.param(CANADIAN, HAND | {"trump": "Z"}, "no_such_suit", "trump", id="a fifth suit"),
        pytest.param(
            CANADIAN,
            {"side": "A", "contract": "mulot", "tricks": 0, "trump": "H"},
            "trump_not_allowed",
            "trump",
            id="RULES 2 P trump with a Mulot",
        ),
        pytest.param(
            MAINE,
            {"side": "A", "contract": "grosse", "tricks": 8, "trump": "S"},
            "trump_not_allowed",
            "trump",
            id="RULES 2 P trump with High Card No Trump",
        ),
        pytest.param(CANADIAN, HAND | {"declarer": "4"}, "no_such_seat", "declarer", id="a fifth seat"),
        pytest.param(CANADIAN, HAND | {"declarer": -1}, "no_such_seat", "declarer", id="seat -1"),
        pytest.param(TWO_PLAYER, HAND | {"declarer": 2}, "no_such_seat", "declarer", id="RULES 6 J a third seat"),
        pytest.param(
            CANADIAN, HAND | {"declarer": "1"}, "declarer_of_other_side", "declarer", id="the opponents' seat"
        ),
        pytest.param(CANADIAN, HAND | {"dealer": "4"}, "no_such_seat", "dealer", id="a fifth dealer"),
        pytest.param(CANADIAN, {"kind": "misdeal", "dealer": 9}, "no_such_seat", "dealer", id="a tenth dealer"),
        pytest.param(CANADIAN, {"kind": "void", "dealer": "nord"}, "not_a_number", "dealer", id="nord"),
        pytest.param(CANADIAN, HAND | {"mode": "alone"}, "no_such_mode", "mode", id="D12 a 6 played alone"),
        pytest.param(CANADIAN, HAND | {"awarded": "peut-être"}, "not_yes_or_no", "awarded", id="D9 perhaps"),
        pytest.param(MAINE, {"kind": "passed_out"}, "cannot_be_passed_out", "kind", id="D1 P all pass in maine"),
        pytest.param(CANADIAN, TOTALS | {"points_a": ""}, "totals_required", "points_a", id="one total only"),
        pytest.param(CANADIAN, TOTALS | {"points_b": "x"}, "not_a_number", "points_b", id="a total of x"),
        pytest.param(CANADIAN, TOTALS | {"points_b": -1}, "totals_out_of_range", "points_b", id="a total of -1"),
        pytest.param(
            CANADIAN,
            TOTALS | {"points_a": 64},
            "totals_out_of_range",
            "points_a",
            id="RULES 4 more than 31 + 32",
        ),
        pytest.param(
            CANADIAN,
            TOTALS | {"points_b": 32},
            "totals_both_reach_target",
            "points_b",
            id="RULES 4 both at 32",
        ),
        pytest.param(
            CANADIAN,
            TOTALS | {"winner": "B"},
            "totals_winner_contradicts",
            "winner",
            id="RULES 4 34-27 won by B",
        ),
        pytest.param(
            CANADIAN,
            TOTALS | {"points_a": 20, "winner": "A"},
            "totals_game_not_finished",
            "winner",
            id="RULES 4 20-27 won by A where no contract ends the game",
        ),
        pytest.param(
            CANADIAN,
            TOTALS | {"points_a": 20, "awarded": True},
            "totals_winner_required",
            "winner",
            id="D9 20-27 awarded to nobody",
        ),
        pytest.param(CANADIAN, TOTALS | {"winner": "C"}, "no_such_side", "winner", id="a third side"),
    ],
)
def test_a_mistake_is_refused_at_its_field(
    ruleset: Ruleset, record_data: dict[str, Any], code: str, field: str
) -> None:
    assert list_refusals(ruleset, record_data) == [(code, field)]


INVALID_NUMBERS = [
    "huit",
    "8 levées",
    "7.0",
    "7,0",
    "1e0",
    "1_0",
    "+7",
    "--7",
    "-",
    "−1",
    "８",
    "٨",
    "²",
    "0x7",
    "9" * 10,
    "9" * 5000,
    10**18,
    7.0,
    math.nan,
    math.inf,
    True,
    False,
    [7],
    [],
    {"tricks": 7},
    {},
]


@pytest.mark.parametrize("field", ["tricks", "declarer", "dealer"])
def test_number_field_accepts_only_ascii_digits(field: str) -> None:
    for value in INVALID_NUMBERS:
        assert list_refusals(CANADIAN, HAND | {field: value}) == [("not_a_number", field)], value


class TestSeveralMistakes:
    def test_every_mistake_in_a_hand_is_reported(self) -> None:
        hand = {
            "side": "N",
            "contract": "mulot",
            "tricks": "huit",
            "outcome": "perdu",
            "trump": "H",
            "declarer": 4,
            "mode": "kitty",
            "dealer": "nord",
            "awarded": "peut-être",
        }
        assert sorted(list_refusals(CANADIAN, hand)) == [
            ("no_such_mode", "mode"),
            ("no_such_outcome", "outcome"),
            ("no_such_seat", "declarer"),
            ("no_such_side", "side"),
            ("not_a_number", "dealer"),
            ("not_a_number", "tricks"),
            ("not_yes_or_no", "awarded"),
            ("trump_not_allowed", "trump"),
        ]

    def test_an_unknown_contract_hides_no_other_mistake(self) -> None:
        hand = HAND | {"contract": "petite", "tricks": "9", "declarer": "1", "dealer": "4"}
        assert sorted(list_refusals(CANADIAN, hand)) == [
            ("declarer_of_other_side", "declarer"),
            ("no_such_bid", "contract"),
            ("no_such_seat", "dealer"),
            ("tricks_out_of_range", "tricks"),
        ]

    def test_empty_line_reports_missing_side_contract_and_result(self) -> None:
        assert list_refusals(CANADIAN, {}) == [
            ("side_required", "side"),
            ("contract_required", "contract"),
            ("result_required", "tricks"),
        ]

    def test_both_totals_are_checked(self) -> None:
        assert list_refusals(CANADIAN, {"kind": "totals"}) == [
            ("totals_required", "points_a"),
            ("totals_required", "points_b"),
        ]
        assert list_refusals(CANADIAN, TOTALS | {"points_a": -1, "points_b": 99}) == [
            ("totals_out_of_range", "points_a"),
            ("totals_out_of_range", "points_b"),
        ]

    def test_unreadable_field_causes_no_further_refusals(self) -> None:
        assert list_refusals(CANADIAN, HAND | {"side": "N", "declarer": "1"}) == [("no_such_side", "side")]
        assert list_refusals(CANADIAN, HAND | {"outcome": "perdu", "tricks": "3"}) == [("no_such_outcome", "outcome")]
        unread_total = TOTALS | {"points_a": "x", "winner": "A"}
        assert list_refusals(CANADIAN, unread_total) == [("not_a_number", "points_a")]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
VALID_WORDS = st.sampled_from(
    [kind.kind for kind in KINDS] + ["A", "B", "6", "charlemagne", "made", "failed", "7", "H", "kitty", "32", 8, 0]
)
FIELDS = ["kind", "side", "contract", "tricks", "outcome", "trump", "declarer", "mode", "dealer", "awarded"]
TOTALS_FIELDS = ["points_a", "points_b", "winner"]


@pytest.mark.slow
@property_settings
@given(
    ruleset=st.sampled_from(list(RULESETS.values())),
    record_data=st.dictionaries(st.sampled_from(FIELDS + TOTALS_FIELDS), VALID_WORDS | JSON),
)
def test_arbitrary_json_is_a_record_or_one_refusal_per_field(ruleset: Ruleset, record_data: dict[str, Any]) -> None:
    found = list_refusals(ruleset, record_data)
    assert len({field for _, field in found}) == len(found)
    assert all(field in FIELDS + TOTALS_FIELDS for _, field in found)
    if not found:
        record = read_record(ruleset, record_data)
        assert read_record(ruleset, record_to_json(record)) == record
