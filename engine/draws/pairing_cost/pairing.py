"""The cheapest pairing of a field, proved: one exact optimum over all criteria at once.

Each criterion has a unit so large that one step of it outweighs everything below: the price of a pair is one
integer, and the least total of the field is exactly the lexicographic optimum. Nothing is forbidden, only
expensive, so that every field is drawn, with as few rules broken as possible.

Not every pair is given to the solver: those near the target, and those around the borders of the score
groups, are nearly always enough. A proof follows: the duals price every pair that was left out, cheaper
ones are added, and the field is solved again.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nsmallest
from math import isqrt
from operator import itemgetter

from engine.draws.values import Certificate

from .blossom import Matching, NoPerfectMatchingError, least_matching
from .criteria import CRITERIA, Criterion, PairingSettings
from .fields import PairingField
from .targets import BY_LOT, TARGETS

Pair = tuple[int, int]
"""Two positions of a field, the higher standing first; the second may be the bye."""

NEAR = 8
"""The places around the target, and around the border of a group, that are candidates at first."""


class Prices:
    """The prices of all pairs of a field."""

    def __init__(self, field: PairingField, settings: PairingSettings) -> None:
        self.field, self.settings = field, settings
        self.is_by_lot = settings.target == BY_LOT
        self.target = TARGETS[settings.target]
        self.criteria: dict[str, Criterion] = {
            key: CRITERIA[key](field, settings) for key in settings.criteria
        }
        self.units: dict[str, int] = {}
        unit, tables = 1, field.size // 2
        for key, criterion in reversed(self.criteria.items()):
            self.units[key] = unit
            unit *= 1 + tables * criterion.most
        self._terms = [
            (self.units[key], criterion.value) for key, criterion in self.criteria.items() if criterion.most
        ]

    def price(self, higher: int, lower: int) -> int:
        """Return the price of a pair as one integer."""
        total = 0
        for unit, value in self._terms:
            if found := value(higher, lower):
                total += unit * found
        return total

    def levels(self, pairs: Sequence[Pair]) -> dict[str, int]:
        """Return the total cost of these pairs by each criterion, most important first."""
        return {
            key: sum(criterion.value(*pair) for pair in pairs) for key, criterion in self.criteria.items()
        }

    @property
    def tells_scores(self) -> bool:
        """Whether scores count, and differ within the field."""
        return bool(self.unit("scores")) and len(self.field.groups) > 1

    def unit(self, key: str) -> int:
        """Return the cost of one step of this criterion; 0 if it does not count."""
        return self.units.get(key, 0)


@dataclass(frozen=True)
class CheapestPairing:
    """The cheapest pairing of a field, with its proof. ``edges`` are the pairs given to the solver, each with
    its price; ``solves`` counts the solver's runs."""

    prices: Prices
    edges: Mapping[Pair, int]
    pairs: tuple[Pair, ...]
    matching: Matching
    solves: int

    @cached_property
    def levels(self) -> Mapping[str, int]:
        return self.prices.levels(self.pairs)

    @property
    def certificate(self) -> Certificate:
        ids = [*self.prices.field.ids, None]
        return Certificate(
            units=dict(reversed(self.prices.units.items())),
            prices={ids[place]: price for place, price in enumerate(self.matching.prices)},
            blossoms=tuple(
                (frozenset(ids[place] for place in blossom.vertices), blossom.rebate)
                for blossom in self.matching.blossoms
            ),
        )


def cheapest_pairing(
    prices: Prices,
    *,
    forced: Pair | None = None,
    barred: Pair | None = None,
    known: Mapping[Pair, int] | None = None,
) -> CheapestPairing:
    """Return the pairing of least price. With ``forced``, the cheapest in which these two are a pair; with
    ``barred``, the cheapest in which they are not, in a field of four positions or more. ``known`` are
    ``edges`` of another pairing of the field, to begin with."""
    field, near, solves = prices.field, NEAR, 0
    edges: dict[Pair, int] = {}

    def may_be(pair: Pair) -> bool:
        return pair not in edges and pair != barred and _is_free(pair, forced)

    more: Iterable[Pair] = () if known else _candidates(field, prices, near=near)
    edges |= {pair: price for pair, price in (known or {}).items() if may_be(pair)}
    while True:
        edges |= {pair: prices.price(*pair) for pair in more if may_be(pair)}
        if forced is not None:
            edges[forced] = prices.price(*forced)
        solves += 1
        try:
            matching = least_matching(field.size, [(*pair, price) for pair, price in edges.items()])
        except NoPerfectMatchingError:
            near *= 2
            more = _candidates(field, prices, near=near)
            continue
        cheaper = [pair for pair in _violated_pairs(prices, matching) if may_be(pair)]
        if not cheaper:
            return CheapestPairing(
                prices=prices, edges=edges, pairs=tuple(matching.pairs), matching=matching, solves=solves
            )
        more = cheaper


def _is_free(pair: Pair, forced: Pair | None) -> bool:
    return forced is None or not set(pair) & set(forced)


def _candidates(field: PairingField, prices: Prices, *, near: int) -> Iterator[Pair]:
    """Yield the pairs that a good draw is likely to be made of."""
    for group in field.groups:
        size = len(group)
        for higher in group:
            for places in prices.target.within(higher - group.start, size, near):
                for place in range(max(places.start, higher - group.start + 1), min(places.stop, size)):
                    yield higher, group.start + place
        for higher in group[-near:]:
            for lower in range(group.stop, min(group.stop + near, field.nobody)):
                yield higher, lower
    if field.is_odd:
        byes = ((higher, field.nobody) for higher in reversed(range(field.nobody)))
        yield from nsmallest(near, byes, key=lambda bye: prices.price(*bye))


def _violated_pairs(prices: Prices, matching: Matching) -> list[Pair]:
    """Return the pairs that cost less than their duals allow: in an optimum of the whole field there are
    none.

    Positions are taken in classes, by score group, blossoms around them and size of the dual. For all pairs
    of two classes the difference of scores, the distance from the target and the rebate of the blossoms
    around both bound the price from below, so that few pairs are left to be priced one by one. The pairs are
    in order of their positions, so that a draw among equals is reproducible.
    """
    field, dual = prices.field, matching.prices
    classes, dearest = _classes(field, dual, _rebates(field, matching)), max(dual, default=0)
    found: list[Pair] = []
    for one, kin, least in _classes_to_look_at(prices, classes, dearest=dearest):
        rebate = 2 * sum(z for index, z in one.rebates.items() if index in kin.rebates)
        spare = kin.dearest - least - rebate
        if one.dearest + spare <= 0:
            continue
        for higher in one.places:
            room = dual[higher] + spare
            if room > 0:
                found += (
                    (higher, lower)
                    for lower in _reachable(prices, kin, room, higher=higher)
                    if 2 * prices.price(higher, lower) + rebate < dual[higher] + dual[lower]
                )
    return sorted(found, key=itemgetter(0))


@dataclass(frozen=True, slots=True)
class _Class:
    """Positions of one score group within the same blossoms, ascending, and their largest dual."""

    group: range
    rebates: Mapping[int, int]
    places: list[int]
    dearest: int


def _rebates(field: PairingField, matching: Matching) -> list[dict[int, int]]:
    """Return the rebates of the blossoms around each position."""
    rebates: list[dict[int, int]] = [{} for _ in range(field.size)]
    for index, blossom in enumerate(matching.blossoms):
        for place in blossom.vertices:
            rebates[place][index] = blossom.rebate
    return rebates


def _classes(
    field: PairingField, dual: Sequence[int], rebates: Sequence[Mapping[int, int]]
) -> list[list[_Class]]:
    """Return the classes of each score group; last, that of the bye."""
    found: list[list[_Class]] = []
    for group in (*field.groups, range(field.nobody, field.size)):
        members: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
        for place in group:
            members[*rebates[place], max(0, dual[place]).bit_length()].append(place)
        found.append(
            [
                _Class(group, rebates[places[0]], places, max(dual[place] for place in places))
                for places in members.values()
            ]
        )
    return found


def _classes_to_look_at(
    prices: Prices, classes: Sequence[Sequence[_Class]], *, dearest: int
) -> Iterator[tuple[_Class, _Class, int]]:
    """Yield each class with those of its group and of lower groups, and twice the least cost by scores alone;
    until that exceeds what any dual allows. Last, with the class of the bye."""
    field, unit = prices.field, prices.unit("scores")
    scores = [field.scores[group.start] for group in field.groups]
    for index, score in enumerate(scores):
        for one in classes[index]:
            for below in range(index, len(scores)):
                least = 2 * unit * (score - scores[below]) ** 2
                if one.dearest + dearest <= least:
                    break
                for kin in classes[below]:
                    yield one, kin, least
            for kin in classes[-1]:
                yield one, kin, 0


def _reachable(prices: Prices, kin: _Class, room: int, *, higher: int) -> Iterator[int]:
    """Yield the positions of a class near enough to the target that twice their cost is less than this
    room."""
    field, unit = prices.field, prices.unit("distance")
    here, there = field.groups[field.group_at[higher]], kin.group
    nearest = here.stop - 1 - higher + kin.places[0] - there.start
    if here is not there and there.start != field.nobody and 2 * unit * nearest**2 >= room:
        return
    if not unit or there.start == field.nobody:
        spans: tuple[range, ...] = (range(len(there)),)
    else:
        reach = isqrt((room - 1) // (2 * unit))
        if here is there:
            spans = prices.target.within(higher - here.start, len(here), reach)
        else:
            spans = (range(reach - (here.stop - 1 - higher) + 1),)
    for span in spans:
        first = max(there.start + span.start, higher + 1)
        end = there.start + span.stop
        for at in range(bisect_left(kin.places, first), len(kin.places)):
            if kin.places[at] >= end:
                break
            yield kin.places[at]
