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

from .blossom import Matching, NoPerfectMatchingError, find_min_cost_matching
from .criteria import CRITERIA, Criterion, PairingSettings
from .fields import PairingField
from .targets import RANDOM_TARGET, TARGETS

Pair = tuple[int, int]
"""Two positions of a field, the higher standing first; the second may be the bye."""

CANDIDATE_SPAN = 8
"""The places around the target, and around the border of a group, that are candidates at first."""


class Prices:
    """The prices of all pairs of a field."""

    def __init__(self, field: PairingField, settings: PairingSettings) -> None:
        self.field, self.settings = field, settings
        self.is_by_lot = settings.target == RANDOM_TARGET
        self.target = TARGETS[settings.target]
        self.criteria: dict[str, Criterion] = {key: CRITERIA[key](field, settings) for key in settings.criteria}
        self.units: dict[str, int] = {}
        unit, tables = 1, field.size // 2
        for key, criterion in reversed(self.criteria.items()):
            self.units[key] = unit
            unit *= 1 + tables * criterion.maximum
        self._terms = [
            (self.units[key], criterion.value) for key, criterion in self.criteria.items() if criterion.maximum
        ]

    def price(self, higher: int, lower: int) -> int:
        """Return the price of a pair as one integer."""
        total = 0
        for unit, value in self._terms:
            if found := value(higher, lower):
                total += unit * found
        return total

    def compute_levels(self, pairs: Sequence[Pair]) -> dict[str, int]:
        """Return the total cost of these pairs by each criterion, most important first."""
        return {key: sum(criterion.value(*pair) for pair in pairs) for key, criterion in self.criteria.items()}

    @property
    def has_score_groups(self) -> bool:
        """Whether scores count, and differ within the field."""
        return bool(self.get_unit("scores")) and len(self.field.groups) > 1

    def get_unit(self, key: str) -> int:
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
        return self.prices.compute_levels(self.pairs)

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


def find_cheapest_pairing(
    prices: Prices,
    *,
    forced_pair: Pair | None = None,
    barred_pair: Pair | None = None,
    known_edges: Mapping[Pair, int] | None = None,
) -> CheapestPairing:
    """Return the pairing of least price.

    ``forced_pair`` is paired in it; ``barred_pair`` is not, in a field of four positions or more. ``known_edges``
    are the ``edges`` of another pairing of the field, to start from.
    """
    field, span, solves = prices.field, CANDIDATE_SPAN, 0
    edges: dict[Pair, int] = {}

    def is_candidate(pair: Pair) -> bool:
        return pair not in edges and pair != barred_pair and _is_free(pair, forced_pair)

    candidates: Iterable[Pair] = () if known_edges else _iterate_candidates(field, prices, span=span)
    edges |= {pair: price for pair, price in (known_edges or {}).items() if is_candidate(pair)}
    while True:
        edges |= {pair: prices.price(*pair) for pair in candidates if is_candidate(pair)}
        if forced_pair is not None:
            edges[forced_pair] = prices.price(*forced_pair)
        solves += 1
        try:
            matching = find_min_cost_matching(field.size, [(*pair, price) for pair, price in edges.items()])
        except NoPerfectMatchingError:
            span *= 2
            candidates = _iterate_candidates(field, prices, span=span)
            continue
        cheaper = [pair for pair in _find_violated_pairs(prices, matching) if is_candidate(pair)]
        if not cheaper:
            return CheapestPairing(
                prices=prices, edges=edges, pairs=tuple(matching.pairs), matching=matching, solves=solves
            )
        candidates = cheaper


def _is_free(pair: Pair, forced_pair: Pair | None) -> bool:
    return forced_pair is None or not set(pair) & set(forced_pair)


def _iterate_candidates(field: PairingField, prices: Prices, *, span: int) -> Iterator[Pair]:
    """Yield the pairs that a good draw is likely to be made of."""
    for group in field.groups:
        size = len(group)
        for higher in group:
            for places in prices.target.get_places_within(higher - group.start, size, span):
                for place in range(max(places.start, higher - group.start + 1), min(places.stop, size)):
                    yield higher, group.start + place
        for higher in group[-span:]:
            for lower in range(group.stop, min(group.stop + span, field.bye_position)):
                yield higher, lower
    if field.is_odd:
        byes = ((higher, field.bye_position) for higher in reversed(range(field.bye_position)))
        yield from nsmallest(span, byes, key=lambda bye: prices.price(*bye))


def _find_violated_pairs(prices: Prices, matching: Matching) -> list[Pair]:
    """Return the pairs that cost less than their duals allow: in an optimum of the whole field there are
    none.

    Positions are taken in classes, by score group, blossoms around them and size of the dual. For all pairs
    of two classes the difference of scores, the distance from the target and the rebate of the blossoms
    around both bound the price from below, so that few pairs are left to be priced one by one. The pairs are
    in order of their positions, so that a draw among equals is reproducible.
    """
    field, dual = prices.field, matching.prices
    classes, dearest = _group_classes(field, dual, _list_rebates(field, matching)), max(dual, default=0)
    found: list[Pair] = []
    for one, other_class, least in _iterate_class_pairs(prices, classes, dearest=dearest):
        rebate = 2 * sum(z for index, z in one.rebates.items() if index in other_class.rebates)
        spare = other_class.dearest - least - rebate
        if one.dearest + spare <= 0:
            continue
        for higher in one.places:
            margin = dual[higher] + spare
            if margin > 0:
                found += (
                    (higher, lower)
                    for lower in _iterate_reachable(prices, other_class, margin, higher=higher)
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


def _list_rebates(field: PairingField, matching: Matching) -> list[dict[int, int]]:
    """Return the rebates of the blossoms around each position."""
    rebates: list[dict[int, int]] = [{} for _ in range(field.size)]
    for index, blossom in enumerate(matching.blossoms):
        for place in blossom.vertices:
            rebates[place][index] = blossom.rebate
    return rebates


def _group_classes(
    field: PairingField, dual: Sequence[int], rebates: Sequence[Mapping[int, int]]
) -> list[list[_Class]]:
    """Return the classes of each score group; last, that of the bye."""
    found: list[list[_Class]] = []
    for group in (*field.groups, range(field.bye_position, field.size)):
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


def _iterate_class_pairs(
    prices: Prices, classes: Sequence[Sequence[_Class]], *, dearest: int
) -> Iterator[tuple[_Class, _Class, int]]:
    """Yield each class with those of its group and of lower groups, and twice the least cost by scores alone;
    until that exceeds what any dual allows. Last, with the class of the bye."""
    field, unit = prices.field, prices.get_unit("scores")
    scores = [field.scores[group.start] for group in field.groups]
    for index, score in enumerate(scores):
        for one in classes[index]:
            for below in range(index, len(scores)):
                least = 2 * unit * (score - scores[below]) ** 2
                if one.dearest + dearest <= least:
                    break
                for other_class in classes[below]:
                    yield one, other_class, least
            for other_class in classes[-1]:
                yield one, other_class, 0


def _iterate_reachable(prices: Prices, other_class: _Class, margin: int, *, higher: int) -> Iterator[int]:
    """Yield the positions of a class near enough to the target that twice their cost is less than this
    room."""
    field, unit = prices.field, prices.get_unit("distance")
    group, other_group = field.groups[field.group_indexes[higher]], other_class.group
    nearest = group.stop - 1 - higher + other_class.places[0] - other_group.start
    if group is not other_group and other_group.start != field.bye_position and 2 * unit * nearest**2 >= margin:
        return
    if not unit or other_group.start == field.bye_position:
        spans: tuple[range, ...] = (range(len(other_group)),)
    else:
        reach = isqrt((margin - 1) // (2 * unit))
        if group is other_group:
            spans = prices.target.get_places_within(higher - group.start, len(group), reach)
        else:
            spans = (range(reach - (group.stop - 1 - higher) + 1),)
    for span in spans:
        first = max(other_group.start + span.start, higher + 1)
        end = other_group.start + span.stop
        for index in range(bisect_left(other_class.places, first), len(other_class.places)):
            if other_class.places[index] >= end:
                break
            yield other_class.places[index]
