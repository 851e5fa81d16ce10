"""What was played so far, as draws see it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import groupby

from engine.draws import DrawInput, EntryId, PlayedPairing
from engine.draws.stages import StagePlan, blocks, stage_of_slot
from engine.ranking import Bye, RankingRules
from rules import Side

from .values import ByeReason, EventSnapshot, Orders, PlayedTable

WON, DRAWN = 2, 1
"""What a match adds to the score by which the Swiss draw groups."""

WORTHS: Mapping[Bye, int] = {Bye.WIN: WON, Bye.DRAW: DRAWN, Bye.NOTHING: 0}
"""What a round that was not played adds to it, by the ranking of the event."""


def played_of(known: EventSnapshot, *, before: int | None = None) -> DrawInput:
    """The entries in the order of the starting list with their scores, and every table and bye; or those
    before a round."""
    history: list[PlayedPairing] = []
    scores: Counter[EntryId] = Counter()
    sat = sorted(known.sat, key=lambda each: (each.round, each.table, each.a))
    for number, those in groupby(sat, key=lambda each: each.round):
        if before is None or number < before:
            there: set[EntryId] = set()
            for each in those:
                history.append(_pairing_of_table(each, scores))
                _count(scores, each, known.basis.rules)
                there.update((*each.a, *each.b))
            for entrant in known.entrants:
                if (
                    entrant.id not in there
                    and not entrant.is_present(number)
                    and not entrant.has_left(number)
                ):
                    scores[entrant.id] += WORTHS[known.basis.rules.missed]
    return DrawInput(
        round=max((table.round for table in history), default=0) + 1,
        entrants=tuple(replace(entrant, score=scores[entrant.id]) for entrant in known.entrants),
        history=tuple(history),
    )


def first_rounds(plan: StagePlan, slots: Iterable[tuple[int, str]]) -> list[int]:
    """The first round of each group of stages, 0 of one that has not begun. ``slots`` are those of tables and
    byes, each with its round."""
    begun: dict[int, int] = {}
    for number, slot in slots:
        if ":" in slot:
            stage = stage_of_slot(slot)
            begun[stage] = min(number, begun.get(stage, number))
    return [min((begun[index] for index in block if index in begun), default=0) for block in blocks(plan)]


def stage_standings(plan: StagePlan, draw: DrawInput, orders: Orders) -> list[list[EntryId]]:
    """For each stage that another one follows, everybody best first as it was when the stage ended: who goes
    on is kept with the first draw of the next one, whatever is corrected later."""
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


def _count(scores: Counter[EntryId], sat: PlayedTable, rules: RankingRules) -> None:
    if not sat.b:
        sat_out = {ByeReason.TURN: WORTHS[rules.bye], ByeReason.ASKED: WORTHS[rules.missed]}
        scores.update(dict.fromkeys(sat.a, sat_out.get(sat.sat_out, 0)))
    elif sat.outcome is None:
        return
    elif sat.outcome["winner"] is not None:
        won = WORTHS[rules.forfeit] if sat.is_forfeit else WON
        scores.update(dict.fromkeys(sat.a if sat.outcome["winner"] == Side.A.name else sat.b, won))
    elif not sat.is_forfeit:
        scores.update(dict.fromkeys((*sat.a, *sat.b), DRAWN))
