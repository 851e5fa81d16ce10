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
from tournaments.events.presenters.names import build_full_entry_formatter, get_full_name
from tournaments.lifecycle import RoundState
from tournaments.models import Event, Round, Standings
from tournaments.rounds.presenters.rounds import RoundView, TableSide, build_round_view
from tournaments.rounds.presenters.seats import SeatRow, list_seat_rows
from tournaments.rounds.queries.phases import map_table_terms
from tournaments.rounds.queries.rounds import get_published_rounds, lineup_of
from tournaments.standings.presenters import get_counted_rounds, get_latest_snapshot
from tournaments.standings.presenters.short_list import build_rank_rows, list_shown_metrics
from tournaments.standings.presenters.table import StandingsRow
from web.names import get_surname

SHEET_LINES = range(1, 13)
"""Numbers of the hands that a sheet has room for."""

NAMES_PER_PAGE = 2, 36
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


def list_printable_rounds(event: Event, *, drafts: bool) -> list[Round]:
    """List all rounds; drafts only for those who may print them before they are published. One query."""
    rounds = event.rounds.defer("certificate", "drawn_from", "order").order_by("number")
    return list(rounds if drafts else rounds.exclude(state=RoundState.DRAFT))


def find_printable_round(event: Event, number_text: str, *, drafts: bool) -> Round | None:
    """Return the round with this number, or else the last one; None without any. One query."""
    rounds = list_printable_rounds(event, drafts=drafts)
    return next(
        (round_row for round_row in rounds if str(round_row.number) == number_text), rounds[-1] if rounds else None
    )


def get_standings_availability(event: Event) -> Mapping[str, object]:
    """Check whether there are standings (``has_ranks``) and charts (``has_charts``) to print. One query."""
    standings = Standings.objects.filter(event=event).annotate(has_ranks=~Q(rows=[]), has_charts=~Q(charts=[]))
    return standings.values("has_ranks", "has_charts").first() or {"has_ranks": False, "has_charts": False}


def list_by_table(round_row: Round) -> RoundView:
    """Return the tables and byes of a round, with full names. Two queries for a draft, six for others."""
    return build_round_view(round_row, is_public=False)


def list_by_name(round_row: Round) -> list[list[list[SeatRow]]]:
    """List everyone in a round by surname: page by page, column by column. Five queries at most."""
    rows = [replace(row, name=put_surname_first(row.name)) for row in list_seat_rows(round_row, get_full_name)]
    columns, names_per_column = NAMES_PER_PAGE
    pages = [
        rows[first : first + columns * names_per_column] for first in range(0, len(rows), columns * names_per_column)
    ]
    return [
        [page[first : first + names_per_column] for first in range(0, len(page), names_per_column)] for page in pages
    ]


def put_surname_first(name: str) -> str:
    """Put the surname first, ``Roy, Jeannine``. A single name stays as it is."""
    family_name = get_surname(name)
    start, _, end = name.rpartition(family_name)
    rest = " ".join(f"{start}{end}".split())
    return f"{family_name}, {rest}" if rest else family_name


def sheets_of(event: Event, round_row: Round, chosen: Collection[int] | None) -> list[ScoreSheet]:
    """Return the score sheets of a round by table, only for the chosen tables if any. Seven queries at most.

    Refuses: tables_not_in_round.
    """
    cards = {card.number: card for card in TableCard.objects.filter(topic=event.topic)}
    terms = map_table_terms(event, round_row, lineup_of(round_row).tables) if event.has_custom_terms else {}
    sheets = [
        ScoreSheet(
            table=table.number,
            sides=table.sides,
            place=table.place,
            card=cards.get(table.number),
            terms=terms.get(table.number),
        )
        for table in build_round_view(round_row, is_public=False).tables
        if chosen is None or table.number in chosen
    ]
    if not sheets:
        raise Refusal("tables_not_in_round", field="tables", round=round_row.number)
    return sheets


def parse_table_numbers(text: str) -> frozenset[int] | None:
    """Parse the numbers in ``1, 4-6``; None if nothing is chosen. Refuses: not_table_numbers."""
    chosen: set[int] = set()
    for part in re.split(r"[,;\s]+", re.sub(r"\s*([-–])\s*", r"\1", text.strip())):
        match = _RANGE.fullmatch(part)
        if part and match is None:
            raise Refusal("not_table_numbers", field="tables", value=text[:40])
        if match is not None:
            chosen |= set(range(int(match[1]), int(match[2] or match[1]) + 1))
    return frozenset(chosen) if text.strip() else None


def list_special_contracts(ruleset: Ruleset) -> list[Contract]:
    """List the contracts whose points are not simply their number, for the reminder on a sheet."""
    return [contract for contract in ruleset.playable if contract.number is None]


def build_standings_list(event: Event, section: str = "") -> tuple[tuple[str, ...], Sequence[StandingsRow]]:
    """Return the metrics that have a column, and the rows of all entries or of a section, with full names.
    Three queries."""
    snapshot = get_latest_snapshot(event)
    upcoming = get_counted_rounds(event, snapshot, list(get_published_rounds(event))).next_round
    rows = build_rank_rows(event, snapshot, build_full_entry_formatter, section=section, next_round=upcoming)
    return list_shown_metrics(event, snapshot, section), rows
