"""How the tables of a hall stand: in rows, counted from the desk."""

from dataclasses import dataclass

from tournaments.models import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class HallPlan:
    """So many ``tables`` in rows of ``per_row``, counted from left to right; back in every other row where it
    ``snakes``.

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
        """In which row from the desk, and at which place from the left."""
        row, place = divmod(table - 1, self.per_row)
        is_back = self.snakes and row % 2 == 1
        return row + 1, self.per_row - place if is_back else place + 1


def hall_plan_of(event: Event, *tables: int) -> HallPlan | None:
    """With room for these ``tables``, whatever was planned; None where nobody has said how they stand."""
    if not event.hall_row:
        return None
    most = max(event.table_count, *tables)
    return HallPlan(per_row=event.hall_row, snakes=event.hall_snakes, tables=most)
