"""Results so far, as draws and rankings use them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db.models import Case, F, Q, QuerySet, When

from engine.draws import Bond, Entrant, EntryId, LockedTable, PlayedPairing
from engine.draws.history import History
from engine.ranking import ResultAdjustment, ranking_rules_from_json
from engine.results import EventRules, EventSnapshot, PlayedTable, first_rounds, why_sat_out
from rules import Side
from tournaments.entries.bonds import apart_from_json, bonds_labelled, bonds_named, shared_bonds
from tournaments.lifecycle import RoundState
from tournaments.models import Entry, Event, Seating
from web.names import group_key, one_spelling


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

    def has(self, sat: PlayedTable) -> bool:
        place = (sat.round, sat.table) in self.tables if sat.b else (sat.round, sat.a[0]) in self.byes
        return sat.round in self.rounds or place

    @property
    def seatings(self) -> Q:
        found = Q(round__number__in=self.rounds)
        for number in {round_ for round_, _ in self.tables}:
            tables = [table for round_, table in self.tables if round_ == number]
            found |= Q(round__number=number, table__number__in=tables)
        for number in {round_ for round_, _ in self.byes}:
            entries = [entry for round_, entry in self.byes if round_ == number]
            found |= Q(round__number=number, table=None, entry__in=entries)
        return found


def event_snapshot(event: Event, *, held: tuple[LockedTable, ...] = ()) -> EventSnapshot:
    """Read all inputs of the standings and the next draw. Three queries; four with stages."""
    return _build_snapshot(event, _sat_at(_seatings(event)), _entrants(event), held)


def refresh_snapshot(event: Event, before: EventSnapshot, touched: TouchedParts) -> EventSnapshot:
    """Update the snapshot ``before`` by rereading only what was touched. Entrants are reread all or not at
    all, since bonds depend on the others. Three queries; four with stages."""
    sat = [each for each in before.sat if not touched.has(each)]
    sat += _sat_at(_seatings(event).filter(touched.seatings))
    return _build_snapshot(event, sat, _entrants(event) if touched.entrants else before.entrants)


def history_among(event: Event, entries: Iterable[EntryId], *, before: int) -> History:
    """Return the history of these entries and those they met in rounds ``before`` this one. One query."""
    own = Seating.objects.filter(round__event=event, round__number__lt=before, entry__in=entries)
    sat = _sat_at(_seatings(event).filter(table__in=own.values("table")))
    return History(PlayedPairing(round=each.round, a=each.a, b=each.b) for each in sat)


def _build_snapshot(
    event: Event,
    sat: Sequence[PlayedTable],
    entrants: tuple[Entrant, ...],
    held: tuple[LockedTable, ...] = (),
) -> EventSnapshot:
    plan = event.plan
    orders = _orders_of(event, first_rounds(plan, ((each.round, each.slot) for each in sat)))
    return EventSnapshot(
        basis=EventRules(
            plan=plan,
            rules=ranking_rules_from_json(event.ranking),
            lot=event.lot,
            is_seeded=event.is_seeded,
            games_to_win=event.terms.match_format.games_to_win or 0,
            phases=event.phases,
            sections=tuple(event.sections),
            table_count=event.table_count if event.sections else None,
        ),
        entrants=entrants,
        sat=tuple(sorted(sat, key=lambda each: (each.round, each.table, each.a))),
        adjustments=tuple(
            ResultAdjustment(
                entry=EntryId(given.entry_id), metric=given.metric, amount=given.amount, round=given.round
            )
            for given in event.adjustments.all()
        ),
        orders=orders,
        held=held,
    )


def _orders_of(event: Event, first: Sequence[int]) -> Mapping[int, list[EntryId]]:
    """Return the entries drawn in the first round of each later stage, best first as ranked then. One query
    with stages, none without."""
    wanted = {number for number in first[1:] if number}
    return dict(event.rounds.filter(number__in=wanted).values_list("number", "order")) if wanted else {}


def _entrants(event: Event) -> tuple[Entrant, ...]:
    """Return the entrants in the order of the starting list, with their bonds. One query."""
    in_order = event.entries.filter(is_waiting=False).order_by("number")
    entries = list(in_order.annotate(family_1=F("player_1__family"), family_2=F("player_2__family")))
    clubs = one_spelling(entry.team for entry in entries)
    named = bonds_named(apart_from_json(event.kept_apart))
    bonds = shared_bonds(
        [
            named.get(EntryId(entry.pk), set())
            | bonds_labelled(
                team=clubs[group_key(entry.team)],
                family=entry.family,
                car=entry.car,
                families=[each for each in (entry.family_1, entry.family_2) if each is not None],
            )
            for entry in entries
        ]
    )
    return tuple(_entrant(entry, own) for entry, own in zip(entries, bonds, strict=True))


def _entrant(entry: Entry, bonds: frozenset[Bond]) -> Entrant:
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
        byes_asked=frozenset(entry.byes_asked),
        is_disqualified=bool(entry.disqualification),
        is_house=entry.is_house,
    )


def _sat_at(rows: Iterable[Any]) -> list[PlayedTable]:
    """Read the tables and byes of these seatings. One query."""
    return [
        _sat(list(those))
        for _, those in groupby(rows, key=lambda row: (row["round__number"], row["table"] or -row["entry"]))
    ]


def _seatings(event: Event) -> QuerySet[Seating, Any]:
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


def _sat(rows: Sequence[Mapping[str, Any]]) -> PlayedTable:
    """Build a table, or a bye, from its rows."""
    row = rows[0]
    if row["table"] is None:
        return PlayedTable(
            round=row["round__number"],
            a=(EntryId(row["entry"]),),
            slot=row["slot"],
            sat_out=why_sat_out({reason["code"] for reason in row["why"]}),
        )
    a, b = (tuple(EntryId(each["entry"]) for each in rows if each["side"] == side) for side in Side)
    return PlayedTable(
        round=row["round__number"],
        a=a,
        b=b,
        table=row["table__number"],
        slot=row["table__slot"],
        outcome=_outcome(row),
    )


def _outcome(row: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the director's result, else that of a finished match; None while undecided."""
    if row["ruling"] is not None:
        return dict(row["ruling"])
    return row["summary"] if row["table__match__is_over"] else None
