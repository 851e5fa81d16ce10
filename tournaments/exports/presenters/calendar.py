"""Upcoming nights and events of a club as a table, a row for each day."""

from collections.abc import Iterable
from typing import Any

from clubs.models import Club
from tournaments.agenda.queries import AgendaLine
from web.sheets import Sheet
from web.sheets.tables import day, text_column


def calendar_table(club: Club, lines: Iterable[AgendaLine]) -> Sheet:
    """Return the nights and events. A postponed night appears on both days. ``slug`` is the end of an event's
    address, once created."""
    return Sheet(
        key="calendar",
        about=(club.name,),
        columns=(
            day("day"),
            day("last_day"),
            text_column("name"),
            text_column("starts_at"),
            text_column("ends_at"),
            text_column("place"),
            text_column("club"),
            text_column("state", said="night_state"),
            day("other_day"),
            text_column("reason"),
            text_column("slug"),
        ),
        rows=[_row(club, line) for line in lines],
    )


def _row(club: Club, line: AgendaLine) -> list[Any]:
    held, other, (starts_at, ends_at) = line.held, None, line.hours
    if held is not None and held.is_moved:
        other = held.held_on if line.is_put_off else held.planned_on
    return [
        line.day,
        None if line.days[0] == line.days[1] else line.days[1],
        line.name,
        "" if starts_at is None else f"{starts_at:%H:%M}",
        "" if ends_at is None else f"{ends_at:%H:%M}",
        line.place,
        club.name if line.event is None else line.event.club.name,
        "put_off" if line.is_put_off else "cancelled" if line.is_cancelled else "held",
        other,
        line.reason,
        "" if line.event is None else line.event.short,
    ]
