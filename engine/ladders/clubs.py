"""The clubs of a night, each with the summed results of its entries."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace

from .values import Counts, LadderNight, PersonId, Showing

MERIT = (Counts.MATCH_WINS, Counts.GAMES_WON, Counts.DIFFERENCE, Counts.POINTS_FOR)
"""The criteria that rank the clubs of a night: the first by which they differ."""


def by_club(night: LadderNight) -> LadderNight:
    """Return the clubs of a night, best first, each with the sums of its entries; entries without a club are
    left out.

    >>> from datetime import date
    >>> def played(entry, club, wins):
    ...     figures = {"match_wins": wins, "games_won": wins, "difference": 0, "points_for": 0}
    ...     return Showing(entry=entry, players=(), rank=entry, figures=figures, club=club)
    >>> night = LadderNight(event=1, held_on=date(2026, 9, 8), showings=(
    ...     played(1, 7, 3), played(2, 9, 2), played(3, 9, 2), played(4, None, 1)
    ... ))
    >>> [(each.players, each.rank, each.figures["match_wins"]) for each in by_club(night).showings]
    [((9,), 1, 4), ((7,), 2, 3)]
    """
    sums = {club: _sums(showings) for club, showings in _clubs(night.showings).items()}
    merits = {club: tuple(figures[counts.value] for counts in MERIT) for club, figures in sums.items()}
    in_order = sorted(sums, key=lambda club: (tuple(-figure for figure in merits[club]), club))
    showings = tuple(
        Showing(
            entry=0,
            players=(PersonId(club),),
            rank=1 + sum(merits[other] > merits[club] for other in sums),
            figures=sums[club],
        )
        for club in in_order
    )
    return replace(night, showings=showings)


def _clubs(showings: Iterable[Showing]) -> dict[int, list[Showing]]:
    found: dict[int, list[Showing]] = defaultdict(list)
    for showing in showings:
        if showing.club is not None:
            found[showing.club].append(showing)
    return found


def _sums(showings: Iterable[Showing]) -> dict[str, int]:
    sums: Counter[str] = Counter()
    for showing in showings:
        sums.update(showing.figures)
    return dict(sums)
