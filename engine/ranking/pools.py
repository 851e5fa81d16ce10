"""Place in the pool: each pool ranked by itself, so that pools of different sizes can be compared."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace

from engine.draws import EntryId

from .field import RankedField, meet
from .lines import EntryResults
from .ranking_rules import USUAL_ORDER, AcrossPools
from .standings import rank_field
from .values import MET


def place_in_pools(field: RankedField, order: Sequence[str]) -> RankedField:
    """Add to the field the place of each entry in its pool, ranked in this order as if it were alone. If the
    rules say so, drop the results against the last of larger pools."""
    members: defaultdict[str, dict[EntryId, int]] = defaultdict(dict)
    for entry, number in field.numbers.items():
        if entry in field.pools:
            members[field.pools[entry]][entry] = number
    alone = replace(field, rules=replace(field.rules, order=tuple(order) or USUAL_ORDER), pools={})
    pools = [rank_field(replace(alone, numbers=numbers)) for numbers in members.values()]
    for row in (row for rows in pools for row in rows):
        field.lines[row.entry].pool_place = row.rank
    if field.rules.across_pools is not AcrossPools.WITHOUT_LAST or not pools:
        return field
    there = [[row.entry for row in rows if _has_met(field.lines[row.entry])] for rows in pools]
    return _without(field, {entry for order in there for entry in order[min(map(len, there)) :]})


def _has_met(line: EntryResults) -> bool:
    return any(result.kind in MET for result in line.results)


def _without(field: RankedField, last: Collection[EntryId]) -> RankedField:
    """Return the field in which the results against these are dropped, in pools."""
    lines = {
        entry: _drop_results(line, last)
        if entry in field.pools
        else replace(line, scores_faced=[], rates_faced=[])
        for entry, line in field.lines.items()
    }
    meet(lines)
    return replace(field, lines=lines)


def _drop_results(line: EntryResults, last: Collection[EntryId]) -> EntryResults:
    counts = [not any(other in last for other in result.opponents) for result in line.results]
    told = list(zip(line.results, line.gained, counts, strict=True))
    return replace(
        line,
        results=[result for result, _, is_counted in told if is_counted],
        gained=[gained for _, gained, is_counted in told if is_counted],
        dropped=[*line.dropped, *(result for result, _, is_counted in told if not is_counted)],
        scores_faced=[],
        rates_faced=[],
    )
