"""Ratings and records of a club, and the parts of a player's record, as tables."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from clubs.models import Club
from tournaments.records.presenters import (
    ClubView,
    CompanyLine,
    ContractLine,
    PersonView,
    with_public_names,
)
from tournaments.records.queries import ranked_people
from web.sheets import Sheet
from web.sheets.tables import day, number, text_column


def ratings_table(club: Club) -> Sheet:
    """Return everyone with a rank."""
    return Sheet(
        key="ratings",
        about=(club.name,),
        columns=(number("rank"), text_column("name"), number("rating"), number("margin"), number("matches")),
        rows=[
            [one.rank, name, one.rating, one.margin, one.matches]
            for one, name in with_public_names(club, ranked_people(club))
        ],
    )


def records_table(club: Club, view: ClubView | None, year: int | None) -> Sheet:
    """Return the records of all years or of one: a row for each holder."""
    return Sheet(
        key="records",
        about=(club.name, *([] if year is None else [str(year)])),
        columns=(
            text_column("record", said="feat"),
            number("number", called="how_many"),
            text_column("names", called="holders"),
            text_column("night"),
            day("day"),
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


def _nights(club: Club, view: PersonView) -> Sheet:
    return Sheet(
        key="ratings_by_night",
        about=(view.name, club.name),
        columns=(
            day("day"),
            text_column("night"),
            number("rating"),
            number("margin"),
            number("matches"),
        ),
        rows=[
            [one.event.held_on, one.event.name, one.step.rating, one.step.margin, one.step.matches]
            for one in view.nights
        ],
    )


def _years(club: Club, view: PersonView) -> Sheet:
    return Sheet(
        key="matches_by_year",
        about=(view.name, club.name),
        columns=(number("year"), number("nights"), number("won"), number("drawn"), number("lost")),
        rows=[
            [year, one.nights, one.balance.won, one.balance.drawn, one.balance.lost]
            for year, one in view.figures.years.items()
        ],
    )


def _contracts(key: str, lines: Callable[[PersonView], Sequence[ContractLine]]) -> Callable[..., Sheet]:
    return lambda club, view: Sheet(
        key=key,
        about=(view.name, club.name),
        columns=(
            text_column("contract", said="contract"),
            number("made", called="times_made"),
            number("bid", called="times_bid"),
            number("over"),
        ),
        rows=[[line.contract, line.count.made, line.count.bid, _tenths(line.over)] for line in lines(view)],
    )


def _company(key: str, lines: Callable[[PersonView], Sequence[CompanyLine]]) -> Callable[..., Sheet]:
    return lambda club, view: Sheet(
        key=key,
        about=(view.name, club.name),
        columns=(text_column("name"), number("won"), number("drawn"), number("lost")),
        rows=[[line.name, line.balance.won, line.balance.drawn, line.balance.lost] for line in lines(view)],
    )


def _tenths(over: float | None) -> Decimal | None:
    return None if over is None else Decimal(over).quantize(Decimal("0.1"))


PARTS: Mapping[str, Callable[[Club, PersonView], Sheet]] = {
    "years": _years,
    "nights": _nights,
    "contracts": _contracts("contracts", lambda view: view.contracts),
    "bids": _contracts("bids", lambda view: view.own),
    "partners": _company("partners", lambda view: view.partners),
    "opponents": _company("opponents", lambda view: view.opponents),
}
"""Parts by their name in the address: ``?part=partners``."""
