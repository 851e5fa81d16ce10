"""Plan of the hall, drawn for a player who looks for a table."""

from dataclasses import dataclass

from tournaments.events.hall_plan import build_hall_plan
from tournaments.models import Event

TABLE_SIZE, TABLE_GAP, DESK_HEIGHT = 36, 8, 26
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


def build_hall_map(event: Event, table: int) -> HallMap | None:
    """Draw the plan for this table; None if no plan was entered. No query."""
    plan = build_hall_plan(event, table)
    if plan is None:
        return None
    tables = []
    for number in range(1, plan.tables + 1):
        row, place = plan.locate_table(number)
        x, y = (place - 1) * (TABLE_SIZE + TABLE_GAP), DESK_HEIGHT + (row - 1) * (TABLE_SIZE + TABLE_GAP)
        tables.append(HallTable(number=number, x=x, y=y, is_own=number == table))
    row, place = plan.locate_table(table)
    return HallMap(
        row=row,
        place=place,
        width=plan.tables_per_row * (TABLE_SIZE + TABLE_GAP) - TABLE_GAP,
        height=DESK_HEIGHT + plan.rows * (TABLE_SIZE + TABLE_GAP) - TABLE_GAP,
        tables=tuple(tables),
    )
