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
from .values import MET_KINDS, Meeting


def compute_head_to_head(
    level: Collection[EntryId], lines: Mapping[EntryId, EntryResults], rules: RankingRules
) -> dict[EntryId, tuple[int, tuple[Meeting, ...]]]:
    """Return for each tied entry how many others it is ahead of, and its matches with them; empty if it does
    not decide."""
    others = frozenset(level)
    meetings_by_entry: dict[EntryId, tuple[Meeting, ...]] = {}
    times = 0
    for entry in level:
        meetings_by_entry[entry] = list_meetings(lines[entry], others)
        counts = Counter(meeting.opponent for meeting in meetings_by_entry[entry])
        times = times or len(meetings_by_entry[entry]) // max(1, len(others) - 1)
        if not times or len(counts) < len(others) - 1 or set(counts.values()) != {times}:
            return {}
    points = {
        entry: [(meeting.opponent, rules.get_match_points(meeting.result)) for meeting in entry_meetings]
        for entry, entry_meetings in meetings_by_entry.items()
    }
    ahead = _count_ahead(list(level), points)
    return {entry: (ahead[entry], meetings_by_entry[entry]) for entry in level}


def list_meetings(line: EntryResults, others: Collection[EntryId]) -> tuple[Meeting, ...]:
    """Return the rounds in which the entry of this line met one of the others, first to last."""
    return tuple(
        Meeting(opponent=opponent, result=result)
        for result in sorted((*line.results, *line.dropped), key=lambda result: result.round)
        if result.kind in MET_KINDS
        for opponent in result.opponents
        if opponent in others
    )


def _count_ahead(
    level: Sequence[EntryId], points: Mapping[EntryId, Sequence[tuple[EntryId, int]]]
) -> dict[EntryId, int]:
    """Return how many of these each is ahead of."""
    points_sums = {entry: sum(gained for other, gained in points[entry] if other in level) for entry in level}
    ranked = sorted(level, key=points_sums.__getitem__)
    groups = [list(group) for _, group in groupby(ranked, key=points_sums.__getitem__)]
    if len(groups) < 2:
        return dict.fromkeys(level, 0)
    ahead: dict[EntryId, int] = {}
    for group in groups:
        beaten_count = len(ahead)
        ahead |= {entry: beaten_count + places for entry, places in _count_ahead(group, points).items()}
    return ahead
