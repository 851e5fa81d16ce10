"""Upcoming nights and events of a club as a table, a row for each day."""

from collections.abc import Iterable
from typing import Any

from clubs.models import Club
from tournaments.agenda.queries import AgendaLine
from web.sheets.tables import Sheet, date_column, text_column


def build_calendar_table(club: Club, lines: Iterable[AgendaLine]) -> Sheet:
    """Return the nights and events. A postponed night appears on both days. ``slug`` is the end of an event's
    address, once created."""
    return Sheet(
        key="calendar",
        about=(club.name,),
        columns=(
            date_column("day"),
            date_column("last_day"),
            text_column("name"),
            text_column("starts_at"),
            text_column("ends_at"),
            text_column("place"),
            text_column("club"),
            text_column("state", formatter="night_state"),
            date_column("other_day"),
            text_column("reason"),
            text_column("slug"),
        ),
        rows=[_build_row(club, line) for line in lines],
    )


def _build_row(club: Club, line: AgendaLine) -> list[Any]:
    held_night, other_day, (starts_at, ends_at) = line.held, None, line.hours
    if held_night is not None and held_night.is_moved:
        other_day = held_night.held_on if line.is_put_off else held_night.planned_on
    return [
        line.day,
        None if line.days[0] == line.days[1] else line.days[1],
        line.name,
        "" if starts_at is None else f"{starts_at:%H:%M}",
        "" if ends_at is None else f"{ends_at:%H:%M}",
        line.place,
        club.name if line.event is None else line.event.club.name,
        "put_off" if line.is_put_off else "cancelled" if line.is_cancelled else "held",
        other_day,
        line.reason,
        "" if line.event is None else line.event.short,
    ]
