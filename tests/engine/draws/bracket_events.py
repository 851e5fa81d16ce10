"""Whole bracket events, played with a given rule for results."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from hypothesis import strategies as st

from engine.draws import Draw, DrawInput, Entrant, EntryId, PlayedPairing, draw
from engine.draws.stages import StagePlan, is_bracket_slot
from rules import Side

Result = Callable[[int, int], bool]
"""Function that returns whether the first of two entries beats the second."""


def favourite_wins(one: int, other: int) -> bool:
    return one < other


def underdog_wins(one: int, other: int) -> bool:
    return one > other


def random_result(seed: int) -> Result:
    chance = Random(seed)
    return lambda one, other: chance.random() < 1 / 2


@dataclass
class Event:
    """A partly played event in which entry k is seed k; ``draw_input`` is the input of the next draw."""

    draw_input: DrawInput
    draws: list[Draw] = field(default_factory=list)

    @property
    def history(self) -> tuple[PlayedPairing, ...]:
        return self.draw_input.history

    @property
    def meetings(self) -> dict[str, tuple[int, int]]:
        """Return the two entries that met in each slot, the better seed first."""
        return {table.slot: (min(*table.a, *table.b), max(*table.a, *table.b)) for table in self.history if table.b}

    def count_losses(self, entry: int) -> int:
        return sum((table.b if table.winner is Side.A else table.a) == (entry,) for table in self.history if table.b)


def start(entrants: int, away: Mapping[int, Mapping[str, Any]] | None = None, **settings: Any) -> DrawInput:
    return DrawInput(
        round=1,
        entrants=tuple(
            Entrant(id=EntryId(number), number=number, **(away or {}).get(number, {}))
            for number in range(1, entrants + 1)
        ),
        settings=settings,
        seed=entrants,
    )


def play_next_round(event: Event, format_key: str, result: Result) -> Draw:
    drawn = draw(format_key, event.draw_input)
    record_round(event, drawn, result)
    return drawn


def record_round(event: Event, drawn: Draw, result: Result) -> None:
    """Play a drawn round and add it to the event."""
    tables = [
        PlayedPairing(
            round=drawn.round,
            table=table.number,
            slot=table.slot,
            a=table.a,
            b=table.b,
            winner=Side.A if result(table.a[0], table.b[0]) else Side.B,
        )
        for table in drawn.tables
    ]
    byes = [PlayedPairing(round=drawn.round, a=(bye.entry,), slot=bye.slot) for bye in drawn.byes]
    event.draws.append(drawn)
    event.draw_input = replace(
        event.draw_input,
        round=event.draw_input.round + 1,
        history=(*event.history, *tables, *byes),
        seed=drawn.seed + 1,
    )


def play(format_key: str, before: DrawInput, result: Result = favourite_wins, *, rounds: int = 30) -> Event:
    """Play an event until no round is left, or for this number of rounds."""
    return play_on(Event(draw_input=before), format_key, result, rounds=rounds)


def play_on(event: Event, format_key: str, result: Result = favourite_wins, *, rounds: int = 30) -> Event:
    for _ in range(rounds):
        play_next_round(event, format_key, result)
    return event


@st.composite
def fields_with_absentees(draw: st.DrawFn, most: int = 40) -> DrawInput:
    """Generate a field in which some entries miss rounds, request byes or withdraw."""
    count = draw(st.integers(0, most))
    absences = st.one_of(
        st.fixed_dictionaries({"leaves_after": st.integers(1, 6)}),
        st.fixed_dictionaries({"absent": st.frozensets(st.integers(1, 8), max_size=3)}),
        st.fixed_dictionaries({"requested_byes": st.frozensets(st.integers(1, 8), max_size=2)}),
    )
    away = draw(st.dictionaries(st.integers(1, max(1, count)), absences, max_size=8))
    return start(count, away)


def has_all_places(before: DrawInput, final: Mapping[EntryId, int]) -> bool:
    """Check that every entry has a place, except entries that were away.

    If both entries of a match are away, they are out and have no place.
    """
    away = {
        entrant.id
        for entrant in before.entrants
        if entrant.leaves_after is not None or entrant.absent or entrant.requested_byes
    }
    missing = {entrant.id for entrant in before.entrants} - final.keys()
    return missing <= away and (1 in final.values()) == bool(final)


def list_decided_slots(plan: StagePlan, drawn: Draw) -> set[str]:
    """Return the slots that a round of an event decides: its tables and, in a bracket, its walkovers."""
    walkovers = {bye.slot for bye in drawn.byes if is_bracket_slot(plan, bye.slot)}
    return walkovers | {table.slot for table in drawn.tables}
