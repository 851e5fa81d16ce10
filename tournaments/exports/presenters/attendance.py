"""Attendance, by person and by night."""

from collections.abc import Iterable

from clubs.models import Club
from tournaments.attendance.presenters import AttendanceNight, AttendancePage, Period
from web.sheets import Sheet
from web.sheets.tables import day, dollars, money, number, text_column


def attendance_table(club: Club, period: Period, page: AttendancePage) -> Sheet:
    """Return how often each person came, and when last."""
    return Sheet(
        key="attendance",
        about=_about(club, period),
        columns=(
            text_column("name"),
            text_column("guest", said="yes_or_no"),
            number("nights"),
            number("of", called="of_so_many"),
            day("last_night"),
        ),
        rows=[
            [
                line.person.name,
                line.person.is_guest,
                len(line.nights),
                page.of,
                line.nights[0].held_on if line.nights else None,
            ]
            for line in page.lines
        ],
    )


def nights_table(club: Club, period: Period, nights: Iterable[AttendanceNight]) -> Sheet:
    """Return how many people came to each night, and what they paid."""
    return Sheet(
        key="attendance_by_night",
        about=_about(club, period),
        columns=(
            day("day"),
            text_column("night"),
            number("came"),
            number("members"),
            number("guests"),
            number("new"),
            money("paid"),
        ),
        rows=[
            [
                night.event.held_on,
                night.event.name,
                night.came,
                night.members,
                night.guests,
                night.new,
                dollars(night.paid),
            ]
            for night in nights
        ],
    )


def _about(club: Club, period: Period) -> tuple[str, ...]:
    return club.name, period.starts.isoformat(), period.ends.isoformat()
