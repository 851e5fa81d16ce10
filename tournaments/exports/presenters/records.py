"""Ratings and records of a club, and the parts of a player's record, as tables."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from clubs.models import Club
from tournaments.records.presenters import ClubView, PersonView, iter_with_public_names
from tournaments.records.queries import select_ranked_people
from web.sheets.tables import Sheet, SheetColumn, date_column, number_column, text_column


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
