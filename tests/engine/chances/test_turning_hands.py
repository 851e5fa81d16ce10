"""The turning hand of a match: the hand that raised the winner's chance most."""

from dataclasses import replace

import pytest
from hypothesis import given

from engine.chances import Swing, compute_chance, compute_swings, find_lowest_chance, find_turning_hand
from rules import CANADIAN, MAINE, MatchCriterion, MatchFormat, PlayedHand, Record, TimeCall
from tests.rules.sheets import (
    ONE_GAME,
    TWO_GAMES,
    A,
    B,
    build_totals,
    fail_hand,
    make_hand,
    match_of,
    property_settings,
)
from tests.rules.test_match_properties import Sheet, sheets

BIG = "gros_charlemagne"


def turned(*records: Record, match_format: MatchFormat = ONE_GAME) -> Swing | None:
    return find_turning_hand(match_of(CANADIAN, *records, match_format=match_format))


class TestTurningHand:
    @pytest.mark.parametrize(
        ("records", "number"),
        [
            ((make_hand(A, "7"), make_hand(B, "gros_mulot"), make_hand(A, "mulot"), make_hand(A, "charlemagne")), 4),
            ((make_hand(B, "5"), fail_hand(B, "gros_mulot"), make_hand(A, "mulot"), make_hand(A, "5")), 2),
            ((make_hand(A, "7"), make_hand(B, "8"), make_hand(A, BIG)), 3),
            ((make_hand(A, BIG),), 1),
        ],
        ids=["a comeback", "a contract that the others failed", "the last", "the only one"],
    )
    def test_turning_hand_is_the_largest_swing(self, records: tuple[Record, ...], number: int) -> None:
        found = turned(*records)
        assert found is not None
        assert found.line.number == number
        match = match_of(CANADIAN, *records)
        assert match.winner is not None
        assert found.get_gain(match.winner) == max(swing.get_gain(match.winner) for swing in compute_swings(match))

    def test_turning_hand_may_be_a_contract_that_wins_at_once(self) -> None:
        found = find_turning_hand(match_of(MAINE, make_hand(B, "7"), fail_hand(B, "charlemagne")))
        assert found is not None
        assert (found.line.number, found.after.a) == (2, 1)

    def test_turning_hand_may_be_in_an_earlier_game(self) -> None:
        found = turned(
            make_hand(A, BIG), make_hand(B, "6"), make_hand(A, "7"), make_hand(A, BIG), match_format=TWO_GAMES
        )
        assert found is not None
        assert found.line.game.number == 1

    def test_timed_match_counts_the_hands_that_were_played(self) -> None:
        records = (make_hand(B, "5"), make_hand(A, BIG), make_hand(B, "6"))
        clock = MatchFormat(minutes=50, decided_by=MatchCriterion.POINTS)
        by_hands = MatchFormat(hands=3, decided_by=MatchCriterion.POINTS)
        found = turned(*records, TimeCall(), match_format=clock)
        assert found is not None
        assert found.line.number == 2
        same = turned(*records, match_format=by_hands)
        assert same is not None
        assert (found.before, found.after) == (same.before, same.after)


class TestNoTurningHand:
    @pytest.mark.parametrize(
        "records",
        [
            (),
            (make_hand(A, "7"),),
            (make_hand(B, "7"), build_totals(40, 7)),
            (make_hand(B, "7"), replace(make_hand(A, BIG), awarded=True)),
        ],
        ids=["nothing recorded", "it goes on", "totals from a sheet", "awarded"],
    )
    def test_match_without_a_swing_has_no_turning_hand(self, records: tuple[Record, ...]) -> None:
        assert turned(*records) is None

    def test_drawn_match_has_no_turning_hand(self) -> None:
        by_hands = MatchFormat(hands=2)
        assert turned(make_hand(A, "7"), make_hand(B, "7"), match_format=by_hands) is None


@pytest.mark.slow
@property_settings
@given(sheet=sheets())
def test_chance_curve_connects_every_hand_to_the_result(sheet: Sheet) -> None:
    match = sheet.match()
    swings = compute_swings(match)
    for swing in swings:
        assert isinstance(swing.line.record, PlayedHand)
        assert sum(swing.after) == pytest.approx(1)
    counted = [line for line in match.lines if not line.is_surplus]
    if match.is_over and swings and swings[-1].line == counted[-1]:
        assert swings[-1].after == compute_chance(match)
    found = find_turning_hand(match)
    if found is not None:
        assert match.winner is not None
        assert all(swing.get_gain(match.winner) <= found.get_gain(match.winner) for swing in swings)
    lowest = find_lowest_chance(match)
    if lowest is not None:
        assert match.winner is not None
        assert lowest.after.get_win_probability(match.winner) == min(
            swing.after.get_win_probability(match.winner) for swing in swings
        )
