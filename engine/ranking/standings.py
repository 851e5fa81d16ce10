"""Ranks by a chain of metrics: the first that differs decides; entries equal on all share a rank."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby

from engine.draws import EntryId

from .field import ADJUSTABLE, RankedField, build_ranked_field
from .head_to_head import compute_head_to_head
from .lines import EntryResults
from .metrics import DISQUALIFIED, METRICS, MetricScope
from .ranking_rules import RankingRules
from .reasons import find_deciding_metric
from .values import Meeting, Result, ResultAdjustment, Row

COLUMNS = ("match_wins", "games_won", "points_for", "points_against", "difference")
"""The metrics in every row, whatever the order."""

_Values = dict[EntryId, dict[str, int | None]]


def rank_entries(
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
        build_ranked_field(
            numbers, results_by_entry, rules, seed=seed, games_to_win=games_to_win, adjustments=adjustments
        )
    )


def rank_field(field: RankedField) -> tuple[Row, ...]:
    """Return the standings of a field that is already counted. With orders of their own, stages are ranked
    one after the other."""
    first = (DISQUALIFIED,) if field.has_disqualified else ()
    parts = [((*first, *order), entries) for order, entries in _split_by_order(field)]
    values: _Values = {entry: {} for entry in field.numbers}
    for key in dict.fromkeys((*chain.from_iterable(order for order, _ in parts), *COLUMNS)):
        metric = METRICS[key]
        for entry, row in values.items():
            row[key] = None if metric.scope is MetricScope.LEVEL else metric.get_value(field.lines[entry])
    rows: list[Row] = []
    for order, entries in parts:
        part_values = {entry: values[entry] for entry in entries}
        meetings_by_entry = _set_head_to_head(field, part_values, order)
        columns = [METRICS[key].get_merits([row[key] or 0 for row in part_values.values()]) for key in order]
        merits = dict(zip(entries, zip(*columns, strict=True), strict=True))
        ranked = sorted(entries, key=merits.__getitem__, reverse=True)
        above = rows[-1].entry if rows else None
        rows += [
            Row(
                entry=entry,
                rank=place,
                values=values[entry],
                equals=equals,
                decided_by=find_deciding_metric(values[entry], values[above], order) if above is not None else None,
                order=order,
                dropped=tuple(result.round for result in field.lines[entry].dropped),
                adjustments=_add_adjustments(field.lines[entry]),
                meetings=meetings_by_entry.get(entry, ()),
                is_still_playing=field.lines[entry].is_still_playing,
            )
            for place, entry, above, equals in _share_ranks(ranked, merits, place=len(rows) + 1, above=above)
        ]
    return tuple(rows)


def _split_by_order(field: RankedField) -> list[tuple[tuple[str, ...], list[EntryId]]]:
    """Return the entries that are ranked together, by number, with their order; best first."""
    numbered = sorted(field.numbers, key=field.numbers.__getitem__)
    if not field.orders or not numbered:
        return [(field.rules.order, numbered)]

    def get_place(entry: EntryId) -> tuple[int, ...]:
        return tuple(METRICS[key].get_value(field.lines[entry]) for key in (DISQUALIFIED, "stage"))

    groups = (list(group) for _, group in groupby(sorted(numbered, key=get_place), key=get_place))
    return [(field.get_order(group[0]), group) for group in groups]


def _add_adjustments(line: EntryResults) -> dict[str, int]:
    return {key: line.adjustments[key] for key in ADJUSTABLE if line.adjustments.get(key)}


def _share_ranks(
    ranked: Sequence[EntryId], merits: Mapping[EntryId, tuple[int, ...]], *, place: int, above: EntryId | None
) -> Iterator[tuple[int, EntryId, EntryId | None, tuple[EntryId, ...]]]:
    """Yield for each entry its rank, itself, the one above, and all of the same rank. The first rank is
    ``place``, below an entry ``above``."""
    for _, group in groupby(ranked, key=merits.__getitem__):
        equals = tuple(group)
        for entry in equals:
            yield place, entry, above, equals
            above = entry
        place += len(equals)


def _set_head_to_head(field: RankedField, values: _Values, order: Sequence[str]) -> dict[EntryId, tuple[Meeting, ...]]:
    """Set the head to head of entries tied on all metrics before it, where it decides. Returns the matches
    that it looks at, by entry."""
    meetings_by_entry: dict[EntryId, tuple[Meeting, ...]] = {}
    if "head_to_head" not in order:
        return meetings_by_entry
    earlier_metrics = order[: order.index("head_to_head")]
    groups: dict[tuple[int | None, ...], list[EntryId]] = defaultdict(list)
    for entry, row in values.items():
        groups[tuple([row[key] for key in earlier_metrics])].append(entry)
    for level in groups.values():
        for entry, (ahead, meetings) in _compute_pool_head_to_head(level, field).items():
            values[entry]["head_to_head"] = ahead
            meetings_by_entry[entry] = meetings
    return meetings_by_entry


def _compute_pool_head_to_head(
    level: Iterable[EntryId], field: RankedField
) -> dict[EntryId, tuple[int, tuple[Meeting, ...]]]:
    """Return the head to head of tied entries, each among those of its own pool. The best of every pool are
    tied with each other, so that the later metrics separate them."""
    pools: dict[str, list[EntryId]] = defaultdict(list)
    for entry in level:
        pools[field.pools.get(entry, "")].append(entry)
    found = [(members, compute_head_to_head(members, field.lines, field.rules)) for members in pools.values()]
    firsts = [max(ahead for ahead, _ in results.values()) for _, results in found if results]
    placed: dict[EntryId, tuple[int, tuple[Meeting, ...]]] = {}
    for members, results in found if firsts else ():
        offset = max(firsts) - max((ahead for ahead, _ in results.values()), default=0)
        for entry in members:
            ahead, meetings = results.get(entry, (0, ()))
            placed[entry] = (ahead + offset, meetings)
    return placed
