"""Seeding of a bracket in which entries to keep apart meet as late as possible.

Entries change places only within their tier: seeds 3 and 4, 5 to 8, 9 to 16 and so on; those with a bye among
themselves. The order chosen has the fewest possible meetings of such entries in round 1; among those orders,
the fewest in round 2; and so on to the final. Ties are decided by the matches of beaten entries, in the same
way. An order is found by exchanges, and proved by a lower bound, or by trying all orders that could be
better.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations, product
from math import factorial, prod
from operator import add
from random import Random

from engine.draws.bonds import ALWAYS
from engine.draws.values import Bond

from .structure import Bracket, Seed, Source, list_seed_lines

_MAX_ORDERS, _MAX_STEPS, _RESTARTS = 2_000, 15_000, 30
"""Limits of the search. At most ``_MAX_ORDERS`` orders are all tried. Otherwise up to ``_RESTARTS`` searches
start from other orders; if all miss the bound, up to ``_MAX_STEPS`` steps search the orders that could be better."""

_Table = list[list[int]]
"""The price of each two places."""


@dataclass(frozen=True, slots=True)
class Separation:
    """A seeding: ``order`` is the entry at each place, by seed, all from 0. ``is_proved`` says that no order
    of the tiers has fewer possible meetings in a round, unless it has more in an earlier one."""

    order: tuple[int, ...]
    is_proved: bool = True


@lru_cache(maxsize=64)
def separate_seeds(bracket: Bracket, bonds: tuple[frozenset[Bond], ...]) -> Separation:
    """Return the order of the seeds of a bracket, each with the bonds by which it is to be kept apart."""
    groups = Counter(bond for own in bonds for bond in own)
    if all(members == 1 for members in groups.values()):
        return Separation(tuple(range(len(bonds))))
    return _Search(bracket, bonds).find_best()


def find_first_meetings(bracket: Bracket, *, is_winners: bool) -> dict[tuple[int, int], int]:
    """Return the first round in which each two places (from 0) can meet, among winners or among beaten
    entries; without those that cannot meet."""
    comers: dict[str, tuple[set[int], set[int]]] = {}
    found: dict[tuple[int, int], int] = {}
    for slot in bracket.slots:
        one, other = (
            {source.number - 1} if isinstance(source, Seed) else set().union(*comers[source.slot])
            for source in slot.sources
        )
        comers[slot.key] = one, other
        if slot.key.startswith("W") == is_winners:
            for places in product(one, other):
                low, high = sorted(places)
                found[low, high] = min(slot.round, found.get((low, high), slot.round))
    return found


def list_tiers(entrants: int) -> list[list[int]]:
    """Return the groups of places (from 0) within which entries may be exchanged: those of a tier, with a bye
    or without."""
    byes = len(list_seed_lines(entrants)) - entrants
    found: defaultdict[tuple[int, bool], list[int]] = defaultdict(list)
    for place in range(entrants):
        found[place.bit_length(), place < byes].append(place)
    return list(found.values())


class _Search:
    """A search for the seeding with the lowest sum of prices for each two entries that share a bond.

    A price is one number. Its parts, most important first: entries that must be kept apart, then the others,
    each by the rounds of the winners' bracket; then both again for the matches of beaten entries.
    """

    def __init__(self, bracket: Bracket, bonds: Sequence[frozenset[Bond]]) -> None:
        self.bonds, self.count, self.rounds = bonds, len(bonds), bracket.rounds
        self.meetings = [find_first_meetings(bracket, is_winners=winners) for winners in (False, True)]
        shared = {
            (one, other): common
            for (one, own_bonds), (other, other_bonds) in combinations(enumerate(bonds), 2)
            if (common := own_bonds & other_bonds)
        }
        self.radix = 1 + sum(map(len, shared.values()))
        self.beaten: int = self.radix ** (2 * self.rounds)
        """A number above the price of all matches of beaten entries."""
        self.tiers = list_tiers(self.count)
        self.tier_of = {place: tier for tier in self.tiers for place in tier}
        self.tables: dict[tuple[tuple[bool, int], ...], _Table] = {}
        self.rivals: list[dict[int, _Table]] = [{} for _ in bonds]
        self.least: dict[tuple[int, int], int] = {}
        for (one, other), common in shared.items():
            table = self._get_price_table(common)
            self.rivals[one][other] = self.rivals[other][one] = table
            self.least[one, other] = min(
                table[own_place][other_place]
                for own_place, other_place in product(self.tier_of[one], self.tier_of[other])
                if own_place != other_place
            )
        self.bound: int = max(sum(self.least.values()) // self.beaten, self._compute_bound())
        # From the lowest tier up, the nearest first: so the best seeds stay where they are, if they can.
        self.exchanges = [
            two
            for tier in reversed(self.tiers)
            for two in sorted(combinations(tier, 2), key=lambda two: (two[1] - two[0], -two[0]))
            if any(self.rivals[entry] for entry in two)
        ]
        self.steps, self.limit = 0, 0
        self.found: list[int] | None = None

    def find_best(self) -> Separation:
        order_count = prod(factorial(len(tier)) for tier in self.tiers)
        if order_count <= _MAX_ORDERS:
            orders = product(*(permutations(tier) for tier in self.tiers))
            all_places = ([place for tier in order for place in tier] for order in orders)
            return self._build_separation(
                min(all_places, key=lambda places: (self._compute_price(places), _sum_squared_moves(places)))
            )
        places, chance = self._improve_places(range(self.count)), Random(0)  # noqa: S311 - no secret
        for _ in range(_RESTARTS):
            if self._is_least(places):
                break
            places = min(places, self._improve_places(self._shake_places(places, chance)), key=self._compute_price)
        is_proved = self._is_least(places)
        if not is_proved:
            better, is_proved = self._try_all_orders(self._compute_price(places))
            places = self._improve_places(better or places)
        return self._build_separation(self._shorten_moves(places), is_proved=is_proved)

    def _build_separation(self, places: Sequence[int], *, is_proved: bool = True) -> Separation:
        order = sorted(range(self.count), key=lambda entry: places[entry])
        return Separation(tuple(order), is_proved)

    def _get_price_table(self, common: Collection[Bond]) -> _Table:
        """Return the price of each two places for two entries that share these bonds."""
        bond_limits = tuple(sorted((bond.kind == ALWAYS, bond.rounds or self.rounds) for bond in common))
        if bond_limits not in self.tables:
            table = [[0] * self.count for _ in range(self.count)]
            for weight, meetings in zip((1, self.beaten), self.meetings, strict=True):
                for (one, other), number in meetings.items():
                    price = weight * sum(
                        self.radix ** (self.rounds - number + is_always * self.rounds)
                        for is_always, last in bond_limits
                        if number <= last
                    )
                    table[one][other] += price
                    table[other][one] += price
            self.tables[bond_limits] = table
        return self.tables[bond_limits]

    def _compute_bound(self) -> int:
        """Return the price if each group were spread evenly over the winners' bracket by itself: a lower
        bound."""
        tier_numbers = {place: number for number, tier in enumerate(self.tiers) for place in tier}

        def count_by_tier(places: Iterable[int]) -> list[int]:
            found = Counter(tier_numbers[place] for place in places)
            return [found[number] for number in range(len(self.tiers))]

        part_capacities = [
            [count_by_tier(part) for part in _list_parts(self.count, number)] for number in range(self.rounds + 1)
        ]
        groups: defaultdict[Bond, list[int]] = defaultdict(list)
        for entry, entry_bonds in enumerate(self.bonds):
            for bond in entry_bonds:
                groups[bond].append(entry)
        total = 0
        for bond, members in groups.items():
            table = self._get_price_table([bond])
            prices = {number: table[one][other] // self.beaten for (one, other), number in self.meetings[1].items()}
            pair_counts = [_count_fewest_pairs(count_by_tier(members), capacity) for capacity in part_capacities]
            total += sum(
                (pair_counts[number] - pair_counts[number - 1]) * prices.get(number, 0)
                for number in range(1, self.rounds + 1)
            )
        return total

    def _is_least(self, places: Sequence[int]) -> bool:
        return self._compute_price(places) // self.beaten == self.bound

    def _compute_price(self, places: Sequence[int]) -> int:
        return sum(self._compute_entry_price(entry, places) for entry in range(self.count)) // 2

    def _compute_entry_price(self, entry: int, places: Sequence[int]) -> int:
        here = places[entry]
        return sum(table[here][places[other]] for other, table in self.rivals[entry].items())

    def _compute_gain(self, one: int, other: int, places: list[int]) -> int:
        """Return by how much an exchange lowers the price."""
        old_price = self._compute_entry_price(one, places) + self._compute_entry_price(other, places)
        places[one], places[other] = places[other], places[one]
        new_price = self._compute_entry_price(one, places) + self._compute_entry_price(other, places)
        places[one], places[other] = places[other], places[one]
        return old_price - new_price

    def _improve_places(self, places: Sequence[int]) -> list[int]:
        """Make every exchange that lowers the price."""
        return self._exchange_entries(places, lambda one, other, now: self._compute_gain(one, other, now) > 0)

    def _shorten_moves(self, places: Sequence[int]) -> list[int]:
        """Make exchanges that bring entries nearer to their own places, at the same price."""

        def is_nearer(one: int, other: int, now: list[int]) -> bool:
            here, there = now[one], now[other]
            moves = (one - here) ** 2 + (other - there) ** 2 - (one - there) ** 2 - (other - here) ** 2
            return moves > 0 and self._compute_gain(one, other, now) == 0

        return self._exchange_entries(places, is_nearer)

    def _exchange_entries(self, places: Sequence[int], is_wanted: Callable[[int, int, list[int]], bool]) -> list[int]:
        places, is_improved = list(places), True
        while is_improved:
            is_improved = False
            for one, other in self.exchanges:
                if is_wanted(one, other, places):
                    places[one], places[other] = places[other], places[one]
                    is_improved = True
        return places

    def _shake_places(self, places: Sequence[int], chance: Random) -> list[int]:
        """Make some random exchanges."""
        shaken = list(places)
        for _ in range(8):
            one, other = self.exchanges[int(chance.random() * len(self.exchanges))]
            shaken[one], shaken[other] = shaken[other], shaken[one]
        return shaken

    def _try_all_orders(self, limit: int) -> tuple[list[int] | None, bool]:
        """Return the cheapest order that costs less than the limit, None if there is none; and whether all
        were tried."""
        tied = [entry for entry in range(self.count) if self.rivals[entry]]
        ordered = sorted(tied, key=lambda entry: (len(self.tier_of[entry]), -len(self.rivals[entry])))
        self.limit, self.found, self.steps = limit, None, 0
        added = {entry: [0] * self.count for entry in tied}
        self._place_next(ordered, {}, added, 0, sum(self.least.values()))
        return self.found, self.steps < _MAX_STEPS

    def _place_next(
        self,
        entries: Sequence[int],
        placed: Mapping[int, int],
        added_prices: Mapping[int, list[int]],
        price: int,
        remaining_price: int,
    ) -> None:
        """Place the remaining entries one by one, and keep the cheapest order.

        ``added_prices`` is, by remaining entry, the price of each place because of the entries already ``placed``.
        ``remaining_price`` is the least price that the remaining entries pay among themselves.
        """
        if not entries:
            self.limit, self.found = price, self._complete_places(placed)
            return
        entry, *later = entries
        remaining_price -= sum(
            self.least[min(entry, other), max(entry, other)] for other in self.rivals[entry] if other in later
        )
        free = [place for place in self.tier_of[entry] if place not in placed]
        for place in sorted(free, key=lambda place: (added_prices[entry][place], abs(place - entry))):
            self.steps += 1
            if self.steps >= _MAX_STEPS:
                return
            next_placed, next_price = {**placed, place: entry}, price + added_prices[entry][place]
            next_added = {other: added_prices[other] for other in later}
            for other, table in self.rivals[entry].items():
                if other in next_added:
                    next_added[other] = list(map(add, next_added[other], table[place]))
            lower_bound = next_price + remaining_price
            for other in later:
                lower_bound += min(next_added[other][each] for each in self.tier_of[other] if each not in next_placed)
                if lower_bound // self.beaten >= self.limit // self.beaten:
                    break
            else:
                self._place_next(later, next_placed, next_added, next_price, remaining_price)

    def _complete_places(self, placed: Mapping[int, int]) -> list[int]:
        """Return the places of all entries; entries without bonds get the first free ones."""
        places = {entry: place for place, entry in placed.items()}
        for tier in self.tiers:
            free = (place for place in tier if place not in placed)
            places |= zip((entry for entry in tier if entry not in places), free, strict=True)
        return [places[entry] for entry in range(self.count)]


def _sum_squared_moves(places: Sequence[int]) -> int:
    """Return the sum of the squared distances of all entries from their own places."""
    return sum((entry - place) ** 2 for entry, place in enumerate(places))


def _list_parts(entrants: int, last_round: int) -> list[list[int]]:
    """Return the places of the largest parts of a knockout whose members can meet up to this round."""

    def split_lines(lines: Sequence[Source | None]) -> tuple[int, list[list[int]]]:
        if len(lines) == 1:
            return 0, [[line.number - 1] for line in lines if isinstance(line, Seed)]
        halves = [split_lines(lines[: len(lines) // 2]), split_lines(lines[len(lines) // 2 :])]
        number = max(number for number, _ in halves) + all(parts for _, parts in halves)
        parts = [part for _, side_parts in halves for part in side_parts]
        return number, [[place for part in parts for place in part]] if number <= last_round else parts

    return split_lines(list_seed_lines(entrants))[1]


def _count_fewest_pairs(members: Sequence[int], capacities: Sequence[Sequence[int]]) -> int:
    """Return the fewest pairs within parts, for so many ``members`` of each tier.

    ``capacities`` is, by part, the number of places for each tier. Each member in turn goes to the emptiest part
    that has room, or where others can move to make room.
    """
    assigned = [[0] * len(members) for _ in capacities]
    pairs = 0
    for tier, count in enumerate(members):
        for _ in range(count):
            origins: dict[int, tuple[int, int | None]] = {}
            queue: list[tuple[int, int | None]] = [(tier, None)]
            for moved_tier, origin_part in queue:
                for part, free in enumerate(capacities):
                    if part not in origins and assigned[part][moved_tier] < free[moved_tier]:
                        origins[part] = moved_tier, origin_part
                        queue += [(other, part) for other, member_count in enumerate(assigned[part]) if member_count]
            emptiest = min(origins, key=lambda part: sum(assigned[part]))
            pairs += sum(assigned[emptiest])
            target: int | None = emptiest
            while target is not None:
                moved_tier, origin_part = origins[target]
                assigned[target][moved_tier] += 1
                if origin_part is not None:
                    assigned[origin_part][moved_tier] -= 1
                target = origin_part
    return pairs
