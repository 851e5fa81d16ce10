"""Standings of clubs on a night: sums of the figures of their entries."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.ladders import (
    Ladder,
    LadderFigure,
    LadderNight,
    LadderUnit,
    NightResult,
    compute_ladder_standings,
    sum_by_club,
)
from engine.ladders.clubs import MERIT

FIGURES = st.fixed_dictionaries({counts.value: st.integers(-99, 99) for counts in MERIT})
SHOWINGS = st.lists(st.tuples(st.one_of(st.none(), st.integers(1, 4)), FIGURES), max_size=12)


def build_night(played: list[tuple[int | None, dict[str, int]]]) -> LadderNight:
    showings = tuple(
        NightResult(entry=number, players=(), rank=1, figures=figures, club=club)
        for number, (club, figures) in enumerate(played, start=1)
    )
    return LadderNight(event=1, held_on=date(2026, 11, 17), results=showings)


@pytest.mark.slow
@given(SHOWINGS)
def test_club_sums_equal_the_figures_of_their_entries(played: list[tuple[int | None, dict[str, int]]]) -> None:
    clubs = sum_by_club(build_night(played)).results
    assert {each.players for each in clubs} == {(club,) for club, _ in played if club is not None}
    for counts in MERIT:
        brought = sum(figures[counts.value] for club, figures in played if club is not None)
        assert sum(each.figures[counts.value] for each in clubs) == brought


@pytest.mark.slow
@given(SHOWINGS)
def test_club_ranks_follow_the_sums_and_equal_sums_share_a_rank(
    played: list[tuple[int | None, dict[str, int]]],
) -> None:
    clubs = sum_by_club(build_night(played)).results
    merits = [tuple(each.figures[counts.value] for counts in MERIT) for each in clubs]
    assert merits == sorted(merits, reverse=True)
    assert [each.rank for each in clubs] == [1 + sum(other > one for other in merits) for one in merits]


@pytest.mark.slow
@given(SHOWINGS)
def test_club_standings_have_a_line_for_each_club(played: list[tuple[int | None, dict[str, int]]]) -> None:
    ladder = Ladder(name="Clubs", unit=LadderUnit.CLUB, counts=LadderFigure.MATCH_WINS)
    night = build_night(played)
    totals = {row.players: row.total for row in compute_ladder_standings(ladder, [night], {})}
    assert totals == {each.players: each.figures["match_wins"] for each in sum_by_club(night).results}
