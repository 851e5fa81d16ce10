"""Pools: small groups of equal strength, each a round robin.

Entries are dealt by number in a snake (1, 2, 3, 3, 2, 1, 1…), one tier of as many entries as there are pools
at a time. Within a tier places are exchanged where that keeps club-mates apart, at no cost in strength: a
tier counts as equal. Entries that have played in a pool stay in it; a late entry goes to the smallest.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.draws.bonds import ALWAYS, DIRECTOR_KINDS, LABEL_KINDS, POOL
from engine.draws.pairing_cost.blossom import find_min_cost_matching
from engine.draws.rounds import Plan, build_draw, sort_by_number
from engine.draws.schedules.round_schedule import Schedule, build_plan, get_schedule_slots
from engine.draws.settings import check_setting_names, parse_choice, parse_whole_number
from engine.draws.values import Draw, DrawInput, Entrant, EntryId, Format, SeparationTiming
from errors import Refusal

from .round_robin import KEEP, LEAVERS, build_round_robin, count_berger_rounds

AVOIDED_KINDS = {*LABEL_KINDS, *DIRECTOR_KINDS, POOL}
"""Kinds of bonds that are kept apart where it costs nothing: also entries from one pool of the stage before."""


POOLS_AGAIN_VERSION = 9
"""Last version of draws in which entries from one pool could meet again in the pools of the next stage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolSettings:
    """Settings of pools. The number of ``pools``, or their ``pool_size`` (some may have one entry less);
    ``legs`` and ``leavers`` as in a round robin."""

    pools: int | None = None
    pool_size: int | None = None
    legs: int = 1
    leavers: str = KEEP

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> "PoolSettings":
        """Read the settings. Refuses: no_such_setting, no_such_choice, not_a_number, number_too_small,
        settings_exclude."""
        check_setting_names(data, ("pools", "pool_size", "legs", "leavers"))
        settings = cls(
            pools=parse_whole_number(data, "pools", least=1),
            pool_size=parse_whole_number(data, "pool_size", least=2),
            legs=parse_choice(data, "legs", (1, 2)),
            leavers=parse_choice(data, "leavers", LEAVERS),
        )
        if settings.pools is not None and settings.pool_size is not None:
            raise Refusal("settings_exclude", field="pool_size", other="pools")
        return settings

    def count_pools(self, entrants: int) -> int:
        """Return the number of pools, never so many that somebody is alone in one. Pools of four if nothing
        is set."""
        requested = self.pools or -(-entrants // (self.pool_size or 4))
        return max(1, min(requested, entrants // 2))

    def count_odd_pools(self, entrants: int) -> int:
        """Return in how many pools somebody sits out each round: those with an odd number of entries.

        >>> [PoolSettings(pools=3).count_odd_pools(entries) for entries in (9, 10, 12)]
        [3, 2, 0]
        """
        pools = self.count_pools(entrants)
        size, larger = divmod(entrants, pools)
        return larger if size % 2 == 0 else pools - larger


def get_pool_label(place: int) -> str:
    """Return the name of a pool, from 0: A, B … Z, AA, AB …"""
    name = ""
    place += 1
    while place:
        place, letter = divmod(place - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def build_pools(draw_input: DrawInput) -> dict[str, tuple[EntryId, ...]]:
    """Return the pools by label, each in the order of numbers. Refuses: what the settings refuse."""
    settings = PoolSettings.parse(draw_input.settings)
    entrants = sort_by_number(draw_input.entrants)
    kinds = AVOIDED_KINDS if draw_input.version > POOLS_AGAIN_VERSION else AVOIDED_KINDS - {POOL}
    pools = _deal_pools(entrants, settings.count_pools(len(entrants)), kinds)
    home_pools = _find_played_pools(draw_input)
    pool_by_entry = {entrant.id: name for name, pool in pools.items() for entrant in pool}
    if any(pool_by_entry[entry] != name for entry, name in home_pools.items() if entry in pool_by_entry):
        pools = _keep_pools(entrants, home_pools, played_round=draw_input.round)
    return {name: tuple(entrant.id for entrant in sort_by_number(pool)) for name, pool in pools.items()}


def draw_pools(draw_input: DrawInput) -> Draw:
    """Draw the next round of every pool. Refuses: what the settings refuse."""
    plan: Plan = ([], [])
    for schedule in _build_schedules(draw_input):
        tables, byes = build_plan(schedule, draw_input, pool=schedule.slot)
        plan[0].extend(tables)
        plan[1].extend(byes)
    return build_draw("pools", draw_input, plan)


def list_pool_slots(draw_input: DrawInput) -> frozenset[str] | None:
    """Return the pools that have a table ahead. Refuses: what the settings refuse."""
    return get_schedule_slots(_build_schedules(draw_input), draw_input)


def _build_schedules(draw_input: DrawInput) -> list[Schedule]:
    """Return the schedule of each pool; its label is its slot."""
    legs = PoolSettings.parse(draw_input.settings).legs
    return [build_round_robin(entries, legs=legs, slot=name) for name, entries in build_pools(draw_input).items()]


def count_pool_rounds(count: int, settings: Mapping[str, Any]) -> int:
    """Return the rounds of the largest pool. Refuses: what the settings refuse."""
    pool_settings = PoolSettings.parse(settings)
    return count_berger_rounds(-(-count // pool_settings.count_pools(count))) * pool_settings.legs


def _find_played_pools(draw_input: DrawInput) -> dict[EntryId, str]:
    """Return by entry the pool of its latest table in one."""
    found: dict[EntryId, str] = {}
    for played in sorted(draw_input.history, key=lambda played: played.round):
        if played.slot.isalpha() and played.slot.isupper():
            found |= dict.fromkeys((*played.a, *played.b), played.slot)
    return found


def _deal_pools(entrants: Sequence[Entrant], count: int, kinds: Collection[str]) -> dict[str, list[Entrant]]:
    """Deal pools tier by tier in a snake, each place in the pool of least price: bonds first, then the
    snake."""
    pools: list[list[Entrant]] = [[] for _ in range(count)]
    for tier, start in enumerate(range(0, len(entrants), count)):
        members = entrants[start : start + count]
        order = [place if tier % 2 == 0 else count - 1 - place for place in range(len(members))]
        for entrant, pool in zip(members, _assign_pools(members, order, pools, kinds), strict=True):
            pools[pool].append(entrant)
    return {get_pool_label(place): pool for place, pool in enumerate(pools)}


def _keep_pools(
    entrants: Sequence[Entrant], home_pools: Mapping[EntryId, str], *, played_round: int
) -> dict[str, list[Entrant]]:
    """Keep each entry in the pool where it has played. New ones join the pool with the fewest left in it; no
    pool is opened for late entries."""
    labels = sorted(set(home_pools.values()), key=lambda name: (len(name), name))
    pools: dict[str, list[Entrant]] = {name: [] for name in labels}
    for entrant in entrants:
        if entrant.id in home_pools:
            pools[home_pools[entrant.id]].append(entrant)
    for entrant in entrants:
        if entrant.id not in home_pools:
            fewest = min(
                pools.values(),
                key=lambda pool: sum(not entrant.has_left(played_round) for entrant in pool),
            )
            fewest.append(entrant)
    return pools


def _assign_pools(
    members: Sequence[Entrant], order: Sequence[int], pools: Sequence[Sequence[Entrant]], kinds: Collection[str]
) -> list[int]:
    """Return the pool of each member of a tier, among those that the snake gives to the tier."""
    size = len(members)
    bonds = [[_count_bonds(member, pools[pool], kinds) for pool in order] for member in members]
    if not any(bonds[place][place] for place in range(size)):
        return list(order)
    unit = 1 + size**3
    edges = (
        (place, size + seat, unit * bonds[place][seat] + (place - seat) ** 2)
        for place in range(size)
        for seat in range(size)
    )
    mates = find_min_cost_matching(2 * size, edges).mates
    return [order[mates[place] - size] for place in range(size)]


def _count_bonds(entrant: Entrant, pool: Sequence[Entrant], kinds: Collection[str]) -> int:
    """Count the bonds that the entrant shares with those of a pool; bonds that must be kept apart weigh
    most."""
    shared = (bond for other in pool for bond in entrant.bonds & other.bonds if bond.kind in kinds)
    return sum(1000 if bond.kind == ALWAYS else 1 for bond in shared)


FORMAT = Format(
    key="pools",
    draw=draw_pools,
    next_slots=list_pool_slots,
    check=PoolSettings.parse,
    rounds=count_pool_rounds,
    separation=SeparationTiming.GROUPS,
)
