"""Season standings: the gains of each night, the nights that count, and the ranks."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import groupby

from .clubs import by_club
from .values import (
    Counts,
    Ladder,
    LadderNight,
    LadderPerson,
    LadderRow,
    LadderUnit,
    PersonId,
    Players,
    Score,
    Share,
    Showing,
    Who,
)

STRANGER = LadderPerson()


def ladder_standings(
    ladder: Ladder, nights: Iterable[LadderNight], people: Mapping[PersonId, LadderPerson]
) -> tuple[LadderRow, ...]:
    """Return the lines of a season's standings, best first, those without a rank last; ranks count as 1, 2,
    2, 4.

    A pair counts as members, guests or labelled if both of them are. Standings of clubs include all who play
    for them.
    """
    scores: dict[Players, list[Score]] = defaultdict(list)
    for night in sorted(nights, key=lambda night: (night.held_on, night.event)):
        of_clubs = ladder.unit is LadderUnit.CLUB
        added_up = by_club(night) if of_clubs else night
        for showing in added_up.showings:
            for players, figures in _brought_to(ladder, showing).items():
                if of_clubs or all(_is_in(ladder, people.get(person, STRANGER)) for person in players):
                    scores[players].append(_score(ladder, added_up, showing, figures))
    return _rank_rows(_row(ladder, players, brought) for players, brought in scores.items())


def ladder_gain(ladder: Ladder, rank: int, of: int, figures: Mapping[str, int]) -> int:
    """Return the gain of a night for an entry at this rank, one of so many entries."""
    if ladder.counts is not Counts.RANK_POINTS:
        return figures[ladder.counts.value]
    if not ladder.rank_points:
        return of - rank + 1
    return ladder.rank_points[rank - 1] if rank <= len(ladder.rank_points) else 0


def _brought_to(ladder: Ladder, showing: Showing) -> Mapping[Players, Mapping[str, int]]:
    """Return the figures of each line: all of the entry, or those of the line's own people."""
    found: dict[Players, Counter[str]] = defaultdict(Counter)
    for share in showing.shares or (Share(players=showing.players, figures=showing.figures),):
        for players in _lines_of(ladder, share.players):
            found[players].update(share.figures)
    return found


def _lines_of(ladder: Ladder, players: Players) -> list[Players]:
    if ladder.unit is LadderUnit.CLUB:
        return [players]
    if ladder.unit is LadderUnit.PERSON:
        return [(person,) for person in players]
    return [tuple(sorted(players))] if len(players) == 2 else []


def _is_in(ladder: Ladder, known: LadderPerson) -> bool:
    is_wanted = ladder.who is Who.ALL or known.is_guest == (ladder.who is Who.GUESTS)
    return is_wanted and (not ladder.label or ladder.label in known.labels)


def _score(ladder: Ladder, night: LadderNight, showing: Showing, figures: Mapping[str, int]) -> Score:
    of = len(night.showings)
    return Score(
        event=night.event,
        entry=showing.entry,
        rank=showing.rank,
        of=of,
        gained=ladder_gain(ladder, showing.rank, of, figures),
        is_counted=True,
    )


def _row(ladder: Ladder, players: Players, brought: list[Score]) -> LadderRow:
    """Return the line with its best nights counted; of equal nights, the earlier counts."""
    by_worth = sorted(range(len(brought)), key=lambda place: -brought[place].gained)
    counted = set(by_worth if ladder.best is None else by_worth[: ladder.best])
    bonus = ladder.presence * len(brought)
    return LadderRow(
        players=players,
        rank=None if len(brought) < ladder.least_nights else 1,
        total=bonus + sum(brought[place].gained for place in counted),
        bonus=bonus,
        firsts=sum(score.rank == 1 for score in brought),
        highest=max(score.gained for score in brought),
        scores=tuple(replace(score, is_counted=place in counted) for place, score in enumerate(brought)),
    )


def _merit(row: LadderRow) -> tuple[bool, int, int, int]:
    return (row.rank is not None, row.total, row.firsts, row.highest)


def _rank_rows(rows: Iterable[LadderRow]) -> tuple[LadderRow, ...]:
    found: list[LadderRow] = []
    in_order = sorted(sorted(rows, key=lambda row: row.players), key=_merit, reverse=True)
    for (has_rank, *_), equals in groupby(in_order, key=_merit):
        rank = len(found) + 1 if has_rank else None
        found += [replace(row, rank=rank) for row in equals]
    return tuple(found)
