"""The rounds played so far, as draws see them."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from itertools import groupby

from engine.draws import DrawInput, EntryId, PlayedPairing
from engine.draws.stages import StagePlan, get_slot_stage, list_block_rounds, list_blocks, sum_rounds
from engine.ranking import Outcome
from rules import Side

from .ledger import build_ledger
from .values import EventSnapshot, Orders, PlayedTable

WON = 2
SCORE_GAINS: Mapping[Outcome, int] = {Outcome.WON: WON, Outcome.DRAWN: 1, Outcome.LOST: 0}
"""The gain of a round in the score by which the Swiss draw groups, by its outcome in the ranking."""


def build_played_input(snapshot: EventSnapshot, *, round_number: int | None = None) -> DrawInput:
    """Return the entries in the order of the starting list with their scores, and all tables and byes; or
    those before a round."""
    history: list[PlayedPairing] = []
    scores: Counter[EntryId] = Counter()
    gains = _sum_gains_by_round(snapshot)
    tables = sorted(snapshot.tables, key=lambda each: (each.round, each.table, each.a))
    for number, round_tables in groupby(tables, key=lambda each: each.round):
        if round_number is None or number < round_number:
            history += [_build_pairing(each, scores) for each in round_tables]
            scores.update(gains[number])
    return DrawInput(
        round=max((table.round for table in history), default=0) + 1,
        entrants=tuple(replace(entrant, score=scores[entrant.id]) for entrant in snapshot.entrants),
        history=tuple(history),
        version=snapshot.basis.version,
    )


def list_first_rounds(plan: StagePlan, slots: Iterable[tuple[int, str]]) -> list[int]:
    """Return the first round of each group of stages, 0 for one that has not begun. ``slots`` are those of
    tables and byes, each with its round."""
    started: dict[int, int] = {}
    for number, slot in slots:
        if ":" in slot:
            stage = get_slot_stage(slot)
            started[stage] = min(number, started.get(stage, number))
    return [min((started[index] for index in block if index in started), default=0) for block in list_blocks(plan)]


def count_total_rounds(plan: StagePlan, slots: Collection[tuple[int, str]], sections: Collection[str]) -> int | None:
    """Return the rounds of an event: as played for stages that are over, at least as many as played for those under
    way, and as planned for later ones; None if open. ``slots`` as ``list_first_rounds`` takes them; ``sections`` are
    those of the entries."""
    last_round = max((number for number, _ in slots), default=0)
    starts = list_first_rounds(plan, slots)
    planned_rounds = list_block_rounds(plan, len(sections), sections)
    rounds: list[int | None] = []
    for planned, start, following in zip(planned_rounds, starts, [*starts[1:], 0], strict=True):
        if following:
            rounds.append(following - start)
        else:
            rounds.append(planned if planned is None or not start else max(planned, last_round - start + 1))
    return sum_rounds(rounds)


def list_stage_standings(plan: StagePlan, draw: DrawInput, orders: Orders) -> list[list[EntryId]]:
    """Return for each stage that another one follows all entries, best first, as it ended. Qualification is
    fixed with the first draw of the next stage, whatever is corrected later."""
    current_order = [entrant.id for entrant in draw.entrants]
    later_starts = list_first_rounds(plan, ((table.round, table.slot) for table in draw.history))[1:]
    return [
        list(orders.get(start, current_order))
        for block, start in zip(list_blocks(plan)[:-1], later_starts, strict=True)
        for _ in block
    ]


def _build_pairing(table: PlayedTable, scores: Counter[EntryId]) -> PlayedPairing:
    winner = (table.outcome or {}).get("winner")
    return PlayedPairing(
        round=table.round,
        a=table.a,
        b=table.b,
        table=table.table,
        slot=table.slot,
        winner=None if winner is None else Side[winner],
        scores=(_sum_scores(scores, table.a), _sum_scores(scores, table.b)) if table.b else (0, 0),
        is_forfeit=table.is_forfeit,
    )


def _sum_scores(scores: Counter[EntryId], entries: Iterable[EntryId]) -> int:
    return sum(scores[entry] for entry in entries)


def _sum_gains_by_round(snapshot: EventSnapshot) -> Mapping[int, Counter[EntryId]]:
    """Return what each round of the ledger added to each score."""
    rules = snapshot.basis.rules
    gains: defaultdict[int, Counter[EntryId]] = defaultdict(Counter)
    for entry, results in build_ledger(snapshot).items():
        for result in results:
            gains[result.round][entry] += SCORE_GAINS[rules.get_outcome(result)]
    return gains
