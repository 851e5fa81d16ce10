"""The rounds played so far, as draws see them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import groupby

from engine.draws import DrawInput, EntryId, PlayedPairing
from engine.draws.stages import StagePlan, blocks, stage_of_slot
from engine.ranking import Outcome
from rules import Side

from .ledger import ledger_of
from .values import EventSnapshot, Orders, PlayedTable

WON = 2
GAINED: Mapping[Outcome, int] = {Outcome.WON: WON, Outcome.DRAWN: 1, Outcome.LOST: 0}
"""The gain of a round in the score by which the Swiss draw groups, by its outcome in the ranking."""


def played_of(known: EventSnapshot, *, before: int | None = None) -> DrawInput:
    """Return the entries in the order of the starting list with their scores, and all tables and byes; or
    those before a round."""
    history: list[PlayedPairing] = []
    scores: Counter[EntryId] = Counter()
    gained = _gained_by_round(known)
    sat = sorted(known.sat, key=lambda each: (each.round, each.table, each.a))
    for number, those in groupby(sat, key=lambda each: each.round):
        if before is None or number < before:
            history += [_pairing_of_table(each, scores) for each in those]
            scores.update(gained[number])
    return DrawInput(
        round=max((table.round for table in history), default=0) + 1,
        entrants=tuple(replace(entrant, score=scores[entrant.id]) for entrant in known.entrants),
        history=tuple(history),
    )


def first_rounds(plan: StagePlan, slots: Iterable[tuple[int, str]]) -> list[int]:
    """Return the first round of each group of stages, 0 for one that has not begun. ``slots`` are those of
    tables and byes, each with its round."""
    begun: dict[int, int] = {}
    for number, slot in slots:
        if ":" in slot:
            stage = stage_of_slot(slot)
            begun[stage] = min(number, begun.get(stage, number))
    return [min((begun[index] for index in block if index in begun), default=0) for block in blocks(plan)]


def stage_standings(plan: StagePlan, draw: DrawInput, orders: Orders) -> list[list[EntryId]]:
    """Return for each stage that another one follows all entries, best first, as it ended. Qualification is
    fixed with the first draw of the next stage, whatever is corrected later."""
    now = [entrant.id for entrant in draw.entrants]
    after = first_rounds(plan, ((table.round, table.slot) for table in draw.history))[1:]
    return [
        list(orders.get(following, now))
        for block, following in zip(blocks(plan)[:-1], after, strict=True)
        for _ in block
    ]


def _pairing_of_table(sat: PlayedTable, scores: Counter[EntryId]) -> PlayedPairing:
    winner = (sat.outcome or {}).get("winner")
    return PlayedPairing(
        round=sat.round,
        a=sat.a,
        b=sat.b,
        table=sat.table,
        slot=sat.slot,
        winner=None if winner is None else Side[winner],
        scores=(_sum(scores, sat.a), _sum(scores, sat.b)) if sat.b else (0, 0),
        is_forfeit=sat.is_forfeit,
    )


def _sum(scores: Counter[EntryId], entries: Iterable[EntryId]) -> int:
    return sum(scores[entry] for entry in entries)


def _gained_by_round(known: EventSnapshot) -> Mapping[int, Counter[EntryId]]:
    """Return what each round of the ledger added to each score."""
    rules = known.basis.rules
    gained: defaultdict[int, Counter[EntryId]] = defaultdict(Counter)
    for entry, results in ledger_of(known).items():
        for result in results:
            gained[result.round][entry] += GAINED[rules.outcome_of(result)]
    return gained
