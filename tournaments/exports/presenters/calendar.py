"""Upcoming nights and events of a club as a table, a row for each day."""

from collections.abc import Iterable
from datetime import date, time

from clubs.models import Club
from tournaments.agenda.queries import AgendaLine
from web.sheets.tables import Sheet, date_column, text_column


def build_calendar_table(club: Club, lines: Iterable[AgendaLine]) -> Sheet:
    """Return the nights and events. A postponed night appears on both days. ``slug`` is the end of an event's
    address, once created."""
    columns = (
        date_column("day"),
        date_column("last_day", lambda line: None if line.days[0] == line.days[1] else line.days[1]),
        text_column("name"),
        text_column("starts_at", lambda line: _format_hour(line.hours[0])),
        text_column("ends_at", lambda line: _format_hour(line.hours[1])),
        text_column("place"),
        text_column("club", lambda line: club.name if line.event is None else line.event.club.name),
        text_column("state", _get_state, formatter="night_state"),
        date_column("other_day", _find_other_day),
        text_column("reason"),
        text_column("slug", lambda line: "" if line.event is None else line.event.short),
    )
    return Sheet.from_lines("calendar", lines, columns, about=(club.name,))


def _format_hour(hour: time | None) -> str:
    return "" if hour is None else f"{hour:%H:%M}"


def _get_state(line: AgendaLine) -> str:
    return "put_off" if line.is_put_off else "cancelled" if line.is_cancelled else "held"


def _find_other_day(line: AgendaLine) -> date | None:
    """Return the day to which the night was moved, or from which."""
    if line.held is None or not line.held.is_moved:
        return None
    return line.held.held_on if line.is_put_off else line.held.planned_on
