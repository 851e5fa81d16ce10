"""Place in the pool: each pool ranked by itself, so that pools of different sizes can be compared."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from engine.draws import EntryId

from .field import RankedField, update_opponent_values
from .lines import EntryResults
from .ranking_rules import AcrossPools
from .standings import rank_field
from .values import MET_KINDS


def place_in_pools(field: RankedField, orders: Mapping[str, Sequence[str]]) -> RankedField:
    """Add to the field the place of each entry in its pool, ranked in the order of the pool as if it were
    alone. If the rules say so, drop the results against the last of larger pools."""
    members: defaultdict[str, dict[EntryId, int]] = defaultdict(dict)
    for entry, number in field.numbers.items():
        if entry in field.pools:
            members[field.pools[entry]][entry] = number
    pools = [
        rank_field(
            replace(
                field,
                rules=replace(field.rules, order=tuple(orders[pool])),
                numbers=numbers,
                pools={},
                orders={},
            )
        )
        for pool, numbers in members.items()
    ]
    for row in (row for rows in pools for row in rows):
        field.lines[row.entry].pool_place = row.rank
    if field.rules.across_pools is not AcrossPools.WITHOUT_LAST or not pools:
        return field
    pool_orders = [[row.entry for row in rows if _count_meetings(field.lines[row.entry])] for rows in pools]
    return _drop_last_results(field, {entry for order in pool_orders for entry in order[min(map(len, pool_orders)) :]})


def _count_meetings(line: EntryResults) -> int:
    return sum(result.kind in MET_KINDS for result in line.results)


def _drop_last_results(field: RankedField, last_entries: Collection[EntryId]) -> RankedField:
    """Return the field in which the results against these are dropped, in pools."""
    lines = {
        entry: _drop_results(line, last_entries)
        if entry in field.pools
        else replace(line, opponent_scores=[], opponent_rates=[])
        for entry, line in field.lines.items()
    }
    update_opponent_values(lines)
    return replace(field, lines=lines)


def _drop_results(line: EntryResults, last_entries: Collection[EntryId]) -> EntryResults:
    counts = [not any(other in last_entries for other in result.opponents) for result in line.results]
    counted_results = list(zip(line.results, line.round_points, counts, strict=True))
    return replace(
        line,
        results=[result for result, _, is_counted in counted_results if is_counted],
        round_points=[gained for _, gained, is_counted in counted_results if is_counted],
        dropped=[*line.dropped, *(result for result, _, is_counted in counted_results if not is_counted)],
        opponent_scores=[],
        opponent_rates=[],
    )
