"""Plan of the hall, drawn for a player who looks for a table."""

from dataclasses import dataclass

from tournaments.events.hall_plan import hall_plan_of
from tournaments.models import Event

SIDE, GAP, DESK = 36, 8, 26
"""Size of a table, of the gap between two, and of the strip for the desk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HallTable:
    number: int
    x: int
    y: int
    is_own: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HallMap:
    """Plan of the hall. ``row`` and ``place`` are those of the player's own table, counted from the desk and
    from the left. The strip of the desk is as wide as the plan."""

    row: int
    place: int
    width: int
    height: int
    tables: tuple[HallTable, ...]

    @property
    def middle(self) -> int:
        return self.width // 2


def hall_map(event: Event, table: int) -> HallMap | None:
    """Draw the plan for this table; None if no plan was entered. No query."""
    plan = hall_plan_of(event, table)
    if plan is None:
        return None
    tables = []
    for number in range(1, plan.tables + 1):
        row, place = plan.place_of(number)
        x, y = (place - 1) * (SIDE + GAP), DESK + (row - 1) * (SIDE + GAP)
        tables.append(HallTable(number=number, x=x, y=y, is_own=number == table))
    row, place = plan.place_of(table)
    return HallMap(
        row=row,
        place=place,
        width=plan.per_row * (SIDE + GAP) - GAP,
        height=DESK + plan.rows * (SIDE + GAP) - GAP,
        tables=tuple(tables),
    )
