"""Ruleset and match format of an event survive a round trip through JSON."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    CANADIAN,
    RULESETS,
    MatchCriterion,
    MatchFormat,
    apply_house_rules,
    match_format_from_json,
    match_format_to_json,
    ruleset_from_json,
    ruleset_to_json,
)
from tests.rules.sheets import get_refusal, property_settings

CHANGES = {
    "target": 25,
    "all_pass": "same_dealer",
    "ladder": ["5", "mulot"],
    "contracts": {"mulot": {"made": 20, "failed": 10}},
}


@pytest.mark.parametrize("key", RULESETS)
def test_builtin_ruleset_survives_json(key: str) -> None:
    ruleset_data = ruleset_to_json(RULESETS[key])
    through_json = json.loads(json.dumps(ruleset_data))
    assert repr(through_json) == repr(ruleset_data)
    assert ruleset_from_json(through_json) == RULESETS[key]


def test_house_ruleset_survives_json_without_its_base() -> None:
    changed = apply_house_rules(CANADIAN, CHANGES)
    assert ruleset_from_json(ruleset_to_json(changed)) == changed


@property_settings
@given(
    st.builds(
        MatchFormat,
        games_to_win=st.integers(1, 9),
        hands=st.none() | st.integers(1, 99),
        minutes=st.none() | st.integers(1, 999),
        decided_by=st.sampled_from(MatchCriterion),
        charlemagne_points=st.none() | st.integers(0, 99),
    )
)
def test_match_format_survives_json(match_format: MatchFormat) -> None:
    format_data = match_format_to_json(match_format)
    through_json = json.loads(json.dumps(format_data))
    assert repr(through_json) == repr(format_data)
    assert match_format_from_json(through_json) == match_format


def test_match_format_stores_only_set_values() -> None:
    assert match_format_to_json(MatchFormat(games_to_win=2)) == {"games_to_win": 2}
    assert match_format_from_json({"hands": 16, "decided_by": "games"}) == MatchFormat(hands=16)
    by_points = MatchFormat(hands=16, decided_by=MatchCriterion.POINTS)
    assert match_format_to_json(by_points) == {"hands": 16, "decided_by": "points"}


@pytest.mark.parametrize(
    ("format_data", "refusal"),
    [
        ([], ("not_an_object", None)),
        ("games_to_win", ("not_an_object", None)),
        ({}, ("no_match_length", "games_to_win")),
        ({"games": 2}, ("no_such_setting", "games")),
        ({"games_to_win": "2"}, ("not_a_number", "games_to_win")),
        ({"games_to_win": True}, ("not_a_number", "games_to_win")),
        ({"hands": 0}, ("length_not_positive", "hands")),
        ({"minutes": 45.5}, ("not_a_number", "minutes")),
        ({"hands": 16, "decided_by": "luck"}, ("no_such_choice", "decided_by")),
        ({"hands": 16, "charlemagne_points": []}, ("not_a_number", "charlemagne_points")),
    ],
)
def test_malformed_match_format_is_refused(format_data: Any, refusal: tuple[str, str | None]) -> None:
    assert get_refusal(match_format_from_json, format_data) == refusal


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"jokers": 2}, ("no_such_setting", "jokers")),
        ({"key": 7}, ("not_text", "key")),
        ({"seats": "4"}, ("not_a_number", "seats")),
        ({"target": None}, ("not_a_number", "target")),
        ({"target": -1}, ("target_not_positive", "target")),
        ({"plays_low_bids": "no"}, ("not_yes_or_no", "plays_low_bids")),
        ({"all_pass": 3}, ("no_such_choice", "all_pass")),
        ({"ladder": {"5": 1}}, ("not_a_list", "ladder")),
        ({"contracts": {}}, ("not_a_list", "contracts")),
        ({"contracts": ["5"]}, ("not_an_object", "contracts.0")),
        ({"contracts": [{}]}, ("not_text", "contracts.0.key")),
        ({"contracts": [{"key": "5", "suit": "H"}]}, ("no_such_setting", "contracts.0.suit")),
        ({"seats": 3}, ("no_such_deal", "batch")),
        ({"seats": 2}, ("no_such_deal", "batch")),
        ({"batch": 0}, ("no_such_deal", "batch")),
        ({"batch": 3}, ("no_such_deal", "batch")),
        ({"batch": -2}, ("no_such_deal", "batch")),
        ({"kitty_after": 5}, ("no_such_deal", "batch")),
        ({"kitty_after": -1}, ("no_such_deal", "batch")),
    ],
)
def test_malformed_ruleset_is_refused(change: dict[str, Any], refusal: tuple[str, str]) -> None:
    assert get_refusal(ruleset_from_json, ruleset_to_json(CANADIAN) | change) == refusal


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"modes": []}, ("no_such_mode", "contracts.0.modes")),
        ({"modes": ["kitty", "blind"]}, ("no_such_mode", "contracts.0.modes")),
        ({"least": -1}, ("tricks_out_of_range", "contracts.5.least")),
        ({"most": 9}, ("tricks_out_of_range", "contracts.5.most")),
    ],
)
def test_unplayable_contract_is_refused(change: dict[str, Any], refusal: tuple[str, str]) -> None:
    first, *others = ruleset_to_json(CANADIAN)["contracts"]
    contracts = [first | change, *others]
    assert get_refusal(ruleset_from_json, ruleset_to_json(CANADIAN) | {"contracts": contracts}) == refusal


def test_ruleset_without_a_setting_is_refused() -> None:
    for name, value in ruleset_to_json(CANADIAN).items():
        lacking = {other: setting for other, setting in ruleset_to_json(CANADIAN).items() if other != name}
        assert get_refusal(ruleset_from_json, lacking)[1] == name, value
