"""Fields and simulated events of individuals who play with changing partners at tables of four."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations, product
from random import Random
from typing import Any

from hypothesis import strategies as st

from engine.draws import Draw, DrawInput, Entrant, EntryId, Partners, PlayedPairing, draw
from rules import Side

from .events import play_round


def build_pairing_of_four(played_round: int, a: tuple[int, int], b: tuple[int, int]) -> PlayedPairing:
    return PlayedPairing(round=played_round, a=make_partners(a), b=make_partners(b))


def make_partners(entries: Iterable[int]) -> Partners:
    return tuple(EntryId(entry) for entry in entries)


def list_sides(drawn: Draw) -> set[frozenset[frozenset[int]]]:
    """Return the partners and opponents at each table."""
    return {frozenset((frozenset(table.a), frozenset(table.b))) for table in drawn.tables}


def make_sides(a: Iterable[int], b: Iterable[int]) -> frozenset[frozenset[int]]:
    return frozenset((frozenset(a), frozenset(b)))


def count_partners(history: Iterable[PlayedPairing]) -> Counter[frozenset[int]]:
    """Return how often each two people were partners."""
    return Counter(
        frozenset(pair) for table in history for side in (table.a, table.b) for pair in combinations(side, 2)
    )


def count_opponents(history: Iterable[PlayedPairing]) -> Counter[frozenset[int]]:
    """Return how often each two people were opponents."""
    return Counter(frozenset(pair) for table in history for pair in product(table.a, table.b))


@st.composite
def people_fields(draw: st.DrawFn, most: int = 13) -> DrawInput:
    """Generate a small field of people after random rounds at tables of four; some have left, some are new."""
    everybody = [EntryId(number) for number in range(draw(st.integers(0, most)))]
    history: list[PlayedPairing] = []
    rounds = draw(st.integers(0, 6))
    for number in range(1, rounds + 1):
        order = draw(st.permutations(everybody))
        whole = len(order) - len(order) % 4
        for first in range(0, whole, 4):
            one, two, three, last = order[first : first + 4]
            history.append(PlayedPairing(round=number, a=(one, two), b=(three, last)))
        history += [PlayedPairing(round=number, a=(entry,)) for entry in order[whole:]]
    present = draw(st.permutations(everybody))[draw(st.integers(0, 2)) :]
    entrants = [Entrant(id=entry, number=entry + 1, score=draw(st.integers(0, 3))) for entry in present]
    return DrawInput(
        round=rounds + 1,
        entrants=tuple(sorted(entrants, key=lambda entrant: -entrant.score)),
        history=tuple(history),
        seed=draw(st.integers()),
    )


def simulate_people_event(
    format_key: str, people: int, rounds: int, *, seed: int, **settings: Any
) -> list[tuple[DrawInput, Draw]]:
    """Return every round of an event without withdrawals; a win and a bye count 2 points."""
    chance = Random(seed)
    before = DrawInput(
        round=1,
        entrants=tuple(Entrant(id=EntryId(entry), number=entry + 1) for entry in range(people)),
        settings=settings,
        seed=seed,
    )
    drawn_rounds = []
    for number in range(1, rounds + 1):
        drawn = draw(format_key, before)
        drawn_rounds.append((before, drawn))
        tables = play_round(drawn, winner=lambda: chance.choice(list(Side)))
        points = Counter(entry for table in tables for entry in (table.b if table.winner is Side.B else table.a))
        entrants = [replace(e, score=e.score + 2 * points[e.id]) for e in before.entrants]
        before = replace(
            before,
            round=number + 1,
            entrants=tuple(sorted(entrants, key=lambda e: (-e.score, e.number))),
            history=(*before.history, *tables),
            seed=seed + number,
        )
    return drawn_rounds
