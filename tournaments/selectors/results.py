"""Counted results, and the standings as last computed."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.db.models import Q

from rules import Side
from tournaments.draws import EntryId, ReasonCode
from tournaments.draws.stages import StageReached, stage_of_slot, stages_reached
from tournaments.models import Event, Standings
from tournaments.ranking import (
    NO_PLACE,
    Adjustment,
    Field,
    Kind,
    Outcome,
    Reached,
    Result,
    Row,
    field_of,
    rank_field,
)

from .played import outcome_of, played_so_far, published_seatings, stage_standings

Seats = dict[int, list[EntryId]]
"""The entries of a table by side; of a bye, on side 0."""


def standings_of(event: Event) -> list[dict[str, Any]]:
    """The rows as last computed, best first; empty before the first result. One query."""
    return Standings.objects.filter(event=event).values_list("rows", flat=True).first() or []


def standings_computed_at(event: Event) -> datetime | None:
    """When the standings were last computed. One query."""
    return Standings.objects.filter(event=event).values_list("computed_at", flat=True).first()


def contradictions_of(event: Event) -> list[dict[str, Any]]:
    """Where the bracket seats somebody whom the results do not bring there, as last found. One query."""
    found = Standings.objects.filter(event=event).values_list("contradictions", flat=True).first()
    return found or []


def ranked(event: Event) -> tuple[Row, ...]:
    """The entries by the rules of the event, best first, as of now. Four queries; seven with stages."""
    return rank_field(ranking_field(event))


def ranking_field(event: Event) -> Field:
    """What a ranking of the event goes by."""
    entries = event.entries.filter(is_waiting=False).values_list("pk", "number")
    numbers = {EntryId(pk): number for pk, number in entries}
    results = results_by_entry(event, numbers)
    reached = _reached(event)
    return field_of(
        numbers,
        {entry: _carried(event, reached.get(entry), those) for entry, those in results.items()},
        event.ranking_rules,
        seed=event.lot,
        games_to_win=event.terms.match_format.games_to_win or 0,
        adjustments=adjustments_of(event),
        reached={
            entry: Reached(group=far.group, place=NO_PLACE if far.place is None else far.place)
            for entry, far in reached.items()
        },
    )


def _reached(event: Event) -> Mapping[EntryId, StageReached]:
    """How far everybody came, where stages or brackets tell."""
    if not event.tells_how_far:
        return {}
    played = played_so_far(event)
    return stages_reached(event.plan, played, stage_standings(event, played))


def _carried(event: Event, far: StageReached | None, results: list[Result]) -> list[Result]:
    """Of an entry's results those that count in the stage it is in: its own, and what that carries on."""
    if far is None or event.plan[far.stage].carried == "all":
        return results
    is_among = event.plan[far.stage].carried == "among"
    return [
        result
        for result in results
        if result.round >= far.began
        or (is_among and result.opponents and far.members.issuperset((*result.opponents, *result.partners)))
    ]


def adjustments_of(event: Event) -> list[Adjustment]:
    """What the director added or took off. One query."""
    return [
        Adjustment(entry=EntryId(given.entry_id), metric=given.metric, amount=given.amount, round=given.round)
        for given in event.adjustments.all()
    ]


def results_by_entry(event: Event, entries: Mapping[EntryId, int]) -> dict[EntryId, list[Result]]:
    """Every counted result of each of these entries: tables with a result, byes of published rounds, and the
    rounds that an entry missed. Two queries."""
    results: dict[EntryId, list[Result]] = {entry: [] for entry in entries}
    tables: dict[tuple[int, int], tuple[dict[str, Any], Seats]] = {}
    for row in published_seatings(event):
        entry = EntryId(row["entry"])
        key = row["round__number"], row["table"] or -entry
        _, seats = tables.setdefault(key, (row, defaultdict(list)))
        seats[row["side"] or 0].append(entry)
    for row, seats in tables.values():
        for entry, result in _bye(row, seats) if row["table"] is None else _played(row, seats):
            if entry in results:
                results[entry].append(result)
    published = {number for number, _ in tables}
    for entry, missed in _missed(event).items():
        if entry in results:
            there = {result.round for result in results[entry]}
            results[entry] += [
                Result(round=number, outcome=Outcome.LOST, kind=Kind.MISSED)
                for number in sorted(published - there)
                if missed(number)
            ]
    return results


def _missed(event: Event) -> dict[EntryId, Callable[[int], bool]]:
    """For whoever came late, left or was away: whether that took this round. Others may be out, not away."""
    away = event.entries.filter(Q(arrives__gt=1) | Q(leaves_after__isnull=False) | ~Q(absent=[]))
    return {EntryId(entry.pk): entry.is_away for entry in away}


def _bye(row: dict[str, Any], seats: Seats) -> list[tuple[EntryId, Result]]:
    """What sitting out counts: nothing for who only waits in a bracket, a missed round for who asked to."""
    codes = {reason["code"] for reason in row["reasons"]}
    if ReasonCode.WAITS in codes:
        return []
    kind = Kind.MISSED if ReasonCode.BYE_ASKED in codes else Kind.BYE
    outcome = Outcome.LOST if kind is Kind.MISSED else Outcome.WON
    result = Result(round=row["round__number"], outcome=outcome, kind=kind, stage=stage_of_slot(row["slot"]))
    return [(entry, result) for entries in seats.values() for entry in entries]


def _played(row: dict[str, Any], seats: Seats) -> list[tuple[EntryId, Result]]:
    """The result of a table from the side of each who sat there; none while it has none."""
    outcome = outcome_of(row)
    if outcome is None:
        return []
    found = []
    for side in Side:
        counted = _forfeited(outcome, side) if outcome.get("kind") == "forfeit" else _of_cards(outcome, side)
        for entry in seats[side]:
            result = Result(
                round=row["round__number"],
                opponents=tuple(seats[side.other]),
                partners=tuple(other for other in seats[side] if other != entry),
                table=row["table__number"],
                stage=stage_of_slot(row["table__slot"]),
                **counted,
            )
            found.append((entry, result))
    return found


def _forfeited(ruling: dict[str, Any], side: Side) -> dict[str, Any]:
    outcome = Outcome.WON if ruling["winner"] == side.name else Outcome.LOST
    return {"outcome": outcome, "kind": Kind.FORFEIT}


def _of_cards(counted: dict[str, Any], side: Side) -> dict[str, Any]:
    """From a match's summary, or from the result that the director gives instead."""
    winner = counted["winner"]
    outcome = Outcome.DRAWN if winner is None else Outcome.LOST
    if winner == side.name:
        outcome = Outcome.WON
    return {
        "outcome": outcome,
        "games_won": counted["games_won"][side],
        "games_lost": counted["games_won"][side.other],
        "points_for": counted["points"][side],
        "points_against": counted["points"][side.other],
        "contracts_made": counted.get("made", (0, 0))[side],
        "charlemagnes": counted.get("charlemagnes", (0, 0))[side],
    }
