"""Head to head: the matches among tied entries.

It decides only if all tied entries have met each other, equally often. The entry with more match points from
these matches is ahead; those still tied are compared again by themselves. The value is the number of tied
entries that one is ahead of. A match won or lost without play counts, and so does a round that is dropped
everywhere else.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby

from engine.draws import EntryId

from .lines import EntryResults
from .ranking_rules import RankingRules
from .values import MET, Meeting


def head_to_head(
    level: Collection[EntryId], lines: Mapping[EntryId, EntryResults], rules: RankingRules
) -> dict[EntryId, tuple[int, tuple[Meeting, ...]]]:
    """Return for each tied entry how many others it is ahead of, and its matches with them; empty if it does
    not decide."""
    others = frozenset(level)
    met: dict[EntryId, tuple[Meeting, ...]] = {}
    times = 0
    for entry in level:
        met[entry] = meetings(lines[entry], others)
        counts = Counter(meeting.opponent for meeting in met[entry])
        times = times or len(met[entry]) // max(1, len(others) - 1)
        if not times or len(counts) < len(others) - 1 or set(counts.values()) != {times}:
            return {}
    points = {
        entry: [(meeting.opponent, rules.match_points(meeting.result)) for meeting in those]
        for entry, those in met.items()
    }
    ahead = _ahead(list(level), points)
    return {entry: (ahead[entry], met[entry]) for entry in level}


def meetings(line: EntryResults, others: Collection[EntryId]) -> tuple[Meeting, ...]:
    """Return the rounds in which the entry of this line met one of the others, first to last."""
    return tuple(
        Meeting(opponent=opponent, result=result)
        for result in sorted((*line.results, *line.dropped), key=lambda result: result.round)
        if result.kind in MET
        for opponent in result.opponents
        if opponent in others
    )


def _ahead(
    level: Sequence[EntryId], points: Mapping[EntryId, Sequence[tuple[EntryId, int]]]
) -> dict[EntryId, int]:
    """Return how many of these each is ahead of."""
    among = {entry: sum(gained for other, gained in points[entry] if other in level) for entry in level}
    by_points = sorted(level, key=among.__getitem__)
    groups = [list(group) for _, group in groupby(by_points, key=among.__getitem__)]
    if len(groups) < 2:
        return dict.fromkeys(level, 0)
    ahead: dict[EntryId, int] = {}
    for group in groups:
        behind = len(ahead)
        ahead |= {entry: behind + places for entry, places in _ahead(group, points).items()}
    return ahead
