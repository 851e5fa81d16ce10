"""What was played so far, as draws and rankings see it."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from rules import Side
from tournaments.counting import Basis, Known, Sat, first_rounds, why_sat_out
from tournaments.draws import Bond, Entrant, EntryId, LockedTable
from tournaments.lifecycle import RoundState
from tournaments.models import Entry, Event, Seating
from tournaments.ranking import Adjustment, stored_rules


def known_of(event: Event, *, held: tuple[LockedTable, ...] = ()) -> Known:
    """What the standings and the next draw of the event follow from. Three queries; four with stages."""
    plan, sat = event.plan, _sat_at(event)
    orders = _orders_of(event, first_rounds(plan, ((each.round, each.slot) for each in sat)))
    return Known(
        basis=Basis(
            plan=plan,
            rules=stored_rules(event.ranking),
            lot=event.lot,
            is_seeded=event.is_seeded,
            games_to_win=event.terms.match_format.games_to_win or 0,
            sections=tuple(event.sections),
        ),
        entrants=tuple(map(_entrant, event.entries.filter(is_waiting=False).order_by("number"))),
        sat=tuple(sat),
        adjustments=tuple(
            Adjustment(
                entry=EntryId(given.entry_id), metric=given.metric, amount=given.amount, round=given.round
            )
            for given in event.adjustments.all()
        ),
        orders=orders,
        held=held,
    )


def _orders_of(event: Event, first: Sequence[int]) -> Mapping[int, list[EntryId]]:
    """Who was drawn in the first rounds of its stages, best first as it was then; of the very first nobody
    asks. One query with stages, none without."""
    wanted = {number for number in first[1:] if number}
    return dict(event.rounds.filter(number__in=wanted).values_list("number", "order")) if wanted else {}


def _entrant(entry: Entry) -> Entrant:
    return Entrant(
        id=EntryId(entry.pk),
        number=entry.number,
        bonds=frozenset({Bond("club", entry.team)} if entry.team else ()),
        section=entry.section or None,
        table=entry.table,
        arrives=entry.arrives,
        leaves_after=entry.leaves_after,
        absent=frozenset(entry.absent),
        byes_asked=frozenset(entry.byes_asked),
    )


def _sat_at(event: Event) -> list[Sat]:
    """Every table and bye of the published rounds. One query."""
    rows = _seatings(event)
    return [
        _sat(list(those))
        for _, those in groupby(rows, key=lambda row: (row["round__number"], row["table"] or -row["entry"]))
    ]


def _seatings(event: Event) -> Iterable[Any]:
    """A row for each entry in each published round. One query."""
    seatings = Seating.objects.filter(round__event=event).exclude(round__state=RoundState.DRAFT)
    return seatings.order_by("round__number", "table__number", "side", "place", "entry").values(
        "round__number",
        "table",
        "side",
        "entry",
        "slot",
        "reasons",
        "table__number",
        "table__slot",
        "table__ruling",
        "table__match__is_over",
        "table__match__summary",
    )


def _sat(rows: Sequence[Mapping[str, Any]]) -> Sat:
    """Of the rows of one table, or of one who sat out."""
    row = rows[0]
    if row["table"] is None:
        return Sat(
            round=row["round__number"],
            a=(EntryId(row["entry"]),),
            slot=row["slot"],
            sat_out=why_sat_out({reason["code"] for reason in row["reasons"]}),
        )
    a, b = (tuple(EntryId(each["entry"]) for each in rows if each["side"] == side) for side in Side)
    return Sat(
        round=row["round__number"],
        a=a,
        b=b,
        table=row["table__number"],
        slot=row["table__slot"],
        outcome=_outcome(row),
    )


def _outcome(row: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The director's result, else that of a match that is over; None while undecided."""
    if row["table__ruling"] is not None:
        return dict(row["table__ruling"])
    return row["table__match__summary"] if row["table__match__is_over"] else None
