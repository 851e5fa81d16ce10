"""Plan of the hall, drawn for a player who looks for a table."""

from dataclasses import dataclass

from tournaments.models import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class HallPlan:
    """A hall of ``tables`` in rows of ``tables_per_row``, numbered from left to right. If ``is_serpentine`` is true,
    every other row is numbered backwards.

    >>> plan = HallPlan(tables_per_row=4, is_serpentine=True, tables=10)
    >>> plan.locate_table(4), plan.locate_table(5), plan.locate_table(10), plan.rows
    ((1, 4), (2, 4), (3, 2), 3)
    """

    tables_per_row: int
    is_serpentine: bool
    tables: int

    @property
    def rows(self) -> int:
        return -(-self.tables // self.tables_per_row)

    def locate_table(self, table: int) -> tuple[int, int]:
        """Return the row from the desk and the place from the left."""
        row, place = divmod(table - 1, self.tables_per_row)
        is_back = self.is_serpentine and row % 2 == 1
        return row + 1, self.tables_per_row - place if is_back else place + 1


def build_hall_plan(event: Event, *tables: int) -> HallPlan | None:
    """Return the hall plan, extended to these ``tables``; None if no arrangement is set."""
    if not event.hall_row:
        return None
    highest_table = max(event.table_count, *tables)
    return HallPlan(tables_per_row=event.hall_row, is_serpentine=event.hall_snakes, tables=highest_table)


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
