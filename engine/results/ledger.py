"""The ledger: the kind and the result of each round of each entry.

Draws, standings, seasons and explanations count rounds by the ledger alone: equal ledgers give equal
standings, in whatever order the director entered the facts.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from engine.draws import VERSION, Entrant, EntryId
from engine.draws.formats.round_robin import ANNUL
from engine.draws.settings import MIXES
from engine.draws.stages import POOLS, Stage, StagePlan, get_pools_by_entry, get_slot_stage, list_blocks
from engine.phases import PhasePlace
from engine.ranking import UNPLAYED_KINDS, Outcome, OutcomeKind, Result
from rules import Side

from .values import BYE_KINDS, FINAL_LINES_VERSION, SCHEDULED_FORMATS, ByeReason, EventRules, EventSnapshot, PlayedTable

Ledger = Mapping[EntryId, list[Result]]

SCHEDULED_BYE_VERSION = 7
"""The version of draws from which on a scheduled bye is a kind of its own."""


def build_ledger(snapshot: EventSnapshot) -> Ledger:
    """Return the counted rounds of each entry: tables with a result, byes, and missed rounds. These belong to a stage
    of the round: of those side by side, the one in which the entry was seated."""
    ledger: dict[EntryId, list[Result]] = {entrant.id: [] for entrant in snapshot.entrants}
    blocks = {stage: block for block in list_blocks(snapshot.basis.plan) for stage in block}
    played: dict[int, int] = {}
    seated: defaultdict[EntryId, set[int]] = defaultdict(set)
    annulled_entries = frozenset(_find_early_leavers(snapshot))
    for each in snapshot.tables:
        played.setdefault(each.round, get_slot_stage(each.slot))
        for entry in (*each.a, *each.b):
            seated[entry].add(get_slot_stage(each.slot))
        for entry, result in iterate_table_results(each) if each.b else _iterate_bye_results(each, snapshot.basis):
            if entry in ledger:
                is_annulled = annulled_entries and any(
                    (result.stage, other) in annulled_entries for other in (entry, *result.opponents)
                )
                ledger[entry].append(replace(result, kind=OutcomeKind.ANNULLED) if is_annulled else result)
    for entrant in snapshot.entrants:
        played_rounds = {result.round for result in ledger[entrant.id]}
        for number in sorted(played.keys() - played_rounds):
            if (kind := get_missed_kind(entrant, number)) is not None:
                own_stages = (stage for stage in blocks.get(played[number], ()) if stage in seated[entrant.id])
                stage = next(own_stages, played[number]) if snapshot.basis.version >= FINAL_LINES_VERSION else 0
                ledger[entrant.id].append(Result(round=number, outcome=Outcome.LOST, kind=kind, stage=stage))
    if snapshot.basis.version >= FINAL_LINES_VERSION:
        _mark_made_up_rounds(snapshot, ledger)
    return _add_phase_settings(snapshot, ledger) if snapshot.basis.phases else ledger


_MADE_UP_KINDS = frozenset({OutcomeKind.REQUESTED_BYE, OutcomeKind.LATE, OutcomeKind.ABSENT, OutcomeKind.EXCUSED})


def _mark_made_up_rounds(snapshot: EventSnapshot, ledger: Ledger) -> None:
    """Mark the rounds that an entry missed beyond the matches that it has not had in its round robin or pool: there it
    had a bye, or the match was played later."""
    departed = _list_departed(snapshot)
    for place, stage in enumerate(snapshot.basis.plan):
        if stage.format not in SCHEDULED_FORMATS:
            continue
        tables = [each for each in snapshot.tables if get_slot_stage(each.slot) == place]
        groups = _get_groups(snapshot.entrants, stage, place, tables)
        met, legs = Counter(frozenset((*each.a, *each.b)) for each in tables), stage.settings.get("legs", 1)
        for entry, group in groups.items():
            results = ledger.get(entry, [])
            missed = [at for at, each in enumerate(results) if each.stage == place and each.kind in _MADE_UP_KINDS]
            if missed:
                others = {other for other, theirs in groups.items() if theirs == group} - {entry, *departed}
                unmet_count = sum(max(0, legs - met[frozenset((entry, other))]) for other in others)
                for at in missed[: max(0, len(missed) - unmet_count)]:
                    results[at] = replace(results[at], kind=OutcomeKind.MADE_UP)


def _add_phase_settings(snapshot: EventSnapshot, ledger: Ledger) -> Ledger:
    """Return the ledger with the match length of each round, where its phase has its own, and the value of
    each round without play."""
    basis, sections = snapshot.basis, {entrant.id: entrant.section for entrant in snapshot.entrants}

    def add_settings(entry: EntryId, result: Result) -> Result:
        place, value = PhasePlace(stage=result.stage, section=sections[entry]), None
        if result.kind in UNPLAYED_KINDS:
            value = basis.get_phase_rules(place, result.round).get_unplayed_value(result.kind)
        return replace(result, length=basis.get_length(place, result.round), value=value)

    return {entry: [add_settings(entry, result) for result in results] for entry, results in ledger.items()}


def get_missed_kind(entrant: Entrant, number: int) -> OutcomeKind | None:
    """Return why an entry was not drawn for a round; None if it was present."""
    if entrant.has_left(number) or number in entrant.withdrawn:
        return OutcomeKind.WITHDRAWN
    if number < entrant.arrives:
        return OutcomeKind.LATE
    if number not in entrant.absent:
        return None
    return OutcomeKind.EXCUSED if number in entrant.excused else OutcomeKind.ABSENT


def iterate_table_results(table: PlayedTable) -> Iterator[tuple[EntryId, Result]]:
    """Yield the result of a table for each entry there; nothing while it has none."""
    if table.outcome is None:
        return
    stage = get_slot_stage(table.slot)
    for side, entries, others in ((Side.A, table.a, table.b), (Side.B, table.b, table.a)):
        result_fields = (_build_forfeit_result if table.is_forfeit else _build_card_result)(table.outcome, side)
        for entry in entries:
            yield (
                entry,
                Result(
                    round=table.round,
                    opponents=others,
                    partners=tuple(other for other in entries if other != entry),
                    table=table.table,
                    stage=stage,
                    **result_fields,
                ),
            )


def get_bye_kind(plan: StagePlan, slot: str, reason: ByeReason, *, version: int = VERSION) -> OutcomeKind | None:
    """Return the kind of round that the ranking counts for a bye; None: nothing."""
    kind = BYE_KINDS[reason]
    is_scheduled = plan[get_slot_stage(slot)].format in SCHEDULED_FORMATS and version >= SCHEDULED_BYE_VERSION
    return OutcomeKind.SCHEDULED_BYE if kind is OutcomeKind.BYE and is_scheduled else kind


def _find_early_leavers(snapshot: EventSnapshot) -> Iterator[tuple[int, EntryId]]:
    """Yield the entries that left a stage before half of its schedule, if that annuls their results."""
    departed = _list_departed(snapshot)
    for place, stage in enumerate(snapshot.basis.plan):
        if not departed or stage.settings.get("leavers") != ANNUL:
            continue
        tables = [each for each in snapshot.tables if get_slot_stage(each.slot) == place]
        groups = _get_groups(snapshot.entrants, stage, place, tables)
        sizes = Counter(groups.values())
        played = Counter(
            entry for each in tables if each.outcome is not None and not each.is_forfeit for entry in (*each.a, *each.b)
        )
        for entry in sorted(departed & groups.keys()):
            if 2 * played[entry] < stage.settings.get("legs", 1) * (sizes[groups[entry]] - 1):
                yield place, entry


def _list_departed(snapshot: EventSnapshot) -> set[EntryId]:
    """Return the entries that have left for good."""
    last = max((tables.round for tables in snapshot.tables), default=0)
    return {entrant.id for entrant in snapshot.entrants if entrant.has_left(last + 1)}


def _get_groups(
    entrants: Iterable[Entrant], stage: Stage, place: int, tables: Iterable[PlayedTable]
) -> Mapping[EntryId, str | None]:
    """Return the group of each entry in which everybody meets everybody: a pool, a section, or the whole
    stage."""
    if stage.format == POOLS:
        return get_pools_by_entry(tables, place)
    seated = {entry for each in tables for entry in (*each.a, *each.b)}
    mixes = stage.settings.get(MIXES, False)
    return {entrant.id: None if mixes else entrant.section for entrant in entrants if entrant.id in seated}


def _iterate_bye_results(bye: PlayedTable, basis: EventRules) -> Iterator[tuple[EntryId, Result]]:
    kind = get_bye_kind(basis.plan, bye.slot, bye.bye_reason, version=basis.version)
    if kind is None:
        return
    result = Result(round=bye.round, outcome=Outcome.WON, kind=kind, stage=get_slot_stage(bye.slot))
    for entry in bye.a:
        yield entry, result


def _build_forfeit_result(ruling: Mapping[str, Any], side: Side) -> dict[str, Any]:
    outcome = Outcome.WON if ruling["winner"] == side.name else Outcome.LOST
    return {"outcome": outcome, "kind": OutcomeKind.FORFEIT}


def _build_card_result(summary: Mapping[str, Any], side: Side) -> dict[str, Any]:
    """Return the fields of a result from a match's summary, or the director's result; a file that draws again
    has the winner alone."""
    winner = summary["winner"]
    outcome = Outcome.DRAWN if winner is None else Outcome.LOST
    if winner == side.name:
        outcome = Outcome.WON
    games, points = summary.get("games_won", (0, 0)), summary.get("points", (0, 0))
    return {
        "outcome": outcome,
        "games_won": games[side],
        "games_lost": games[side.other],
        "points_for": points[side],
        "points_against": points[side.other],
        "contracts_made": summary.get("made", (0, 0))[side],
        "charlemagnes": summary.get("charlemagnes", (0, 0))[side],
    }
