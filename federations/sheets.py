"""Spreadsheets of a federation: standings, the nights behind a line, a month, ratings and dates."""

import datetime
from collections.abc import Iterable
from typing import Any

from web.sheets.tables import Sheet, date_column, number_column, text_column

from .models import Federation
from .presenters import DateView, GainView, LineView, MonthLine, RatingView, get_ladder

GAIN_COLUMNS = (
    number_column("rank"),
    number_column("of", heading_key="of_so_many"),
    number_column("gained"),
    text_column("counts", formatter="yes_or_no"),
    text_column("page", heading_key="on_the_web"),
)
"""Columns for the points gained in one night; ``_build_gain_cells`` gives their cells."""


def build_ladder_sheet(federation: Federation, lines: Iterable[LineView]) -> Sheet:
    unit = get_ladder(federation).unit
    return Sheet(
        key="ladder",
        about=(federation.name,),
        columns=(
            number_column("rank"),
            text_column("names", heading_key="pair" if unit == "pair" else "name"),
            text_column("club"),
            number_column("total"),
            number_column("nights"),
            number_column("bonus"),
        ),
        rows=[[line.rank, line.names, line.clubs, line.total, line.nights, line.bonus] for line in lines],
    )


def build_line_sheet(federation: Federation, line: LineView) -> Sheet:
    """Return the points of a line, night by night. Points for taking part are in the standings table."""
    return Sheet(
        key="nights_of_line",
        about=(federation.name, line.names),
        columns=(
            date_column("day"),
            text_column("club"),
            text_column("name", heading_key="night"),
            *GAIN_COLUMNS,
        ),
        rows=[[gain.night.held_on, gain.night.club, gain.night.name, *_build_gain_cells(gain)] for gain in line.gains],
    )


def _build_gain_cells(gain: GainView | MonthLine) -> list[Any]:
    return [gain.rank, gain.night.of, gain.gained, gain.is_counted, gain.night.page]


def build_month_sheet(federation: Federation, month: datetime.date, lines: Iterable[MonthLine]) -> Sheet:
    """Return the points of everyone in every night of the month."""
    return Sheet(
        key="points_of_month",
        about=(federation.name, f"{month:%Y-%m}"),
        columns=(
            date_column("day"),
            text_column("club"),
            text_column("night"),
            text_column("names", heading_key="name"),
            *GAIN_COLUMNS,
        ),
        rows=[
            [line.night.held_on, line.night.club, line.night.name, line.names, *_build_gain_cells(line)]
            for line in lines
        ],
    )


def build_ratings_sheet(federation: Federation, lines: Iterable[RatingView]) -> Sheet:
    return Sheet(
        key="ratings",
        about=(federation.name,),
        columns=(
            number_column("rank"),
            text_column("name"),
            text_column("club"),
            number_column("rating"),
            number_column("margin"),
            number_column("matches"),
        ),
        rows=[[line.rank, line.name, line.clubs, line.rating, line.margin, line.matches] for line in lines],
    )


def build_dates_sheet(federation: Federation, dates: Iterable[DateView]) -> Sheet:
    return Sheet(
        key="calendar",
        about=(federation.name,),
        columns=(
            date_column("day"),
            text_column("starts_at"),
            text_column("club"),
            text_column("name"),
            text_column("place"),
            text_column("state", formatter="night_state"),
            text_column("page", heading_key="on_the_web"),
        ),
        rows=[
            [
                date.day,
                None if date.starts_at is None else f"{date.starts_at:%H:%M}",
                date.club,
                date.name,
                date.place,
                "cancelled" if date.is_off else "held",
                date.page,
            ]
            for date in dates
        ],
    )
