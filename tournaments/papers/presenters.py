"""Presenters of papers for the hall: lists of a round, score sheets and the standings, with full names."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Q

from engine.charts import MatchPlace
from engine.phases import MatchTerms
from errors import Refusal
from rules import Contract, Ruleset
from scoring.models import TableCard
from tournaments.events.presenters.names import entries_named_in_full, full_name
from tournaments.lifecycle import RoundState
from tournaments.models import Event, Round, Standings
from tournaments.rounds.presenters.rounds import RoundView, TableSide, round_view
from tournaments.rounds.presenters.seats import SeatRow, seat_rows
from tournaments.rounds.queries.phases import terms_by_table
from tournaments.rounds.queries.rounds import rounds_of
from tournaments.rounds.queries.seatings import lineup_of
from tournaments.standings.presenters import latest_snapshot, rounds_counted
from tournaments.standings.presenters.short_list import RankRow, metrics_in_columns, rank_rows
from web.names import surname

LINES = range(1, 13)
"""Numbers of the hands that a sheet has room for."""

NAMES_ON_A_PAGE = 2, 36
"""Columns on a page, and names in each, which fit both Letter and A4."""

_RANGE = re.compile(r"([0-9]{1,5})(?:[-–]([0-9]{1,5}))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSheet:
    """A score sheet of a table, with its ``card`` and the ``terms`` of its phase; blank without a table."""

    table: int | None = None
    sides: Sequence[TableSide] = ()
    place: MatchPlace | None = None
    card: TableCard | None = None
    terms: MatchTerms | None = None


def printable_rounds(event: Event, *, drafts: bool) -> list[Round]:
    """List all rounds; drafts only for those who may print them before they are published. One query."""
    rounds = event.rounds.defer("certificate", "drawn_from", "order").order_by("number")
    return list(rounds if drafts else rounds.exclude(state=RoundState.DRAFT))


def printed_round(event: Event, asked: str, *, drafts: bool) -> Round | None:
    """Return the round with this number, or else the last one; None without any. One query."""
    rounds = printable_rounds(event, drafts=drafts)
    return next((one for one in rounds if str(one.number) == asked), rounds[-1] if rounds else None)


def standings_freshness(event: Event) -> Mapping[str, object]:
    """Check whether there are standings (``has_ranks``) and charts (``has_charts``) to print. One query."""
    found = Standings.objects.filter(event=event).annotate(has_ranks=~Q(rows=[]), has_charts=~Q(charts=[]))
    return found.values("has_ranks", "has_charts").first() or {"has_ranks": False, "has_charts": False}


def list_by_table(drawn: Round) -> RoundView:
    """Return the tables and byes of a round, with full names. Two queries for a draft, six for others."""
    return round_view(drawn, is_public=False)


def list_by_name(drawn: Round) -> list[list[list[SeatRow]]]:
    """List everyone in a round by surname: page by page, column by column. Five queries at most."""
    rows = [replace(row, name=surname_first(row.name)) for row in seat_rows(drawn, full_name)]
    columns, most = NAMES_ON_A_PAGE
    pages = [rows[first : first + columns * most] for first in range(0, len(rows), columns * most)]
    return [[page[first : first + most] for first in range(0, len(page), most)] for page in pages]


def surname_first(name: str) -> str:
    """Put the surname first, ``Roy, Jeannine``. A single name stays as it is."""
    last = surname(name)
    before, _, after = name.rpartition(last)
    rest = " ".join(f"{before}{after}".split())
    return f"{last}, {rest}" if rest else last


def sheets_of(event: Event, drawn: Round, chosen: Collection[int] | None) -> list[ScoreSheet]:
    """Return the score sheets of a round by table, only for the chosen tables if any. Seven queries at most.

    Refuses: tables_not_in_round.
    """
    cards = {card.number: card for card in TableCard.objects.filter(topic=event.topic)}
    terms = terms_by_table(event, drawn, lineup_of(drawn).tables) if event.has_own_terms else {}
    sheets = [
        ScoreSheet(
            table=table.number,
            sides=table.sides,
            place=table.place,
            card=cards.get(table.number),
            terms=terms.get(table.number),
        )
        for table in round_view(drawn, is_public=False).tables
        if chosen is None or table.number in chosen
    ]
    if not sheets:
        raise Refusal("tables_not_in_round", field="tables", round=drawn.number)
    return sheets


def chosen_tables(text: str) -> frozenset[int] | None:
    """Parse the numbers in ``1, 4-6``; None if nothing is chosen. Refuses: not_table_numbers."""
    chosen: set[int] = set()
    for part in re.split(r"[,;\s]+", re.sub(r"\s*([-–])\s*", r"\1", text.strip())):
        found = _RANGE.fullmatch(part)
        if part and found is None:
            raise Refusal("not_table_numbers", field="tables", value=text[:40])
        if found is not None:
            chosen |= set(range(int(found[1]), int(found[2] or found[1]) + 1))
    return frozenset(chosen) if text.strip() else None


def contracts_in_brief(ruleset: Ruleset) -> list[Contract]:
    """List the contracts whose points are not simply their number, for the reminder on a sheet."""
    return [contract for contract in ruleset.playable if contract.number is None]


def standings_list(event: Event, section: str = "") -> tuple[tuple[str, ...], list[RankRow]]:
    """Return the metrics that have a column, and the rows of all entries or of a section, with full names.
    Three queries."""
    kept = latest_snapshot(event)
    coming = rounds_counted(event, kept, list(rounds_of(event))).coming
    rows = rank_rows(event, kept, entries_named_in_full, section=section, coming=coming)
    return metrics_in_columns(event, kept), rows
