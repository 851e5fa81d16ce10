"""The clubs of a night, each with the summed results of its entries."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace

from .values import LadderFigure, LadderNight, NightResult, PersonId

MERIT = (LadderFigure.MATCH_WINS, LadderFigure.GAMES_WON, LadderFigure.DIFFERENCE, LadderFigure.POINTS_FOR)
"""The criteria that rank the clubs of a night: the first by which they differ."""


def sum_by_club(night: LadderNight) -> LadderNight:
    """Return the clubs of a night, best first, each with the sums of its entries; entries without a club are
    left out.

    >>> from datetime import date
    >>> def played(entry, club, wins):
    ...     figures = {"match_wins": wins, "games_won": wins, "difference": 0, "points_for": 0}
    ...     return NightResult(entry=entry, players=(), rank=entry, figures=figures, club=club)
    >>> night = LadderNight(event=1, held_on=date(2026, 9, 8), results=(
    ...     played(1, 7, 3), played(2, 9, 2), played(3, 9, 2), played(4, None, 1)
    ... ))
    >>> [(each.players, each.rank, each.figures["match_wins"]) for each in sum_by_club(night).results]
    [((9,), 1, 4), ((7,), 2, 3)]
    """
    sums = {club: _sum_figures(results) for club, results in _group_by_club(night.results).items()}
    merits = {club: tuple(figures[counts.value] for counts in MERIT) for club, figures in sums.items()}
    ordered_clubs = sorted(sums, key=lambda club: (tuple(-figure for figure in merits[club]), club))
    results = tuple(
        NightResult(
            entry=0,
            players=(PersonId(club),),
            rank=1 + sum(merits[other] > merits[club] for other in sums),
            figures=sums[club],
        )
        for club in ordered_clubs
    )
    return replace(night, results=results)


def _group_by_club(results: Iterable[NightResult]) -> dict[int, list[NightResult]]:
    found: dict[int, list[NightResult]] = defaultdict(list)
    for result in results:
        if result.club is not None:
            found[result.club].append(result)
    return found


def _sum_figures(results: Iterable[NightResult]) -> dict[str, int]:
    sums: Counter[str] = Counter()
    for result in results:
        sums.update(result.figures)
    return dict(sums)
