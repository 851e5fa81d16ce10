"""Counted results, and the standings as last computed."""

from collections import defaultdict
from datetime import datetime
from typing import Any

from rules import Side
from tournaments.draws import EntryId
from tournaments.lifecycle import RoundState
from tournaments.models import Event, Seating, Standings
from tournaments.ranking import Result


def standings_of(event: Event) -> list[dict[str, Any]]:
    """The rows as last computed, best first; empty before the first result. One query."""
    standings = Standings.objects.filter(event=event).first()
    return standings.rows if standings is not None else []


def standings_computed_at(event: Event) -> datetime | None:
    """When the standings were last computed. One query."""
    return Standings.objects.filter(event=event).values_list("computed_at", flat=True).first()


def results_by_entry(event: Event) -> dict[EntryId, list[Result]]:
    """Every counted result of each entry: matches that are over, and byes of published rounds. One query.

    A bye counts as a match won, with the games that win a match, and moves no points.
    """
    results: dict[EntryId, list[Result]] = defaultdict(list)
    by_table: dict[int, list[Seating]] = defaultdict(list)
    seatings = (
        Seating.objects.filter(round__event=event)
        .exclude(round__state=RoundState.DRAFT)
        .select_related("round", "table__match")
        .order_by("round__number", "table", "side")
    )
    for seating in seatings:
        if seating.table_id is None:
            results[EntryId(seating.entry_id)].append(_bye(seating, event))
        else:
            by_table[seating.table_id].append(seating)
    for seated in by_table.values():
        for seating, opponent in zip(seated, reversed(seated), strict=True):
            result = _result(seating, opponent)
            if result is not None:
                results[EntryId(seating.entry_id)].append(result)
    return results


def _bye(seating: Seating, event: Event) -> Result:
    return Result(
        round=seating.round.number,
        opponent=None,
        match_won=True,
        games_won=event.terms.match_format.games_to_win or 0,
        games_lost=0,
        points_for=0,
        points_against=0,
    )


def _result(seating: Seating, opponent: Seating) -> Result | None:
    assert seating.table is not None
    assert seating.side is not None
    match = seating.table.match
    if match is None or not match.is_over:
        return None
    side = Side(seating.side)
    summary = match.summary
    return Result(
        round=seating.round.number,
        opponent=EntryId(opponent.entry_id),
        match_won=summary["winner"] == side.name,
        games_won=summary["games_won"][side],
        games_lost=summary["games_won"][side.other],
        points_for=summary["points"][side],
        points_against=summary["points"][side.other],
    )
