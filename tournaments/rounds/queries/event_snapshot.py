"""Results so far, as draws and rankings use them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db.models import Case, F, Q, QuerySet, When

from engine.draws import Bond, Entrant, EntryId, LockedTable, PlayedPairing
from engine.draws.history import History
from engine.ranking import ResultAdjustment, ranking_rules_from_json
from engine.results import EventRules, EventSnapshot, PlayedTable, build_bye, list_first_rounds
from rules import Side
from tournaments.entries.bonds import apart_groups_from_json, build_label_bonds, collect_apart_bonds, keep_shared_bonds
from tournaments.lifecycle import RoundState
from tournaments.models import Entry, Event, Seating
from web.names import get_group_key, unify_spellings


@dataclass(frozen=True, slots=True, kw_only=True)
class TouchedParts:
    """Parts of an event that a change has touched.

    They are whole ``rounds`` by number; ``tables`` by round and number; ``byes`` by round and entry;
    ``entries`` by id; and whether any of the ``entrants``, or who is kept apart from whom, may differ.
    """

    rounds: frozenset[int] = frozenset()
    tables: frozenset[tuple[int, int]] = frozenset()
    byes: frozenset[tuple[int, int]] = frozenset()
    entries: frozenset[int] = frozenset()
    entrants: bool = False

    def contains(self, played_table: PlayedTable) -> bool:
        place = (
            (played_table.round, played_table.table) in self.tables
            if played_table.table
            else (played_table.round, played_table.a[0]) in self.byes
        )
        return played_table.round in self.rounds or place

    @property
    def seatings(self) -> Q:
        condition = Q(round__number__in=self.rounds)
        for number in {round_ for round_, _ in self.tables}:
            tables = [table for round_, table in self.tables if round_ == number]
            condition |= Q(round__number=number, table__number__in=tables)
        for number in {round_ for round_, _ in self.byes}:
            entries = [entry for round_, entry in self.byes if round_ == number]
            condition |= Q(round__number=number, table=None, entry__in=entries)
        return condition


def read_event_snapshot(event: Event, *, locked_tables: tuple[LockedTable, ...] = ()) -> EventSnapshot:
    """Read all inputs of the standings and the next draw. Three queries; four with stages."""
    return _build_snapshot(event, _read_played_tables(_query_seatings(event)), _read_entrants(event), locked_tables)


def refresh_snapshot(event: Event, previous: EventSnapshot, touched_parts: TouchedParts) -> EventSnapshot:
    """Update the ``previous`` snapshot by rereading only the ``touched_parts``. Entrants are reread all or not at
    all, since bonds depend on the others. Three queries; four with stages."""
    sat = [played_table for played_table in previous.tables if not touched_parts.contains(played_table)]
    sat += _read_played_tables(_query_seatings(event).filter(touched_parts.seatings))
    return _build_snapshot(event, sat, _read_entrants(event) if touched_parts.entrants else previous.entrants)


def read_history(event: Event, entries: Iterable[EntryId], *, before_round: int) -> History:
    """Return the history of these entries and their opponents in rounds before ``before_round``. One query."""
    own_seatings = Seating.objects.filter(round__event=event, round__number__lt=before_round, entry__in=entries)
    played_tables = _read_played_tables(_query_seatings(event).filter(table__in=own_seatings.values("table")))
    return History(
        PlayedPairing(round=played_table.round, a=played_table.a, b=played_table.b) for played_table in played_tables
    )


def _build_snapshot(
    event: Event,
    sat: Sequence[PlayedTable],
    entrants: tuple[Entrant, ...],
    locked_tables: tuple[LockedTable, ...] = (),
) -> EventSnapshot:
    plan = event.plan
    orders = _read_stage_orders(
        event, list_first_rounds(plan, ((played_table.round, played_table.slot) for played_table in sat))
    )
    return EventSnapshot(
        basis=EventRules(
            plan=plan,
            rules=ranking_rules_from_json(event.ranking),
            lot=event.lot,
            is_seeded=event.is_seeded,
            games_to_win=event.terms.match_format.games_to_win or 0,
            phases=event.phases,
            sections=tuple(event.sections),
            table_count=event.table_count if event.sections or event.has_phase_tables else None,
        ),
        entrants=entrants,
        tables=tuple(sorted(sat, key=lambda each: (each.round, each.table, each.a))),
        adjustments=tuple(
            ResultAdjustment(
                entry=EntryId(adjustment.entry_id),
                metric=adjustment.metric,
                amount=adjustment.amount,
                round=adjustment.round,
            )
            for adjustment in event.adjustments.all()
        ),
        orders=orders,
        locked_tables=locked_tables,
    )


def _read_stage_orders(event: Event, first_rounds_of_stages: Sequence[int]) -> Mapping[int, list[EntryId]]:
    """Return the entries drawn in the first round of each later stage, best first as ranked then. One query
    with stages, none without."""
    numbers = {number for number in first_rounds_of_stages[1:] if number}
    return dict(event.rounds.filter(number__in=numbers).values_list("number", "order")) if numbers else {}


def _read_entrants(event: Event) -> tuple[Entrant, ...]:
    """Return the entrants in the order of the starting list, with their bonds. One query."""
    ordered_entries = event.entries.filter(is_waiting=False).order_by("number")
    entries = list(ordered_entries.annotate(family_1=F("player_1__family"), family_2=F("player_2__family")))
    clubs = unify_spellings(entry.team for entry in entries)
    apart_bonds = collect_apart_bonds(apart_groups_from_json(event.kept_apart))
    bonds = keep_shared_bonds(
        [
            apart_bonds.get(EntryId(entry.pk), set())
            | build_label_bonds(
                team=clubs[get_group_key(entry.team)],
                family=entry.family,
                car=entry.car,
                families=[each for each in (entry.family_1, entry.family_2) if each is not None],
            )
            for entry in entries
        ]
    )
    return tuple(_build_entrant(entry, entry_bonds) for entry, entry_bonds in zip(entries, bonds, strict=True))


def _build_entrant(entry: Entry, bonds: frozenset[Bond]) -> Entrant:
    return Entrant(
        id=EntryId(entry.pk),
        number=entry.number,
        bonds=bonds,
        section=entry.section or None,
        table=entry.table,
        side=None if entry.side is None else Side(entry.side),
        arrives=entry.arrives,
        leaves_after=entry.leaves_after,
        absent=frozenset(entry.absent),
        excused=frozenset(entry.excused),
        withdrawn=frozenset(entry.withdrawn),
        requested_byes=frozenset(entry.byes_asked),
        is_disqualified=bool(entry.disqualification),
        is_house=entry.is_house,
    )


def _read_played_tables(rows: Iterable[Any]) -> list[PlayedTable]:
    """Read the tables and byes of these seatings. One query."""
    return [
        _build_played_table(list(group))
        for _, group in groupby(rows, key=lambda row: (row["round__number"], row["table"] or -row["entry"]))
    ]


def _query_seatings(event: Event) -> QuerySet[Seating, Any]:
    """Query a row for each entry in each published round. A table's result is on the row of side A, the
    reasons of a bye on its own: other rows would be parsed for nothing."""
    seatings = Seating.objects.filter(round__event=event).exclude(round__state=RoundState.DRAFT)
    ordered = seatings.order_by("round__number", "table__number", "side", "place", "entry")
    return ordered.values(
        "round__number",
        "table",
        "side",
        "entry",
        "slot",
        "table__number",
        "table__slot",
        "table__match__is_over",
        why=Case(When(table=None, then=F("reasons"))),
        ruling=Case(When(side=Side.A, then=F("table__ruling"))),
        summary=Case(When(side=Side.A, then=F("table__match__summary"))),
    )


def _build_played_table(rows: Sequence[Mapping[str, Any]]) -> PlayedTable:
    """Build a table, or a bye, from its rows."""
    row = rows[0]
    if row["table"] is None:
        return build_bye(row["round__number"], EntryId(row["entry"]), row["slot"], row["why"])
    a, b = (tuple(EntryId(each["entry"]) for each in rows if each["side"] == side) for side in Side)
    return PlayedTable(
        round=row["round__number"],
        a=a,
        b=b,
        table=row["table__number"],
        slot=row["table__slot"],
        outcome=_get_outcome(row),
    )


def _get_outcome(row: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the director's result, else that of a finished match; None while undecided."""
    if row["ruling"] is not None:
        return dict(row["ruling"])
    return row["summary"] if row["table__match__is_over"] else None
