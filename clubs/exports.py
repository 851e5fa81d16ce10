"""Tables for download from a club's pages."""

from collections.abc import Iterable, Sequence
from zoneinfo import ZoneInfo

from web.sheets.tables import Sheet, date_column, money_column, text_column

from .audit.filters import ChangeLine
from .models import Club, DuesPeriod, Membership, Person


def build_history_table(lines: Iterable[ChangeLine], *, club: Club, subject_name: str) -> Sheet:
    """Return a table of history lines, with times in the club's time zone."""
    zone = ZoneInfo(club.time_zone)
    columns = (
        date_column("day", lambda line: line.when.astimezone(zone).date()),
        text_column("hour", lambda line: f"{line.when.astimezone(zone):%H:%M}"),
        text_column("what", lambda line: line, formatter="action"),
        text_column("done_by", "who"),
        text_column("origin"),
        text_column("reason"),
        text_column("undone", "is_undone", formatter="yes_or_no"),
    )
    return Sheet.from_lines("history", lines, columns, about=(subject_name,))


def build_people_table(club: Club, people: Sequence[Person]) -> Sheet:
    """Return a table of people, with headings that an import understands."""
    columns = (
        text_column("name"),
        text_column("contact"),
        text_column("family", lambda person: "" if person.family is None else person.family.name),
        text_column("guest", "is_guest", formatter="yes_or_no"),
        text_column("labels", lambda person: ", ".join(person.labels)),
    )
    return Sheet.from_lines("people", people, columns, about=(club.name,))


def build_dues_table(club: Club, periods: Iterable[DuesPeriod]) -> Sheet:
    """Return a table of dues periods and amounts."""
    columns = (
        text_column("name", heading_key="dues_of"),
        money_column("amount"),
        date_column("starts"),
        date_column("ends"),
    )
    return Sheet.from_lines("dues", periods, columns, about=(club.name,))


def build_team_table(club: Club, members: Iterable[Membership]) -> Sheet:
    """Return a table of the team: role, since when, and whether six digits are asked for after
    the password."""
    zone = ZoneInfo(club.time_zone)
    columns = (
        text_column("name", "account.name"),
        text_column("role", lambda member: str(member.role), formatter="role"),
        date_column("since", lambda member: member.since.astimezone(zone).date()),
        text_column("six_digits", "account.has_second_factor", formatter="yes_or_no"),
    )
    return Sheet.from_lines("team", members, columns, about=(club.name,))


def build_clubs_table(clubs: Iterable[Club]) -> Sheet:
    """Return a table of the installation's clubs with their slugs."""
    return Sheet.from_lines("clubs", clubs, (text_column("name", heading_key="club"), text_column("slug")))
