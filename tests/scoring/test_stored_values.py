"""Cached parsing of stored rulesets, match formats and hands."""

import pytest

from errors import Refusal
from rules import CANADIAN, TWO_PLAYER, MatchFormat, match_format_to_json, read_record, ruleset_to_json
from scoring.models import Terms
from scoring.stored_values import get_record_reader

HAND = {"kind": "hand", "side": "A", "contract": "6", "outcome": "made", "tricks": 7}


def build_terms() -> Terms:
    field_values = {
        "ruleset_data": ruleset_to_json(CANADIAN),
        "format_data": match_format_to_json(MatchFormat(hands=8)),
    }
    return Terms(**field_values)


def test_equal_terms_share_one_ruleset_and_format() -> None:
    one, other = build_terms(), build_terms()
    assert one.ruleset == CANADIAN
    assert one.match_format == MatchFormat(hands=8)
    assert one.ruleset is other.ruleset
    assert one.match_format is other.match_format


def test_repeated_hand_is_parsed_once() -> None:
    read, again = get_record_reader(CANADIAN), get_record_reader(CANADIAN)
    assert read(HAND) == read_record(CANADIAN, HAND)
    assert read(HAND) is again(dict(HAND))


def test_equal_python_values_are_not_confused() -> None:
    read = get_record_reader(CANADIAN)
    failed = read(HAND | {"outcome": "failed", "tricks": 1})
    assert failed == read_record(CANADIAN, HAND | {"outcome": "failed", "tricks": 1})
    for tricks in (True, 1.0):
        with pytest.raises(Refusal, match="not_a_number"):
            read(HAND | {"outcome": "failed", "tricks": tricks})


def test_each_ruleset_has_its_own_reader() -> None:
    third_seat = HAND | {"declarer": 2}
    assert get_record_reader(CANADIAN)(third_seat) == read_record(CANADIAN, third_seat)
    with pytest.raises(Refusal, match="no_such_seat"):
        get_record_reader(TWO_PLAYER)(third_seat)
