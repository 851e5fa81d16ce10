"""Open tables: free entries are seated as they come, and nobody twice in a row against the same opponent.

Each call is a round of its own; tables still in play are the locked ones. An entry without an opponent waits,
which is no bye. Two who have just met wait for others as long as anybody is playing, and play again if nobody
is.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any

from engine.draws.history import History
from engine.draws.rounds import (
    UnnumberedTable,
    build_draw,
    build_requested_byes,
    list_drawable_entrants,
    sort_by_number,
)
from engine.draws.schedules.round_schedule import match_with_leftovers
from engine.draws.seating import choose_sides
from engine.draws.settings import check_setting_names
from engine.draws.values import Draw, DrawInput, Entrant, EntryId, Format, Reason, ReasonCode
from errors import Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTablesSettings:
    """Settings of open tables. ``free``: the entries that want to play, in the order in which they asked;
    None: all that are present."""

    free: tuple[EntryId, ...] | None = None

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> "OpenTablesSettings":
        """Read the settings. Refuses: no_such_setting, not_a_list, drawn_twice."""
        check_setting_names(data, ("free",))
        value = data.get("free")
        if value is None:
            return cls()
        if not isinstance(value, list | tuple) or any(type(entry) is not int for entry in value):
            raise Refusal("not_a_list", field="free", value=value)
        for entry, times in Counter(value).items():
            if times > 1:
                raise Refusal("drawn_twice", field="free", entry=entry)
        return cls(free=tuple(map(EntryId, value)))


def draw_open_tables(draw_input: DrawInput) -> Draw:
    """Draw tables of the free entries; those away or in play are skipped. Refuses: what the settings
    refuse."""
    queue = _list_queue(draw_input)
    history = History(draw_input.history)
    last_opponents = _find_last_opponents(draw_input)
    pairs, _ = match_with_leftovers(*_compute_prices(queue, last_opponents, is_busy=bool(draw_input.locked)))
    tables = []
    for one, other in sorted(pairs):
        first, second = queue[one], queue[other]
        chance = Random(f"{draw_input.seed}/{one}/{other}")  # noqa: S311 - no secret
        a, b = choose_sides(first, second, history=history, chance=chance)
        reasons = [Reason(code=ReasonCode.IN_LINE, details={"places": (one + 1, other + 1)})]
        if rounds := history.get_rounds_met(first.id, second.id):
            reasons.append(Reason(code=ReasonCode.MET_BEFORE, details={"rounds": rounds}))
        tables.append(UnnumberedTable(a=a, b=b, reasons=tuple(reasons)))
    return build_draw("open_tables", draw_input, (tables, []))


def _list_queue(draw_input: DrawInput) -> list[Entrant]:
    settings = OpenTablesSettings.parse(draw_input.settings)
    present = {entrant.id: entrant for entrant in sort_by_number(list_drawable_entrants(draw_input))}
    order = present if settings.free is None else settings.free
    return [present[entry] for entry in order if entry in present]


def _find_last_opponents(draw_input: DrawInput) -> dict[EntryId, frozenset[EntryId]]:
    found: dict[EntryId, frozenset[EntryId]] = {}
    for played in sorted((p for p in draw_input.history if p.b), key=lambda played: played.round):
        found |= dict.fromkeys(played.a, frozenset(played.b)) | dict.fromkeys(played.b, frozenset(played.a))
    return found


def _compute_prices(
    queue: list[Entrant], last_opponents: Mapping[EntryId, frozenset[EntryId]], *, is_busy: bool
) -> tuple[list[int], dict[tuple[int, int], int]]:
    """Return the prices: waiting costs most, more for the first in line; then meeting again at once; then
    passing others."""
    size = len(queue)
    repeat_price = size**2 + 1
    waiting_price = size * repeat_price + 1
    pairs = {}
    for one, other in combinations(range(size), 2):
        repeats = queue[other].id in last_opponents.get(queue[one].id, ()) or queue[one].id in last_opponents.get(
            queue[other].id, ()
        )
        if not (repeats and is_busy):
            pairs[one, other] = repeat_price * repeats + other - one
    return [waiting_price * (2 * size - place) for place in range(size)], pairs


def _list_next_slots(draw_input: DrawInput) -> frozenset[str] | None:
    """Return the slots ahead. An entry without an opponent waits, which is no bye."""
    if len(_list_queue(draw_input)) >= 2:
        return frozenset({""})
    return frozenset() if build_requested_byes(draw_input) else None


FORMAT = Format(
    key="open_tables",
    draw=draw_open_tables,
    next_slots=_list_next_slots,
    check=OpenTablesSettings.parse,
    can_leave_out=True,
)
