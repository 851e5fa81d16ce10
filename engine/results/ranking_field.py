"""Counted results, and the field of a ranking."""

from collections.abc import Mapping
from dataclasses import replace

from engine.draws import EntryId
from engine.draws.stages import POOLS, StageReached, pools_in, stages_reached
from engine.phases import PhasePlace
from engine.ranking import (
    MISSED,
    NO_PLACE,
    Disqualified,
    OutcomeKind,
    RankedField,
    Result,
    Row,
    StageGroup,
    place_in_pools,
    rank_field,
    ranked_field,
)

from .ledger import ledger_of, results_of_table
from .played_rounds import played_of, stage_standings
from .values import EventRules, EventSnapshot, tells_how_far, with_parts_of_wins


def counted_field(known: EventSnapshot) -> RankedField:
    """Return the counted field of a ranking of this event."""
    basis, reached = known.basis, _stages_reached(known)
    field = ranked_field(
        {entrant.id: entrant.number for entrant in known.entrants if not entrant.is_house},
        {entry: _carry_over(basis, reached.get(entry), those) for entry, those in ledger_of(known).items()},
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
        last=frozenset()
        if basis.rules.disqualified is Disqualified.KEPT
        else frozenset(entrant.id for entrant in known.entrants if entrant.is_disqualified),
    )
    if "pool_place" not in field.rules.order:
        return field
    field = place_in_pools(field, [key for key in with_parts_of_wins(basis.rules) if key != "pool_place"])
    _place_at_the_end(known, field, reached)
    return field


def _place_at_the_end(
    known: EventSnapshot, field: RankedField, reached: Mapping[EntryId, StageReached]
) -> None:
    """Place entries that stayed in pools among all of their pool, also those that advanced since."""
    last = max((each.round for each in known.sat), default=0)
    ends = {reached[entry].ended for entry in field.pools if entry in reached} - {last}
    for end in ends:
        then = counted_field(replace(known, sat=tuple(each for each in known.sat if each.round <= end)))
        for entry in field.pools:
            if entry in reached and reached[entry].ended == end:
                field.lines[entry].pool_place = then.lines[entry].pool_place


def rank_arrived(known: EventSnapshot, field: RankedField) -> tuple[Row, ...]:
    """Return the standings by their ``counted_field``: of all entries present for a round so far. An entry
    that never came has no rank, and is ahead of nobody who has lost."""
    if known.basis.version >= 4:
        there = _entries_there(known)
        field = replace(
            field, numbers={entry: field.numbers[entry] for entry in field.numbers if entry in there}
        )
    return rank_field(field)


def _entries_there(known: EventSnapshot) -> set[EntryId]:
    """Return the entries present for a round so far; before the first round, all of them."""
    rounds = {each.round for each in known.sat}
    seated = {entry for each in known.sat for entry in (*each.a, *each.b)}
    return seated | {
        entrant.id for entrant in known.entrants if not rounds or any(map(entrant.is_present, rounds))
    }


def scores_of(known: EventSnapshot) -> dict[tuple[int, int], dict[EntryId, tuple[int, int]]]:
    """Return the scores of the played matches, by round and table: for each entry there its own and its
    opponents'. Scores are games, but points if one game is a match or the games are equal."""
    found: dict[tuple[int, int], dict[EntryId, tuple[int, int]]] = {}
    basis, sections = known.basis, {entrant.id: entrant.section for entrant in known.entrants}
    for sat in known.sat:
        for entry, result in results_of_table(sat) if sat.b else ():
            if result.kind is OutcomeKind.PLAYED:
                games = (result.games_won, result.games_lost)
                place = PhasePlace(stage=result.stage, section=sections.get(entry))
                length = basis.length_at(place, sat.round) if basis.phases else None
                games_to_win = basis.games_to_win if length is None else length.games_to_win
                counts_games = games_to_win != 1 and games[0] != games[1]
                points = (result.points_for, result.points_against)
                found.setdefault((sat.round, sat.table), {})[entry] = games if counts_games else points
    return found


def _stages_reached(known: EventSnapshot) -> Mapping[EntryId, StageReached]:
    """Return how far each entry came, if the plan has stages or brackets."""
    plan = known.basis.plan
    if not tells_how_far(plan):
        return {}
    played = played_of(known)
    return stages_reached(plan, played, stage_standings(plan, played, known.orders))


def _pools_reached(known: EventSnapshot, reached: Mapping[EntryId, StageReached]) -> dict[EntryId, str]:
    """Return the pool of each entry that is in a stage of pools, and in none after it."""
    return {
        entry: pool
        for index, stage in enumerate(known.basis.plan)
        if stage.format == POOLS
        for entry, pool in pools_in(known.sat, index).items()
        if entry not in reached or reached[entry].stage == index
    }


def _carry_over(basis: EventRules, far: StageReached | None, results: list[Result]) -> list[Result]:
    """Return the results of an entry that count in its stage: its own, and those that the stage carries on.

    An entry that has left misses no round of a stage that is for others.
    """
    if far is None:
        return results
    results = [each for each in results if each.kind not in MISSED or each.round <= far.ended]
    if basis.plan[far.stage].carried == "all":
        return results
    is_among = basis.plan[far.stage].carried == "among"
    return [
        result
        for result in results
        if result.round >= far.began
        or (is_among and result.opponents and far.members.issuperset((*result.opponents, *result.partners)))
    ]
