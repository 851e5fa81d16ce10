"""Arrangement of the tables in a hall: rows, counted from the desk."""

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
