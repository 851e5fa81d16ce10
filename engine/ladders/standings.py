"""Season standings: the gains of each night, the nights that count, and the ranks."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import groupby

from .clubs import sum_by_club
from .values import (
    Eligibility,
    Ladder,
    LadderFigure,
    LadderNight,
    LadderPerson,
    LadderRow,
    LadderUnit,
    NightResult,
    PersonId,
    Players,
    Score,
    Share,
)

UNKNOWN_PERSON = LadderPerson()


def compute_ladder_standings(
    ladder: Ladder, nights: Iterable[LadderNight], people: Mapping[PersonId, LadderPerson]
) -> tuple[LadderRow, ...]:
    """Return the lines of a season's standings, best first, those without a rank last; ranks count as 1, 2,
    2, 4.

    A pair counts as members, guests or labelled if both of them are. Standings of clubs include all who play
    for them.
    """
    scores: dict[Players, list[Score]] = defaultdict(list)
    for night in sorted(nights, key=lambda night: (night.held_on, night.event)):
        is_club_ladder = ladder.unit is LadderUnit.CLUB
        ladder_night = sum_by_club(night) if is_club_ladder else night
        for result in ladder_night.results:
            for players, figures in _split_by_line(ladder, result).items():
                if is_club_ladder or all(
                    _is_eligible(ladder, people.get(person, UNKNOWN_PERSON)) for person in players
                ):
                    scores[players].append(_build_score(ladder, ladder_night, result, figures))
    return _rank_rows(_build_row(ladder, players, line_scores) for players, line_scores in scores.items())


def compute_gain(ladder: Ladder, rank: int, entry_count: int, figures: Mapping[str, int]) -> int:
    """Return the gain of a night for an entry at this rank, one of so many entries."""
    if ladder.counts is not LadderFigure.RANK_POINTS:
        return figures[ladder.counts.value]
    if not ladder.rank_points:
        return entry_count - rank + 1
    return ladder.rank_points[rank - 1] if rank <= len(ladder.rank_points) else 0


def _split_by_line(ladder: Ladder, result: NightResult) -> Mapping[Players, Mapping[str, int]]:
    """Return the figures of each line: all of the entry, or those of the line's own people."""
    found: dict[Players, Counter[str]] = defaultdict(Counter)
    for share in result.shares or (Share(players=result.players, figures=result.figures),):
        for players in _list_lines(ladder, share.players):
            found[players].update(share.figures)
    return found


def _list_lines(ladder: Ladder, players: Players) -> list[Players]:
    if ladder.unit is LadderUnit.CLUB:
        return [players]
    if ladder.unit is LadderUnit.PERSON:
        return [(person,) for person in players]
    return [tuple(sorted(players))] if len(players) == 2 else []


def _is_eligible(ladder: Ladder, person: LadderPerson) -> bool:
    is_wanted = ladder.who is Eligibility.ALL or person.is_guest == (ladder.who is Eligibility.GUESTS)
    return is_wanted and (not ladder.label or ladder.label in person.labels)


def _build_score(ladder: Ladder, night: LadderNight, result: NightResult, figures: Mapping[str, int]) -> Score:
    entry_count = len(night.results)
    return Score(
        event=night.event,
        entry=result.entry,
        rank=result.rank,
        of=entry_count,
        gained=compute_gain(ladder, result.rank, entry_count, figures),
        is_counted=True,
    )


def _build_row(ladder: Ladder, players: Players, scores: list[Score]) -> LadderRow:
    """Return the line with its best nights counted; of equal nights, the earlier counts. A night
    played for two entries has the sum of their figures, or the points for the better rank."""
    nights = [list(group) for _, group in groupby(scores, key=lambda score: score.event)]
    if ladder.counts is LadderFigure.RANK_POINTS:
        nights = [[max(night, key=lambda score: score.gained)] for night in nights]
    gains = [sum(score.gained for score in night) for night in nights]
    best = sorted(range(len(nights)), key=lambda place: -gains[place])[: ladder.best]
    counted = [score for place in best for score in nights[place]]
    bonus = ladder.presence * len(nights)
    return LadderRow(
        players=players,
        rank=None if len(nights) < ladder.least_nights else 1,
        total=bonus + sum(score.gained for score in counted),
        bonus=bonus,
        firsts=len({score.event for score in scores if score.rank == 1}),
        highest=max(gains),
        scores=tuple(replace(score, is_counted=score in counted) for score in scores),
    )


def _get_merit(row: LadderRow) -> tuple[bool, int, int, int]:
    return (row.rank is not None, row.total, row.firsts, row.highest)


def _rank_rows(rows: Iterable[LadderRow]) -> tuple[LadderRow, ...]:
    found: list[LadderRow] = []
    ordered = sorted(sorted(rows, key=lambda row: row.players), key=_get_merit, reverse=True)
    for (has_rank, *_), equals in groupby(ordered, key=_get_merit):
        rank = len(found) + 1 if has_rank else None
        found += [replace(row, rank=rank) for row in equals]
    return tuple(found)
