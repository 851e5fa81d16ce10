"""Ratings and records of a club, and the parts of a player's record, as tables."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from clubs.models import Club
from tournaments.records.presenters import (
    ClubView,
    ContractLine,
    OpponentLine,
    PersonView,
    iter_with_public_names,
)
from tournaments.records.queries import select_ranked_people
from web.sheets.tables import Sheet, date_column, number_column, text_column


def build_ratings_table(club: Club) -> Sheet:
    """Return everyone with a rank."""
    return Sheet(
        key="ratings",
        about=(club.name,),
        columns=(
            number_column("rank"),
            text_column("name"),
            number_column("rating"),
            number_column("margin"),
            number_column("matches"),
        ),
        rows=[
            [record.rank, name, record.rating, record.margin, record.matches]
            for record, name in iter_with_public_names(club, select_ranked_people(club))
        ],
    )


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


def _build_nights_table(club: Club, view: PersonView) -> Sheet:
    return Sheet(
        key="ratings_by_night",
        about=(view.name, club.name),
        columns=(
            date_column("day"),
            text_column("night"),
            number_column("rating"),
            number_column("margin"),
            number_column("matches"),
        ),
        rows=[
            [night.event.held_on, night.event.name, night.step.rating, night.step.margin, night.step.matches]
            for night in view.nights
        ],
    )


def _build_years_table(club: Club, view: PersonView) -> Sheet:
    return Sheet(
        key="matches_by_year",
        about=(view.name, club.name),
        columns=(
            number_column("year"),
            number_column("nights"),
            number_column("won"),
            number_column("drawn"),
            number_column("lost"),
        ),
        rows=[
            [year, figures.nights, figures.balance.won, figures.balance.drawn, figures.balance.lost]
            for year, figures in view.figures.years.items()
        ],
    )


def _make_contracts_builder(key: str, lines: Callable[[PersonView], Sequence[ContractLine]]) -> Callable[..., Sheet]:
    return lambda club, view: Sheet(
        key=key,
        about=(view.name, club.name),
        columns=(
            text_column("contract", formatter="contract"),
            number_column("made", heading_key="times_made"),
            number_column("bid", heading_key="times_bid"),
            number_column("over"),
        ),
        rows=[[line.contract, line.count.made, line.count.bid, _round_to_tenths(line.over)] for line in lines(view)],
    )


def _make_company_builder(key: str, lines: Callable[[PersonView], Sequence[OpponentLine]]) -> Callable[..., Sheet]:
    return lambda club, view: Sheet(
        key=key,
        about=(view.name, club.name),
        columns=(text_column("name"), number_column("won"), number_column("drawn"), number_column("lost")),
        rows=[[line.name, line.balance.won, line.balance.drawn, line.balance.lost] for line in lines(view)],
    )


def _round_to_tenths(value: float | None) -> Decimal | None:
    return None if value is None else Decimal(value).quantize(Decimal("0.1"))


PART_BUILDERS: Mapping[str, Callable[[Club, PersonView], Sheet]] = {
    "years": _build_years_table,
    "nights": _build_nights_table,
    "contracts": _make_contracts_builder("contracts", lambda view: view.contracts),
    "bids": _make_contracts_builder("bids", lambda view: view.own),
    "partners": _make_company_builder("partners", lambda view: view.partners),
    "opponents": _make_company_builder("opponents", lambda view: view.opponents),
}
"""Parts by their name in the address: ``?part=partners``."""
