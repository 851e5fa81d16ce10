"""Tables of a club to export: calendar, seasons, records, attendance and night templates."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, time
from decimal import Decimal
from typing import Any

from clubs.models import Club, UsualNight
from tournaments.agenda.queries import AgendaLine
from tournaments.attendance.presenters import AttendanceNight, AttendancePage, Period
from tournaments.events.event_settings import event_settings_from_json
from tournaments.models import Season
from tournaments.records.presenters import ClubView, PersonView, iter_with_public_names
from tournaments.records.queries import select_ranked_people
from tournaments.seasons.presenters import LadderLineView, LadderView, NightView
from web.sheets.tables import Sheet, SheetColumn, date_column, money_column, number_column, text_column


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


def build_seasons_table(club: Club, seasons: Iterable[Season]) -> Sheet:
    """Return the seasons, each with its club: a series may belong to another club."""
    columns = (
        text_column("name", heading_key="season"),
        date_column("starts"),
        date_column("ends"),
        text_column("club", "club.name"),
        number_column("season_id", "pk"),
    )
    return Sheet.from_lines("seasons", seasons, columns, about=(club.name,))


def build_ladder_table(season: Season, view: LadderView) -> Sheet:
    """Return the lines of the page, which are only the first ones of very long standings."""
    unit = str(view.ladder.unit)
    columns = (
        number_column("rank"),
        text_column("names", heading_key=unit if unit in ("club", "pair") else "name"),
        *(number_column(key) for key in ("total", "nights", "bonus")),
    )
    return Sheet.from_lines("ladder", view.lines, columns, about=(season.name, view.ladder.name))


def build_line_table(season: Season, line: LadderLineView, nights: Sequence[NightView]) -> Sheet:
    """Return the points of a line, night by night. Points for taking part are in the standings table."""
    columns = (
        date_column("day", lambda night: None if night.event is None else night.event.held_on),
        text_column("name", lambda night: None if night.event is None else night.event.name, heading_key="night"),
        number_column("rank", "score.rank"),
        number_column("of", "score.of", heading_key="of_so_many"),
        number_column("gained", "score.gained"),
        text_column("counts", "score.is_counted", formatter="yes_or_no"),
    )
    return Sheet.from_lines("nights_of_line", nights, columns, about=(season.name, line.names))


def build_ratings_table(club: Club) -> Sheet:
    """Return everyone with a rank."""
    names = dict(iter_with_public_names(club, select_ranked_people(club)))
    columns = (
        number_column("rank"),
        text_column("name", names.get),
        *(number_column(key) for key in ("rating", "margin", "matches")),
    )
    return Sheet.from_lines("ratings", names, columns, about=(club.name,))


def build_records_table(club: Club, view: ClubView | None, year: int | None) -> Sheet:
    """Return the records of all years or of one: a row for each holder."""
    return Sheet(
        key="records",
        about=(club.name, *([] if year is None else [str(year)])),
        columns=(
            text_column("record", formatter="feat"),
            number_column("number", heading_key="how_many"),
            text_column("names", heading_key="holders"),
            text_column("night"),
            date_column("day"),
        ),
        rows=[]
        if view is None
        else [
            [
                feat.kind,
                feat.number,
                holder.names,
                None if holder.event is None else holder.event.name,
                None if holder.event is None else holder.event.held_on,
            ]
            for feat in view.feats
            for holder in feat.holders
        ],
    )


def _round_to_tenths(value: float | None) -> Decimal | None:
    return None if value is None else Decimal(value).quantize(Decimal("0.1"))


NIGHT_COLUMNS = (
    date_column("day", "event.held_on"),
    text_column("night", "event.name"),
    *(number_column(key, f"step.{key}") for key in ("rating", "margin", "matches")),
)
YEAR_COLUMNS = (
    number_column("year", lambda line: line[0]),
    number_column("nights", lambda line: line[1].nights),
    number_column("won", lambda line: line[1].balance.won),
    number_column("drawn", lambda line: line[1].balance.drawn),
    number_column("lost", lambda line: line[1].balance.lost),
)
CONTRACT_COLUMNS = (
    text_column("contract", formatter="contract"),
    number_column("made", "count.made", heading_key="times_made"),
    number_column("bid", "count.bid", heading_key="times_bid"),
    number_column("over", lambda line: _round_to_tenths(line.over)),
)
COMPANY_COLUMNS = (text_column("name"), *(number_column(key, f"balance.{key}") for key in ("won", "drawn", "lost")))


def _make_builder(
    key: str, columns: tuple[SheetColumn, ...], get_lines: Callable[[PersonView], Any]
) -> Callable[[Club, PersonView], Sheet]:
    return lambda club, view: Sheet.from_lines(key, get_lines(view), columns, about=(view.name, club.name))


PART_BUILDERS: Mapping[str, Callable[[Club, PersonView], Sheet]] = {
    "years": _make_builder("matches_by_year", YEAR_COLUMNS, lambda view: view.figures.years.items()),
    "nights": _make_builder("ratings_by_night", NIGHT_COLUMNS, lambda view: view.nights),
    "contracts": _make_builder("contracts", CONTRACT_COLUMNS, lambda view: view.contracts),
    "bids": _make_builder("bids", CONTRACT_COLUMNS, lambda view: view.own),
    "partners": _make_builder("partners", COMPANY_COLUMNS, lambda view: view.partners),
    "opponents": _make_builder("opponents", COMPANY_COLUMNS, lambda view: view.opponents),
}
"""Parts by their name in the address: ``?part=partners``."""


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


def build_night_templates_table(club: Club, templates: Iterable[UsualNight]) -> Sheet:
    """Return each night template with its rules, tables and fees."""
    lines = [{"name": each.name, "settings": event_settings_from_json(each.settings)} for each in templates]
    columns = (
        text_column("name", lambda line: line["name"], heading_key="night"),
        text_column("ruleset", lambda line: line["settings"].ruleset.key, formatter="ruleset"),
        text_column("rules_name", lambda line: line["settings"].rules_name),
        text_column("draw", lambda line: line["settings"].plan[0].format, formatter="draw_format"),
        number_column("tables", lambda line: line["settings"].table_count),
        money_column("member_fee", lambda line: line["settings"].rates.member),
        money_column("guest_fee", lambda line: line["settings"].rates.guest),
    )
    return Sheet.from_lines("usual_nights", lines, columns, about=(club.name,))
