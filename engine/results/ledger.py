"""The ledger: the kind and the result of each round of each entry.

Draws, standings, seasons and explanations count rounds by the ledger alone: equal ledgers give equal
standings, in whatever order the director entered the facts.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from engine.draws import VERSION, Entrant, EntryId
from engine.draws.formats.round_robin import ANNUL
from engine.draws.settings import MIXES
from engine.draws.stages import POOLS, Stage, StagePlan, pools_in, stage_of_slot
from engine.phases import PhasePlace
from engine.ranking import MISSED, Outcome, OutcomeKind, Result
from rules import MatchFormat, Side

from .values import SAT_OUT_COUNTS, SCHEDULED, ByeReason, EventRules, EventSnapshot, PlayedTable

Ledger = Mapping[EntryId, list[Result]]

SCHEDULED_SINCE = 7
"""The version of draws from which on a scheduled bye is a kind of its own."""


def ledger_of(known: EventSnapshot) -> Ledger:
    """Return the counted rounds of each entry: tables with a result, byes, and missed rounds."""
    ledger: dict[EntryId, list[Result]] = {entrant.id: [] for entrant in known.entrants}
    played: dict[int, str] = {}
    annulled = frozenset(_left_early(known))
    for each in known.sat:
        played.setdefault(each.round, each.slot)
        for entry, result in results_of_table(each) if each.b else _bye(each, known.basis):
            if entry in ledger:
                is_annulled = annulled and any(
                    (result.stage, other) in annulled for other in (entry, *result.opponents)
                )
                ledger[entry].append(replace(result, kind=OutcomeKind.ANNULLED) if is_annulled else result)
    for entrant in known.entrants:
        there = {result.round for result in ledger[entrant.id]}
        for number in sorted(played.keys() - there):
            if (kind := reason_missed(entrant, number)) is not None:
                ledger[entrant.id].append(Result(round=number, outcome=Outcome.LOST, kind=kind))
    return _with_lengths(known, ledger, played) if known.basis.phases else ledger


def _with_lengths(known: EventSnapshot, ledger: Ledger, slots: Mapping[int, str]) -> Ledger:
    """Return the ledger with the match length of each round, where its phase has its own. A missed round
    belongs to a stage of its number (``slots``)."""
    basis, sections = known.basis, {entrant.id: entrant.section for entrant in known.entrants}

    def length(entry: EntryId, result: Result) -> MatchFormat | None:
        stage = stage_of_slot(slots[result.round]) if result.kind in MISSED else result.stage
        place = PhasePlace(stage=stage, section=sections[entry])
        return basis.length_at(place, result.round)

    return {
        entry: [replace(result, length=length(entry, result)) for result in results]
        for entry, results in ledger.items()
    }


def reason_missed(entrant: Entrant, number: int) -> OutcomeKind | None:
    """Return why an entry was not drawn for a round; None if it was present."""
    if entrant.has_left(number) or number in entrant.withdrawn:
        return OutcomeKind.WITHDRAWN
    if number < entrant.arrives:
        return OutcomeKind.LATE
    if number not in entrant.absent:
        return None
    return OutcomeKind.EXCUSED if number in entrant.excused else OutcomeKind.ABSENT


def results_of_table(sat: PlayedTable) -> Iterator[tuple[EntryId, Result]]:
    """Yield the result of a table for each entry there; nothing while it has none."""
    if sat.outcome is None:
        return
    stage = stage_of_slot(sat.slot)
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
                    stage=stage,
                    **counted,
                ),
            )


def kind_of_bye(plan: StagePlan, slot: str, why: ByeReason, *, version: int = VERSION) -> OutcomeKind | None:
    """Return the kind of round that the ranking counts for a bye; None: nothing."""
    kind = SAT_OUT_COUNTS[why]
    is_scheduled = plan[stage_of_slot(slot)].format in SCHEDULED and version >= SCHEDULED_SINCE
    return OutcomeKind.SCHEDULED_BYE if kind is OutcomeKind.BYE and is_scheduled else kind


def _left_early(known: EventSnapshot) -> Iterator[tuple[int, EntryId]]:
    """Yield the entries that left a stage before half of its schedule, if that annuls their results."""
    last = max((sat.round for sat in known.sat), default=0)
    gone = {entrant.id for entrant in known.entrants if entrant.has_left(last + 1)}
    for place, stage in enumerate(known.basis.plan):
        if not gone or stage.settings.get("leavers") != ANNUL:
            continue
        sat = [each for each in known.sat if stage_of_slot(each.slot) == place]
        group_of = _groups(known.entrants, stage, place, sat)
        sizes = Counter(group_of.values())
        played = Counter(
            entry
            for each in sat
            if each.outcome is not None and not each.is_forfeit
            for entry in (*each.a, *each.b)
        )
        for entry in sorted(gone & group_of.keys()):
            if 2 * played[entry] < stage.settings.get("legs", 1) * (sizes[group_of[entry]] - 1):
                yield place, entry


def _groups(
    entrants: Iterable[Entrant], stage: Stage, place: int, sat: Iterable[PlayedTable]
) -> Mapping[EntryId, str | None]:
    """Return the group of each entry in which everybody meets everybody: a pool, a section, or the whole
    stage."""
    if stage.format == POOLS:
        return pools_in(sat, place)
    seated = {entry for each in sat for entry in (*each.a, *each.b)}
    mixes = stage.settings.get(MIXES, False)
    return {entrant.id: None if mixes else entrant.section for entrant in entrants if entrant.id in seated}


def _bye(sat: PlayedTable, basis: EventRules) -> Iterator[tuple[EntryId, Result]]:
    kind = kind_of_bye(basis.plan, sat.slot, sat.sat_out, version=basis.version)
    if kind is None:
        return
    result = Result(round=sat.round, outcome=Outcome.WON, kind=kind, stage=stage_of_slot(sat.slot))
    for entry in sat.a:
        yield entry, result


def _forfeit_result(ruling: Mapping[str, Any], side: Side) -> dict[str, Any]:
    outcome = Outcome.WON if ruling["winner"] == side.name else Outcome.LOST
    return {"outcome": outcome, "kind": OutcomeKind.FORFEIT}


def _of_cards(counted: Mapping[str, Any], side: Side) -> dict[str, Any]:
    """Return the fields of a result from a match's summary, or the director's result; a file that draws again
    has the winner alone."""
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
