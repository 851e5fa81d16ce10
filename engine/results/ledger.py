"""The ledger: how each entry spent each round, and how that ended.

Draws, standings, seasons and explanations count rounds by the ledger alone: equal ledgers give equal
standings, in whatever order the director entered the facts.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.draws import Entrant, EntryId
from engine.draws.stages import stage_of_slot
from engine.ranking import Outcome, OutcomeKind, Result
from rules import Side

from .values import SAT_OUT_COUNTS, PlayedTable

Ledger = Mapping[EntryId, list[Result]]


def ledger_of(entrants: Iterable[Entrant], sat: Iterable[PlayedTable]) -> Ledger:
    """Every counted round of each of these entries: tables with a result, byes, and the rounds that it
    missed."""
    entrants = tuple(entrants)
    ledger: dict[EntryId, list[Result]] = {entrant.id: [] for entrant in entrants}
    played = set()
    for each in sat:
        played.add(each.round)
        for entry, result in results_of_table(each) if each.b else _bye(each):
            if entry in ledger:
                ledger[entry].append(result)
    for entrant in entrants:
        there = {result.round for result in ledger[entrant.id]}
        for number in sorted(played - there):
            if (kind := reason_missed(entrant, number)) is not None:
                ledger[entrant.id].append(Result(round=number, outcome=Outcome.LOST, kind=kind))
    return ledger


def reason_missed(entrant: Entrant, number: int) -> OutcomeKind | None:
    """Why an entry was not drawn for a round; None where it was there."""
    if entrant.has_left(number) or number in entrant.withdrawn:
        return OutcomeKind.WITHDRAWN
    if number < entrant.arrives:
        return OutcomeKind.LATE
    return OutcomeKind.ABSENT if number in entrant.absent else None


def results_of_table(sat: PlayedTable) -> Iterator[tuple[EntryId, Result]]:
    """The result of a table from the side of each who sat there; none while it has none."""
    if sat.outcome is None:
        return
    for side, own, others in ((Side.A, sat.a, sat.b), (Side.B, sat.b, sat.a)):
        counted = (_forfeit_result if sat.is_forfeit else _of_cards)(sat.outcome, side)
        for entry in own:
            yield (
                entry,
                Result(
                    round=sat.round,
                    opponents=others,
                    partners=tuple(other for other in own if other != entry),
                    table=sat.table,
                    stage=stage_of_slot(sat.slot),
                    **counted,
                ),
            )


def _bye(sat: PlayedTable) -> Iterator[tuple[EntryId, Result]]:
    kind = SAT_OUT_COUNTS[sat.sat_out]
    if kind is None:
        return
    result = Result(round=sat.round, outcome=Outcome.WON, kind=kind, stage=stage_of_slot(sat.slot))
    for entry in sat.a:
        yield entry, result


def _forfeit_result(ruling: Mapping[str, Any], side: Side) -> dict[str, Any]:
    outcome = Outcome.WON if ruling["winner"] == side.name else Outcome.LOST
    return {"outcome": outcome, "kind": OutcomeKind.FORFEIT}


def _of_cards(counted: Mapping[str, Any], side: Side) -> dict[str, Any]:
    """From a match's summary, or the director's result; a file that draws again has the winner alone."""
    winner = counted["winner"]
    outcome = Outcome.DRAWN if winner is None else Outcome.LOST
    if winner == side.name:
        outcome = Outcome.WON
    games, points = counted.get("games_won", (0, 0)), counted.get("points", (0, 0))
    return {
        "outcome": outcome,
        "games_won": games[side],
        "games_lost": games[side.other],
        "points_for": points[side],
        "points_against": points[side.other],
        "contracts_made": counted.get("made", (0, 0))[side],
        "charlemagnes": counted.get("charlemagnes", (0, 0))[side],
    }
