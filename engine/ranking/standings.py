"""Ranks by a chain of metrics: the first that differs decides; entries equal on all share a rank."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from engine.draws import EntryId

from .field import ADJUSTABLE, RankedField, ranked_field
from .head_to_head import head_to_head
from .lines import EntryResults
from .metrics import METRICS, MetricScope
from .ranking_rules import RankingRules
from .reasons import decisive
from .values import Meeting, Result, ResultAdjustment, Row

COLUMNS = ("match_wins", "games_won", "points_for", "points_against", "difference")
"""The metrics in every row, whatever the order."""

_Values = dict[EntryId, dict[str, int | None]]


def rank(
    numbers: Mapping[EntryId, int],
    results_by_entry: Mapping[EntryId, Iterable[Result]],
    rules: RankingRules,
    *,
    seed: int = 0,
    games_to_win: int = 0,
    adjustments: Iterable[ResultAdjustment] = (),
) -> tuple[Row, ...]:
    """Return the standings of these entries (id to number), best first, equals by number; ranks count as 1,
    2, 2, 4.

    An entry without results counts as zero. ``games_to_win`` is what a match won without play counts.
    Refuses: no_such_choice, for an adjustment of a metric that is not of ``ADJUSTABLE``.
    """
    return rank_field(
        ranked_field(
            numbers, results_by_entry, rules, seed=seed, games_to_win=games_to_win, adjustments=adjustments
        )
    )


def rank_field(field: RankedField) -> tuple[Row, ...]:
    """Return the standings of a field that is already counted."""
    order = field.order
    values: _Values = {entry: {} for entry in field.numbers}
    for key in dict.fromkeys((*order, *COLUMNS)):
        metric = METRICS[key]
        for entry, row in values.items():
            row[key] = None if metric.scope is MetricScope.LEVEL else metric.value(field.lines[entry])
    met = _head_to_head(field, values)
    columns = [METRICS[key].merits([row[key] or 0 for row in values.values()]) for key in order]
    merits = dict(zip(values, zip(*columns, strict=True), strict=True))
    by_number = sorted(values, key=field.numbers.__getitem__)
    by_merit = sorted(by_number, key=merits.__getitem__, reverse=True)
    return tuple(
        Row(
            entry=entry,
            rank=place,
            values=values[entry],
            equals=equals,
            decided_by=decisive(values[entry], values[above], order) if above is not None else None,
            dropped=tuple(result.round for result in field.lines[entry].dropped),
            adjusted=_add_adjustments(field.lines[entry]),
            meetings=met.get(entry, ()),
            plays_on=field.lines[entry].plays_on,
        )
        for place, entry, above, equals in _share_ranks(by_merit, merits)
    )


def _add_adjustments(line: EntryResults) -> dict[str, int]:
    return {key: line.adjusted[key] for key in ADJUSTABLE if line.adjusted.get(key)}


def _share_ranks(
    by_merit: Sequence[EntryId], merits: Mapping[EntryId, tuple[int, ...]]
) -> Iterator[tuple[int, EntryId, EntryId | None, tuple[EntryId, ...]]]:
    """Yield for each entry its rank, itself, the one above, and all of the same rank."""
    place, above = 1, None
    for _, group in groupby(by_merit, key=merits.__getitem__):
        equals = tuple(group)
        for entry in equals:
            yield place, entry, above, equals
            above = entry
        place += len(equals)


def _head_to_head(field: RankedField, values: _Values) -> dict[EntryId, tuple[Meeting, ...]]:
    """Set the head to head of entries tied on all metrics before it, where it decides. Returns the matches
    that it looks at, by entry."""
    met: dict[EntryId, tuple[Meeting, ...]] = {}
    if "head_to_head" not in field.order:
        return met
    before = field.order[: field.order.index("head_to_head")]
    groups: dict[tuple[int | None, ...], list[EntryId]] = defaultdict(list)
    for entry, row in values.items():
        groups[tuple([row[key] for key in before])].append(entry)
    for level in groups.values():
        for entry, (ahead_of, meetings) in _head_to_head_in_pools(level, field).items():
            values[entry]["head_to_head"] = ahead_of
            met[entry] = meetings
    return met


def _head_to_head_in_pools(
    level: Iterable[EntryId], field: RankedField
) -> dict[EntryId, tuple[int, tuple[Meeting, ...]]]:
    """Return the head to head of tied entries, each among those of its own pool. The best of every pool are
    tied with each other, so that the later metrics separate them."""
    pools: dict[str, list[EntryId]] = defaultdict(list)
    for entry in level:
        pools[field.pools.get(entry, "")].append(entry)
    found = [(those, head_to_head(those, field.lines, field.rules)) for those in pools.values()]
    firsts = [max(ahead for ahead, _ in told.values()) for _, told in found if told]
    placed: dict[EntryId, tuple[int, tuple[Meeting, ...]]] = {}
    for those, told in found if firsts else ():
        raised = max(firsts) - max((ahead for ahead, _ in told.values()), default=0)
        for entry in those:
            ahead, meetings = told.get(entry, (0, ()))
            placed[entry] = (ahead + raised, meetings)
    return placed
