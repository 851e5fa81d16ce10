"""The hand that turned a match: the largest swing of the chances, to the side that won."""

from dataclasses import replace

import pytest
from hypothesis import given

from engine.chances import Swing, chance_of, swings_of, turning_hand
from rules import CANADIAN, MAINE, DecidedBy, MatchFormat, PlayedHand, Record, TimeCalled
from tests.rules.sheets import ONE_GAME, TWO_GAMES, A, B, failed, law, made, match_of, standing_at
from tests.rules.test_match_laws import Sheet, sheets

BIG = "gros_charlemagne"


def turned(*records: Record, match_format: MatchFormat = ONE_GAME) -> Swing | None:
    return turning_hand(match_of(CANADIAN, *records, match_format=match_format))


class TestTheHand:
    @pytest.mark.parametrize(
        ("records", "number"),
        [
            ((made(A, "7"), made(B, "gros_mulot"), made(A, "mulot"), made(A, "charlemagne")), 4),
            ((made(B, "5"), failed(B, "gros_mulot"), made(A, "mulot"), made(A, "5")), 2),
            ((made(A, "7"), made(B, "8"), made(A, BIG)), 3),
            ((made(A, BIG),), 1),
        ],
        ids=["a comeback", "a contract that the others failed", "the last", "the only one"],
    )
    def test_is_the_largest_swing(self, records: tuple[Record, ...], number: int) -> None:
        found = turned(*records)
        assert found is not None
        assert found.line.number == number
        match = match_of(CANADIAN, *records)
        assert match.winner is not None
        assert found.to(match.winner) == max(swing.to(match.winner) for swing in swings_of(match))

    def test_may_be_a_contract_that_won_at_once(self) -> None:
        found = turning_hand(match_of(MAINE, made(B, "7"), failed(B, "charlemagne")))
        assert found is not None
        assert (found.line.number, found.after.a) == (2, 1)

    def test_of_several_games_may_be_before_the_last_game(self) -> None:
        found = turned(made(A, BIG), made(B, "6"), made(A, "7"), made(A, BIG), match_format=TWO_GAMES)
        assert found is not None
        assert found.line.game.number == 1

    def test_by_the_clock_counts_as_many_hands_as_were_played(self) -> None:
        records = (made(B, "5"), made(A, BIG), made(B, "6"))
        clock = MatchFormat(minutes=50, decided_by=DecidedBy.POINTS)
        by_hands = MatchFormat(hands=3, decided_by=DecidedBy.POINTS)
        found = turned(*records, TimeCalled(), match_format=clock)
        assert found is not None
        assert found.line.number == 2
        same = turned(*records, match_format=by_hands)
        assert same is not None
        assert (found.before, found.after) == (same.before, same.after)


class TestThereIsNone:
    @pytest.mark.parametrize(
        "records",
        [
            (),
            (made(A, "7"),),
            (made(B, "7"), standing_at(40, 7)),
            (made(B, "7"), replace(made(A, BIG), awarded=True)),
        ],
        ids=["nothing recorded", "it goes on", "totals from a sheet", "awarded"],
    )
    def test_in(self, records: tuple[Record, ...]) -> None:
        assert turned(*records) is None

    def test_in_a_match_that_nobody_won(self) -> None:
        by_hands = MatchFormat(hands=2)
        assert turned(made(A, "7"), made(B, "7"), match_format=by_hands) is None


@law
@given(sheet=sheets())
def test_the_curve_leads_from_hand_to_hand_to_the_result(sheet: Sheet) -> None:
    match = sheet.match()
    swings = swings_of(match)
    for swing in swings:
        assert isinstance(swing.line.record, PlayedHand)
        assert sum(swing.after) == pytest.approx(1)
    counted = [line for line in match.lines if not line.is_surplus]
    if match.is_over and swings and swings[-1].line == counted[-1]:
        assert swings[-1].after == chance_of(match)
    found = turning_hand(match)
    if found is not None:
        assert match.winner is not None
        assert all(swing.to(match.winner) <= found.to(match.winner) for swing in swings)
