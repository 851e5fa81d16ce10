"""Spreadsheets of a federation: standings, the nights behind a line, a month, ratings and dates."""

import datetime
from collections.abc import Iterable

from web.sheets.tables import Sheet, date_column, number_column, text_column

from .models import Federation
from .presenters import DateView, GainView, LineView, RatingView, get_ladder

NIGHT_COLUMNS = (date_column("day", "night.held_on"), text_column("club", "night.club"))
GAIN_COLUMNS = (
    number_column("rank"),
    number_column("of", "night.of", heading_key="of_so_many"),
    number_column("gained"),
    text_column("counts", "is_counted", formatter="yes_or_no"),
    text_column("page", "night.page", heading_key="on_the_web"),
)
"""Columns for the points gained in one night."""


def build_ladder_sheet(federation: Federation, lines: Iterable[LineView]) -> Sheet:
    unit = get_ladder(federation).unit
    columns = (
        number_column("rank"),
        text_column("names", heading_key="pair" if unit == "pair" else "name"),
        text_column("club", "clubs"),
        *(number_column(key) for key in ("total", "nights", "bonus")),
    )
    return Sheet.from_lines("ladder", lines, columns, about=(federation.name,))


def build_line_sheet(federation: Federation, line: LineView) -> Sheet:
    """Return the points of a line, night by night. Points for taking part are in the standings table."""
    columns = (*NIGHT_COLUMNS, text_column("name", "night.name", heading_key="night"), *GAIN_COLUMNS)
    return Sheet.from_lines("nights_of_line", line.gains, columns, about=(federation.name, line.names))


def build_month_sheet(federation: Federation, month: datetime.date, lines: Iterable[GainView]) -> Sheet:
    """Return the points of everyone in every night of the month."""
    columns = (
        *NIGHT_COLUMNS,
        text_column("night", "night.name"),
        text_column("names", heading_key="name"),
        *GAIN_COLUMNS,
    )
    return Sheet.from_lines("points_of_month", lines, columns, about=(federation.name, f"{month:%Y-%m}"))


def build_ratings_sheet(federation: Federation, lines: Iterable[RatingView]) -> Sheet:
    columns = (
        number_column("rank"),
        text_column("name"),
        text_column("club", "clubs"),
        *(number_column(key) for key in ("rating", "margin", "matches")),
    )
    return Sheet.from_lines("ratings", lines, columns, about=(federation.name,))


def build_dates_sheet(federation: Federation, dates: Iterable[DateView]) -> Sheet:
    columns = (
        date_column("day"),
        text_column("starts_at", lambda date: None if date.starts_at is None else f"{date.starts_at:%H:%M}"),
        text_column("club"),
        text_column("name"),
        text_column("place"),
        text_column("state", lambda date: "cancelled" if date.is_off else "held", formatter="night_state"),
        text_column("page", heading_key="on_the_web"),
    )
    return Sheet.from_lines("calendar", dates, columns, about=(federation.name,))
