"""Tables for download from a club's pages."""

from collections.abc import Iterable, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from web.sheets.tables import Sheet, convert_to_dollars, date_column, money_column, text_column

from .audit.filters import ChangeLine
from .models import Club, DuesPeriod, Membership, Person


def build_history_table(lines: Iterable[ChangeLine], *, club: Club, subject_name: str) -> Sheet:
    """Return a table of history lines, with times in the club's time zone."""
    rows: list[list[Any]] = []
    for line in lines:
        local_time = line.when.astimezone(ZoneInfo(club.time_zone))
        rows.append(
            [local_time.date(), f"{local_time:%H:%M}", line, line.who, line.origin, line.reason, line.is_undone]
        )
    return Sheet(
        key="history",
        about=(subject_name,),
        columns=(
            date_column("day"),
            text_column("hour"),
            text_column("what", formatter="action"),
            text_column("done_by"),
            text_column("origin"),
            text_column("reason"),
            text_column("undone", formatter="yes_or_no"),
        ),
        rows=rows,
    )


def build_people_table(club: Club, people: Sequence[Person]) -> Sheet:
    """Return a table of people, with headings that an import understands."""
    return Sheet(
        key="people",
        about=(club.name,),
        columns=(
            text_column("name"),
            text_column("contact"),
            text_column("family"),
            text_column("guest", formatter="yes_or_no"),
            text_column("labels"),
        ),
        rows=[
            [
                person.name,
                person.contact,
                "" if person.family is None else person.family.name,
                person.is_guest,
                ", ".join(person.labels),
            ]
            for person in people
        ],
    )


def build_dues_table(club: Club, periods: Iterable[DuesPeriod]) -> Sheet:
    """Return a table of dues periods and amounts."""
    return Sheet(
        key="dues",
        about=(club.name,),
        columns=(
            text_column("name", heading_key="dues_of"),
            money_column("amount"),
            date_column("starts"),
            date_column("ends"),
        ),
        rows=[[period.name, convert_to_dollars(period.amount), period.starts, period.ends] for period in periods],
    )


def build_team_table(club: Club, members: Iterable[Membership]) -> Sheet:
    """Return a table of the team: role, since when, and whether six digits are asked for after
    the password."""
    zone = ZoneInfo(club.time_zone)
    return Sheet(
        key="team",
        about=(club.name,),
        columns=(
            text_column("name"),
            text_column("role", formatter="role"),
            date_column("since"),
            text_column("six_digits", formatter="yes_or_no"),
        ),
        rows=[
            [
                member.account.name,
                str(member.role),
                member.since.astimezone(zone).date(),
                member.account.has_second_factor,
            ]
            for member in members
        ],
    )


def build_clubs_table(clubs: Iterable[Club]) -> Sheet:
    """Return a table of the installation's clubs with their slugs."""
    return Sheet(
        key="clubs",
        columns=(text_column("name", heading_key="club"), text_column("slug")),
        rows=[[club.name, club.slug] for club in clubs],
    )
