"""A night as clubs played it: sums of what their entries brought."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.ladders import Counts, Ladder, LadderNight, LadderUnit, Showing, by_club, ladder_standings
from engine.ladders.clubs import MERIT

FIGURES = st.fixed_dictionaries({counts.value: st.integers(-99, 99) for counts in MERIT})
SHOWINGS = st.lists(st.tuples(st.one_of(st.none(), st.integers(1, 4)), FIGURES), max_size=12)


def a_night(played: list[tuple[int | None, dict[str, int]]]) -> LadderNight:
    showings = tuple(
        Showing(entry=number, players=(), rank=1, figures=figures, club=club)
        for number, (club, figures) in enumerate(played, start=1)
    )
    return LadderNight(event=1, held_on=date(2026, 11, 17), showings=showings)


@given(SHOWINGS)
def test_nothing_is_lost_and_nothing_added(played: list[tuple[int | None, dict[str, int]]]) -> None:
    clubs = by_club(a_night(played)).showings
    assert {each.players for each in clubs} == {(club,) for club, _ in played if club is not None}
    for counts in MERIT:
        brought = sum(figures[counts.value] for club, figures in played if club is not None)
        assert sum(each.figures[counts.value] for each in clubs) == brought


@pytest.mark.slow
@given(SHOWINGS)
def test_ranks_follow_the_sums_and_equals_share_one(
    played: list[tuple[int | None, dict[str, int]]],
) -> None:
    clubs = by_club(a_night(played)).showings
    merits = [tuple(each.figures[counts.value] for counts in MERIT) for each in clubs]
    assert merits == sorted(merits, reverse=True)
    assert [each.rank for each in clubs] == [1 + sum(other > one for other in merits) for one in merits]


@pytest.mark.slow
@given(SHOWINGS)
def test_a_ladder_of_clubs_has_a_line_for_each(played: list[tuple[int | None, dict[str, int]]]) -> None:
    ladder = Ladder(name="Clubs", unit=LadderUnit.CLUB, counts=Counts.MATCH_WINS)
    night = a_night(played)
    totals = {row.players: row.total for row in ladder_standings(ladder, [night], {})}
    assert totals == {each.players: each.figures["match_wins"] for each in by_club(night).showings}
