"""Stored values are read once, as they were meant."""

import pytest

from errors import Refusal
from rules import CANADIAN, TWO_PLAYER, MatchFormat, match_format_to_json, read_record, ruleset_to_json
from scoring.models import Terms
from scoring.stored_values import reader_of_records

HAND = {"kind": "hand", "side": "A", "contract": "6", "outcome": "made", "tricks": 7}


def some_terms() -> Terms:
    plain = {
        "ruleset_data": ruleset_to_json(CANADIAN),
        "format_data": match_format_to_json(MatchFormat(hands=8)),
    }
    return Terms(**plain)


def test_all_matches_of_an_evening_have_one_ruleset_and_one_format() -> None:
    one, other = some_terms(), some_terms()
    assert one.ruleset == CANADIAN
    assert one.match_format == MatchFormat(hands=8)
    assert one.ruleset is other.ruleset
    assert one.match_format is other.match_format


def test_a_hand_that_is_marked_twice_is_read_once() -> None:
    read, again = reader_of_records(CANADIAN), reader_of_records(CANADIAN)
    assert read(HAND) == read_record(CANADIAN, HAND)
    assert read(HAND) is again(dict(HAND))


def test_what_is_only_equal_in_python_is_not_taken_for_the_same() -> None:
    read = reader_of_records(CANADIAN)
    failed = read(HAND | {"outcome": "failed", "tricks": 1})
    assert failed == read_record(CANADIAN, HAND | {"outcome": "failed", "tricks": 1})
    for tricks in (True, 1.0):
        with pytest.raises(Refusal, match="not_a_number"):
            read(HAND | {"outcome": "failed", "tricks": tricks})


def test_each_ruleset_reads_by_itself() -> None:
    third_seat = HAND | {"declarer": 2}
    assert reader_of_records(CANADIAN)(third_seat) == read_record(CANADIAN, third_seat)
    with pytest.raises(Refusal, match="no_such_seat"):
        reader_of_records(TWO_PLAYER)(third_seat)
