"""Arrangement of the tables in a hall: rows, counted from the desk."""

from dataclasses import dataclass

from tournaments.models import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class HallPlan:
    """``tables`` in rows of ``per_row``, numbered from left to right; if it ``snakes``, every other row is
    numbered backwards.

    >>> plan = HallPlan(per_row=4, snakes=True, tables=10)
    >>> plan.place_of(4), plan.place_of(5), plan.place_of(10), plan.rows
    ((1, 4), (2, 4), (3, 2), 3)
    """

    per_row: int
    snakes: bool
    tables: int

    @property
    def rows(self) -> int:
        return -(-self.tables // self.per_row)

    def place_of(self, table: int) -> tuple[int, int]:
        """Return the row from the desk and the place from the left."""
        row, place = divmod(table - 1, self.per_row)
        is_back = self.snakes and row % 2 == 1
        return row + 1, self.per_row - place if is_back else place + 1


def hall_plan_of(event: Event, *tables: int) -> HallPlan | None:
    """Return the hall plan, extended to these ``tables``; None if no arrangement is set."""
    if not event.hall_row:
        return None
    most = max(event.table_count, *tables)
    return HallPlan(per_row=event.hall_row, snakes=event.hall_snakes, tables=most)
