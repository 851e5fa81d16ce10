"""Attendance, by person and by night."""

from collections.abc import Iterable

from clubs.models import Club
from tournaments.attendance.presenters import AttendanceNight, AttendancePage, Period
from web.sheets.tables import Sheet, convert_to_dollars, date_column, money_column, number_column, text_column


def build_attendance_table(club: Club, period: Period, page: AttendancePage) -> Sheet:
    """Return how often each person came, and when last."""
    return Sheet(
        key="attendance",
        about=_get_file_name_parts(club, period),
        columns=(
            text_column("name"),
            text_column("guest", formatter="yes_or_no"),
            number_column("nights"),
            number_column("of", heading_key="of_so_many"),
            date_column("last_night"),
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


def build_nights_table(club: Club, period: Period, nights: Iterable[AttendanceNight]) -> Sheet:
    """Return how many people came to each night, and what they paid."""
    return Sheet(
        key="attendance_by_night",
        about=_get_file_name_parts(club, period),
        columns=(
            date_column("day"),
            text_column("night"),
            number_column("came"),
            number_column("members"),
            number_column("guests"),
            number_column("new"),
            money_column("paid"),
        ),
        rows=[
            [
                night.event.held_on,
                night.event.name,
                night.came,
                night.members,
                night.guests,
                night.new,
                convert_to_dollars(night.paid),
            ]
            for night in nights
        ],
    )


def _get_file_name_parts(club: Club, period: Period) -> tuple[str, ...]:
    return club.name, period.starts.isoformat(), period.ends.isoformat()
