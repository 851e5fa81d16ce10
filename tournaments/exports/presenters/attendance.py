"""Attendance, by person and by night."""

from collections.abc import Iterable

from clubs.models import Club
from tournaments.attendance.presenters import AttendanceNight, AttendancePage, Period
from web.sheets.tables import Sheet, date_column, money_column, number_column, text_column


def build_attendance_table(club: Club, period: Period, page: AttendancePage) -> Sheet:
    """Return how often each person came, and when last."""
    columns = (
        text_column("name", "person.name"),
        text_column("guest", "person.is_guest", formatter="yes_or_no"),
        number_column("nights", lambda line: len(line.nights)),
        number_column("of", lambda _: page.of, heading_key="of_so_many"),
        date_column("last_night", lambda line: line.nights[0].held_on if line.nights else None),
    )
    return Sheet.from_lines("attendance", page.lines, columns, about=_get_file_name_parts(club, period))


def build_nights_table(club: Club, period: Period, nights: Iterable[AttendanceNight]) -> Sheet:
    """Return how many people came to each night, and what they paid."""
    columns = (
        date_column("day", "event.held_on"),
        text_column("night", "event.name"),
        *(number_column(key) for key in ("came", "members", "guests", "new")),
        money_column("paid"),
    )
    return Sheet.from_lines("attendance_by_night", nights, columns, about=_get_file_name_parts(club, period))


def _get_file_name_parts(club: Club, period: Period) -> tuple[str, ...]:
    return club.name, period.starts.isoformat(), period.ends.isoformat()
