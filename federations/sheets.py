"""Spreadsheets of a federation: standings, the nights behind a line, a month, ratings and dates."""

import datetime
from collections.abc import Iterable
from typing import Any

from web.sheets import Sheet
from web.sheets.tables import day, number, text_column

from .models import Federation
from .presenters import DateView, GainView, LineView, MonthLine, RatingView, ladder_of

BROUGHT = (
    number("rank"),
    number("of", called="of_so_many"),
    number("gained"),
    text_column("counts", said="yes_or_no"),
    text_column("page", called="on_the_web"),
)
"""Columns for the points gained in one night; ``_cells_of_gain`` gives their cells."""


def ladder_table(federation: Federation, lines: Iterable[LineView]) -> Sheet:
    unit = ladder_of(federation).unit
    return Sheet(
        key="ladder",
        about=(federation.name,),
        columns=(
            number("rank"),
            text_column("names", called="pair" if unit == "pair" else "name"),
            text_column("club"),
            number("total"),
            number("nights"),
            number("bonus"),
        ),
        rows=[[line.rank, line.names, line.clubs, line.total, line.nights, line.bonus] for line in lines],
    )


def line_table(federation: Federation, line: LineView) -> Sheet:
    """Return the points of a line, night by night. Points for taking part are in the standings table."""
    return Sheet(
        key="nights_of_line",
        about=(federation.name, line.names),
        columns=(
            day("day"),
            text_column("club"),
            text_column("name", called="night"),
            *BROUGHT,
        ),
        rows=[
            [gain.night.held_on, gain.night.club, gain.night.name, *_cells_of_gain(gain)]
            for gain in line.gains
        ],
    )


def _cells_of_gain(gain: GainView | MonthLine) -> list[Any]:
    return [gain.rank, gain.night.of, gain.gained, gain.is_counted, gain.night.page]


def month_table(federation: Federation, month: datetime.date, lines: Iterable[MonthLine]) -> Sheet:
    """Return the points of everyone in every night of the month."""
    return Sheet(
        key="points_of_month",
        about=(federation.name, f"{month:%Y-%m}"),
        columns=(
            day("day"),
            text_column("club"),
            text_column("night"),
            text_column("names", called="name"),
            *BROUGHT,
        ),
        rows=[
            [line.night.held_on, line.night.club, line.night.name, line.names, *_cells_of_gain(line)]
            for line in lines
        ],
    )


def ratings_table(federation: Federation, lines: Iterable[RatingView]) -> Sheet:
    return Sheet(
        key="ratings",
        about=(federation.name,),
        columns=(
            number("rank"),
            text_column("name"),
            text_column("club"),
            number("rating"),
            number("margin"),
            number("matches"),
        ),
        rows=[[line.rank, line.name, line.clubs, line.rating, line.margin, line.matches] for line in lines],
    )


def dates_table(federation: Federation, dates: Iterable[DateView]) -> Sheet:
    return Sheet(
        key="calendar",
        about=(federation.name,),
        columns=(
            day("day"),
            text_column("starts_at"),
            text_column("club"),
            text_column("name"),
            text_column("place"),
            text_column("state", said="night_state"),
            text_column("page", called="on_the_web"),
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
