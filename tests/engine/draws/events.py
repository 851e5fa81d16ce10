"""Builders of fields and simulated events, and counts that are independent of the code under test."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

from hypothesis import strategies as st

from engine.draws import Draw, DrawInput, DrawnBye, Entrant, EntryId, PlayedPairing, ReasonCode, draw
from rules import Side


def build_field(
    *entries: int,
    history: Iterable[PlayedPairing] = (),
    played_round: int = 0,
    seed: int = 1,
    **settings: Any,
) -> DrawInput:
    """Build the input of the next draw for these entries, best first, after this history."""
    history = tuple(history)
    return DrawInput(
        round=played_round or max((table.round for table in history), default=0) + 1,
        entrants=tuple(Entrant(id=EntryId(entry), number=entry + 1) for entry in entries),
        history=history,
        settings=settings,
        seed=seed,
    )


def build_pairing(played_round: int, a: int, b: int) -> PlayedPairing:
    return PlayedPairing(round=played_round, a=(EntryId(a),), b=(EntryId(b),))


def build_bye(played_round: int, entry: int) -> PlayedPairing:
    return PlayedPairing(round=played_round, a=(EntryId(entry),))


def play_round(drawn: Draw, winner: Callable[[], Side | None] = lambda: None) -> list[PlayedPairing]:
    """Return the drawn round in the form of the history."""
    tables = [
        PlayedPairing(round=drawn.round, table=table.number, slot=table.slot, a=table.a, b=table.b, winner=winner())
        for table in drawn.tables
    ]
    return tables + [_play_bye(drawn.round, bye) for bye in drawn.byes]


def _play_bye(played_round: int, bye: DrawnBye) -> PlayedPairing:
    losers = (
        each.details["entry"] for each in bye.reasons if each.code is ReasonCode.UNOPPOSED and "entry" in each.details
    )
    b = tuple(losers)
    return PlayedPairing(round=played_round, a=(bye.entry,), b=b, slot=bye.slot, is_forfeit=bool(b))


def list_pairs(drawn: Draw) -> set[frozenset[int]]:
    """Return the pairs of entries that meet."""
    return {frozenset((*table.a, *table.b)) for table in drawn.tables}


def list_byes(drawn: Draw) -> list[int]:
    return [bye.entry for bye in drawn.byes]


def simulate_event(
    format_key: str, entries: int, rounds: int, /, *, seed: int, **settings: Any
) -> list[tuple[DrawInput, Draw]]:
    """Return every round of an event without withdrawals, with the input of its draw; a win counts 2 points."""
    chance = Random(seed)
    history: list[PlayedPairing] = []
    scores: Counter[int] = Counter()
    drawn_rounds = []
    for number in range(1, rounds + 1):
        entrants = tuple(
            Entrant(id=EntryId(entry), number=entry + 1, score=scores[entry])
            for entry in sorted(range(entries), key=lambda entry: (-scores[entry], entry))
        )
        before = DrawInput(
            round=number,
            entrants=entrants,
            history=tuple(history),
            settings=settings,
            seed=1000 * seed + number,
        )
        drawn = draw(format_key, before)
        drawn_rounds.append((before, drawn))
        for table in play_round(drawn, winner=lambda: chance.choice(list(Side))):
            winners = table.a if table.winner is not Side.B else table.b
            points = dict.fromkeys(winners, 2)
            came = (scores[table.a[0]], scores[table.b[0]]) if table.b else (0, 0)
            scores.update(points)
            history.append(
                PlayedPairing(round=number, table=table.table, a=table.a, b=table.b, winner=table.winner, scores=came)
            )
    return drawn_rounds


@dataclass(frozen=True)
class Counts:
    """Numbers of meetings of each pair, and of byes of each entry."""

    meetings: Counter[frozenset[int]]
    byes: Counter[int]

    @classmethod
    def from_history(cls, history: Iterable[PlayedPairing]) -> "Counts":
        history = list(history)
        return cls(
            meetings=Counter(frozenset((a, b)) for table in history for a in table.a for b in table.b),
            byes=Counter(entry for table in history if not table.b for entry in table.a),
        )


@st.composite
def fields(draw: st.DrawFn, most: int = 10) -> DrawInput:
    """Generate a small field after random rounds: with withdrawals, late entries and repeated meetings."""
    everybody = [EntryId(number) for number in range(draw(st.integers(0, most)))]
    history: list[PlayedPairing] = []
    for number in range(1, draw(st.integers(0, 15)) + 1):
        seats: list[EntryId | None] = [*everybody, *[None] * (len(everybody) // 3)]
        paired = zip(*[iter(draw(st.permutations(seats)))] * 2, strict=False)
        history += [
            PlayedPairing(round=number, a=(one,), b=() if other is None else (other,))
            for one, other in (pair if pair[0] is not None else pair[::-1] for pair in paired)
            if one is not None
        ]
    scores = {entry: draw(st.integers(0, 3)) for entry in everybody}
    entries = draw(st.permutations(everybody))[draw(st.integers(0, 3)) :]
    return DrawInput(
        round=max((table.round for table in history), default=0) + 1,
        entrants=tuple(Entrant(id=entry, number=entry + 1, score=scores[entry]) for entry in entries),
        history=tuple(history),
        seed=draw(st.integers()),
    )
