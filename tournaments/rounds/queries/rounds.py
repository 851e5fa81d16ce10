"""Rounds of an event, with their tables and seats."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from engine.draws import DrawnBye, DrawnTable, EntryId
from engine.draws.lineups import Lineup, lineup_from_json, reasons_from_json
from engine.draws.stages import is_bracket_slot
from engine.results import ByeReason, get_bye_reason
from engine.visibility import Ranks
from rules import Side, TieRule
from scoring.fold import fold_match, load_log
from scoring.models import Dispute, Player
from tournaments.lifecycle import RoundState
from tournaments.models import PROOFS, Entry, Event, Round, Ruling, Seating, Table


def lineup_of(round_row: Round, *, tables: Collection[int] | None = None) -> Lineup:
    """Return the tables and byes of a round; of a published one, optionally only the ``tables`` of these
    numbers. No query for a draft, one for others."""
    if round_row.draft is not None:
        return lineup_from_json(round_row.draft)
    tables_by_number: dict[int, Table] = {}
    sides: dict[tuple[int, int], list[EntryId]] = defaultdict(list)
    byes = []
    condition = Q() if tables is None else Q(table=None) | Q(table__number__in=tables)
    rows = round_row.seatings.filter(condition).select_related("table")
    for seating in rows.order_by("table__number", "side", "place", "pk"):
        entry = EntryId(seating.entry_id)
        if seating.table is None or seating.side is None:
            byes.append(DrawnBye(entry=entry, slot=seating.slot, reasons=reasons_from_json(seating.reasons)))
        else:
            tables_by_number[seating.table.number] = seating.table
            sides[seating.table.number, seating.side].append(entry)
    drawn_tables = (
        DrawnTable(
            number=number,
            a=tuple(sides[number, Side.A]),
            b=tuple(sides[number, Side.B]),
            slot=table.slot,
            reasons=reasons_from_json(table.reasons),
        )
        for number, table in tables_by_number.items()
    )
    return Lineup(tables=tuple(drawn_tables), byes=tuple(byes))


_PLAYER_FIELDS = ("entry__player_1", "entry__player_2")
_HAS_OPEN_CALL = Exists(Dispute.objects.filter(settled_at=None, match=OuterRef("match")))


@dataclass(frozen=True, slots=True, kw_only=True)
class UnfinishedTables:
    """Tables whose matches can be ``counted`` as they stand, and those that are ``tied`` where somebody has
    to win: they play an extra hand."""

    counted: list[Table]
    tied: list[Table]


def get_published_rounds(event: Event) -> QuerySet[Round]:
    """Return the published rounds in order, without their proofs, which are large and on no page. One
    query."""
    return event.rounds.exclude(state=RoundState.DRAFT).defer(*PROOFS).order_by("number")


def are_entries_public(event: Event) -> bool:
    """Check whether the public may see the entries; after the start, only if tables or standings name them
    too. One query, or none."""
    visibility = event.visible
    is_named = visibility.draw or visibility.standings is not Ranks.NOTHING
    return visibility.entries and (is_named or not get_published_rounds(event).exists())


def list_tables(round_row: Round, *, tables: Collection[int] | None = None) -> list[Table]:
    """Return the tables of a published round, or those of these numbers, with seatings, entries and matches.
    Two queries."""
    condition = Q() if tables is None else Q(number__in=tables)
    seatings = Seating.objects.select_related(*_PLAYER_FIELDS).order_by("side", "place")
    return list(
        round_row.tables.filter(condition)
        .select_related("match__card")
        .prefetch_related(Prefetch("seatings", queryset=seatings))
        .order_by("number")
    )


def list_table_numbers(round_row: Round) -> list[int]:
    """Return the numbers of the tables of a published round. One query."""
    return list(round_row.tables.order_by("number").values_list("number", flat=True))


def map_table_places(rounds: Sequence[Round], entries: Collection[int]) -> dict[tuple[int, int], int | None]:
    """Return the table number of each of these entries in each of these published rounds, by both ids. None
    is a bye. One query."""
    seatings = Seating.objects.filter(round__in=rounds, entry__in=entries)
    return {
        (played_round, entry): table
        for played_round, entry, table in seatings.values_list("round", "entry", "table__number")
    }


def count_byes(event: Event) -> Counter[int]:
    """Count the byes in turn of each entry, by id, in published rounds. One query."""
    byes = Seating.objects.filter(round__event=event, table=None).exclude(round__state=RoundState.DRAFT)
    return Counter(
        entry
        for entry, reasons in byes.values_list("entry", "reasons")
        if get_bye_reason(reason["code"] for reason in reasons) is ByeReason.TURN
    )


def map_played_tables(round_row: Round, *, tables: Collection[int] | None = None) -> dict[int, Table]:
    """Return the tables of a published round by number, or those of these numbers, with matches and players.
    Two queries."""
    players = Player.objects.select_related("person").order_by("seat")
    found = round_row.tables.select_related("match").prefetch_related(Prefetch("match__players", queryset=players))
    if tables is not None:
        found = found.filter(number__in=tables)
    return {table.number: table for table in found}


def list_side_numbers(table: Table) -> list[list[int]]:
    """Return the numbers of the entries on each side of a table. One query."""
    rows = table.seatings.order_by("place").values_list("side", "entry__number")
    return [[number for row_side, number in rows if row_side == side] for side in Side]


def list_missing_tables(round_row: Round) -> list[int]:
    """Return the numbers of the tables without a valid result, except postponed ones. They are unfinished, have two
    marks that differ, or have called the desk."""
    return [number for number in list_undecided_numbers(round_row) if str(number) not in round_row.postponed]


def list_undecided_numbers(round_row: Round) -> list[int]:
    """Return the numbers of the tables without a valid result, postponed or not. One query."""
    return list(_filter_undecided(round_row.tables.all()).order_by("number").values_list("number", flat=True))


def forfeitable_seating(entry: Entry) -> Seating | None:
    """Return the seat that an entry can forfeit, or None. The round is not closed, and the table has no valid
    result or was forfeited by the others. One query."""
    rounds = (RoundState.PUBLISHED, RoundState.PLAYING)
    undecided = _filter_undecided(Table.objects.filter(round__event=entry.event_id, round__state__in=rounds))
    seatings = entry.seatings.filter(round__state__in=rounds).filter(
        Q(table__in=undecided.order_by().values("pk"))
        | Q(side=Side.A, table__ruling__kind="forfeit", table__ruling__winner=Side.A.name)
        | Q(side=Side.B, table__ruling__kind="forfeit", table__ruling__winner=Side.B.name)
    )
    return seatings.select_related("table__round").order_by("-round__number").first()


def forfeit_by(seating: Seating, table: Table) -> Ruling:
    """Return the ruling when this side forfeits. Nobody wins if the others have forfeited, too, or are
    disqualified. One query, or none."""
    others = Seating.objects.filter(table=table).exclude(side=seating.side)
    is_of_both = table.ruling is not None or not others.filter(entry__disqualification="").exists()
    winner = Side.A if seating.side else Side.B
    return {"kind": "forfeit", "winner": None if is_of_both else winner.name}


def unfinished_tables(event: Event, round_row: Round) -> UnfinishedTables:
    """Return the tables of an open round whose matches go on, with hands and without anything to settle. Two
    queries."""
    open_tables = _filter_undecided(round_row.tables.all()).filter(match__is_over=False, match__has_rivals=False)
    tables = open_tables.exclude(_HAS_OPEN_CALL).select_related("round", "match__terms").order_by("number")
    started_tables = [
        table
        for table in tables.prefetch_related("match__marks")
        if table.match is not None and table.match.summary["next"] > 1
    ]
    tied = [table for table in started_tables if is_bracket_slot(event.plan, table.slot) and _is_tied(table)]
    return UnfinishedTables(counted=[table for table in started_tables if table not in tied], tied=tied)


def _is_tied(table: Table) -> bool:
    """Return whether a level match goes on for an extra hand, as no other tie rule decides it."""
    match = table.match
    if match is None or match.match_format.tie not in (None, TieRule.EXTRA_HAND):
        return False
    return fold_match(match, load_log(match).places).leader is None


def list_undecided_tables(event: Event) -> list[tuple[int, int]]:
    """Return round and number of the tables of closed rounds that have lost their result since. One query."""
    return _list_open_tables(event, is_postponed=False)


def list_postponed_tables(event: Event) -> list[tuple[int, int]]:
    """Return round and number of the tables of closed rounds that are postponed and not played yet. One query."""
    return _list_open_tables(event, is_postponed=True)


def _list_open_tables(event: Event, *, is_postponed: bool) -> list[tuple[int, int]]:
    tables = Table.objects.filter(round__event=event, round__state=RoundState.CLOSED)
    rows = _filter_undecided(tables).order_by("round__number", "number")
    return [
        (number, table)
        for number, table, postponed in rows.values_list("round__number", "number", "round__postponed")
        if (str(table) in postponed) == is_postponed
    ]


def _filter_undecided(tables: QuerySet[Table]) -> QuerySet[Table]:
    is_open = Q(match=None) | Q(match__is_over=False) | Q(match__has_rivals=True) | _HAS_OPEN_CALL
    return tables.filter(is_open, ruling__isnull=True)


def list_tied_tables(round_row: Round) -> list[Table]:
    """Return the tables whose result has no winner, ruled or played, except double forfeits. One query."""
    tables = round_row.tables.select_related("match").order_by("number")
    return [
        table
        for table in tables
        if (result := _get_result(table)).get("winner", "") is None and result.get("kind") != "forfeit"
    ]


def _get_result(table: Table) -> Mapping[str, Any]:
    """Return the director's result, else that of a finished match; empty while undecided."""
    if table.ruling is not None:
        return dict(table.ruling)
    return table.match.summary if table.match is not None and table.match.is_over else {}
