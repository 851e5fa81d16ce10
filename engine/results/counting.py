"""Counted results, and the field that a ranking goes by."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from engine.draws import Entrant, EntryId
from engine.draws.stages import POOLS, StageReached, pools_in, stage_of_slot, stages_reached
from engine.ranking import (
    NO_PLACE,
    Outcome,
    OutcomeKind,
    RankedField,
    Result,
    Row,
    StageGroup,
    rank_field,
    ranked_field,
)
from rules import Side

from .playing import played_of, stage_standings
from .values import SAT_OUT_COUNTS, EventRules, EventSnapshot, PlayedTable, tells_how_far


def counted_field(known: EventSnapshot) -> RankedField:
    """What a ranking of these goes by."""
    basis, reached = known.basis, _stages_reached(known)
    return ranked_field(
        known.numbers,
        {
            entry: _carry_over(basis, reached.get(entry), those)
            for entry, those in results_of(known.entrants, known.sat).items()
        },
        basis.ranking_rules,
        seed=basis.lot,
        games_to_win=basis.games_to_win,
        adjustments=known.adjustments,
        reached={
            entry: StageGroup(
                group=far.group,
                place=NO_PLACE if far.place is None else far.place,
                plays_on=far.plays_on,
            )
            for entry, far in reached.items()
        },
        pools=_pools_reached(known, reached) if basis.version >= 4 else {},
    )


def rank_arrived(known: EventSnapshot, field: RankedField) -> tuple[Row, ...]:
    """The standings by their ``counted_field``: of everybody who was there for a round so far. Who never came
    has no rank, and stands before nobody who has lost."""
    if known.basis.version >= 4:
        there = _entries_there(known)
        field = replace(
            field, numbers={entry: field.numbers[entry] for entry in field.numbers if entry in there}
        )
    return rank_field(field)


def _entries_there(known: EventSnapshot) -> set[EntryId]:
    """Before the first round everybody."""
    rounds = {each.round for each in known.sat}
    seated = {entry for each in known.sat for entry in (*each.a, *each.b)}
    return seated | {
        entrant.id for entrant in known.entrants if not rounds or any(map(entrant.is_present, rounds))
    }


def results_of(entrants: Iterable[Entrant], sat: Iterable[PlayedTable]) -> dict[EntryId, list[Result]]:
    """Every counted result of each of these entries: tables with a result, byes, and the rounds that an entry
    missed."""
    entrants = tuple(entrants)
    results: dict[EntryId, list[Result]] = {entrant.id: [] for entrant in entrants}
    played = set()
    for each in sat:
        played.add(each.round)
        for entry, result in _results_of_table(each) if each.b else _sat_out(each):
            if entry in results:
                results[entry].append(result)
    for entrant in entrants:
        there = {result.round for result in results[entrant.id]}
        results[entrant.id] += [
            Result(
                round=number,
                outcome=Outcome.LOST if entrant.has_left(number) else Outcome.WON,
                kind=OutcomeKind.MISSED,
            )
            for number in sorted(played - there)
            if not entrant.is_present(number)
        ]
    return results


def scores_of(known: EventSnapshot) -> dict[tuple[int, int], dict[EntryId, tuple[int, int]]]:
    """The scores of the matches that were played, by round and table: for each who sat there what they made,
    and their opponents: games, but points where one game is a match or none was won more than lost."""
    found: dict[tuple[int, int], dict[EntryId, tuple[int, int]]] = {}
    for sat in known.sat:
        for entry, result in _results_of_table(sat) if sat.b else ():
            if result.kind is OutcomeKind.PLAYED:
                games = (result.games_won, result.games_lost)
                counts_games = known.basis.games_to_win != 1 and games[0] != games[1]
                points = (result.points_for, result.points_against)
                found.setdefault((sat.round, sat.table), {})[entry] = games if counts_games else points
    return found


def _stages_reached(known: EventSnapshot) -> Mapping[EntryId, StageReached]:
    """How far everybody came, where stages or brackets tell."""
    plan = known.basis.plan
    if not tells_how_far(plan):
        return {}
    played = played_of(known)
    return stages_reached(plan, played, stage_standings(plan, played, known.orders))


def _pools_reached(known: EventSnapshot, reached: Mapping[EntryId, StageReached]) -> dict[EntryId, str]:
    """The pool of everybody who is in a stage of pools, and in none after it."""
    return {
        entry: pool
        for index, stage in enumerate(known.basis.plan)
        if stage.format == POOLS
        for entry, pool in pools_in(known.sat, index).items()
        if entry not in reached or reached[entry].stage == index
    }


def _carry_over(basis: EventRules, far: StageReached | None, results: list[Result]) -> list[Result]:
    """Of an entry's results those that count in the stage it is in: its own, and what that carries on.

    Who has left misses no round of a stage that is for others.
    """
    if far is None:
        return results
    results = [each for each in results if each.kind is not OutcomeKind.MISSED or each.round <= far.ended]
    if basis.plan[far.stage].carried == "all":
        return results
    is_among = basis.plan[far.stage].carried == "among"
    return [
        result
        for result in results
        if result.round >= far.began
        or (is_among and result.opponents and far.members.issuperset((*result.opponents, *result.partners)))
    ]


def _sat_out(sat: PlayedTable) -> Iterator[tuple[EntryId, Result]]:
    kind = SAT_OUT_COUNTS[sat.sat_out]
    if kind is None:
        return
    result = Result(round=sat.round, outcome=Outcome.WON, kind=kind, stage=stage_of_slot(sat.slot))
    for entry in sat.a:
        yield entry, result


def _results_of_table(sat: PlayedTable) -> Iterator[tuple[EntryId, Result]]:
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


def _forfeit_result(ruling: Mapping[str, Any], side: Side) -> dict[str, Any]:
    outcome = Outcome.WON if ruling["winner"] == side.name else Outcome.LOST
    return {"outcome": outcome, "kind": OutcomeKind.FORFEIT}


def _of_cards(counted: Mapping[str, Any], side: Side) -> dict[str, Any]:
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
