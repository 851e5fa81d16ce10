"""Bracket of each format, records of its slots, and the parts in which a reader sees it."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from engine.draws import DrawInput, Entrant, EntryId, PlayedPairing
from engine.draws.brackets.bracket_state import BracketState
from engine.draws.brackets.structure import Bracket, Slot
from engine.draws.formats.consolation import build_consolation
from engine.draws.formats.double_elimination import build_double_elimination
from engine.draws.formats.knockout import KnockoutSettings, build_knockout

from .values import PartKind, RoundKind

_KEY = re.compile(r"(?P<part>[A-Z]+?)(?P<place>\d+(?=\.))?\.?(?P<level>\d+)(-(?P<number>\d+))?")


class Label(NamedTuple):
    """The parsed key of a slot: ``W2-1`` is match 1 of level 2 of part W; ``P5.3-1`` is for place 5."""

    part: str
    place: int
    level: int
    number: int

    @classmethod
    def from_slot(cls, slot: Slot) -> "Label":
        found = _KEY.fullmatch(slot.key)
        if found is None:
            raise ValueError(f"a slot has no key like {slot.key}")
        return cls(found["part"], int(found["place"] or 1), int(found["level"]), int(found["number"] or 1))


def _build_knockout(draw_input: DrawInput) -> tuple[Bracket, tuple[EntryId, ...]]:
    return build_knockout(draw_input, KnockoutSettings.parse(draw_input.settings))


BRACKETS: Mapping[str, Callable[[DrawInput], tuple[Bracket, tuple[EntryId, ...]]]] = {
    "knockout": _build_knockout,
    "double_elimination": build_double_elimination,
    "consolation": build_consolation,
}
"""The function that returns the bracket of a field and its entries by seed, by format."""

PARTS: Mapping[str, Mapping[str, PartKind]] = {
    "knockout": {"W": PartKind.KNOCKOUT, "P": PartKind.PLACES},
    "double_elimination": {"W": PartKind.WINNERS, "L": PartKind.LOSERS, "F": PartKind.FINAL},
    "consolation": {"W": PartKind.GROUP_A, "L": PartKind.GROUP_B},
}
"""The parts by the letter of their slots, in reading order, by format."""


LAST_ROUNDS: Mapping[PartKind, tuple[RoundKind, ...]] = {
    PartKind.KNOCKOUT: (
        RoundKind.FINAL,
        RoundKind.SEMI_FINAL,
        RoundKind.QUARTER_FINAL,
        RoundKind.ROUND_OF_16,
        RoundKind.ROUND_OF_32,
    ),
    PartKind.GROUP_A: (RoundKind.FINAL, RoundKind.SEMI_FINAL, RoundKind.QUARTER_FINAL),
    PartKind.GROUP_B: (RoundKind.FINAL, RoundKind.SEMI_FINAL, RoundKind.QUARTER_FINAL),
}
"""Named rounds of each part, counted from its last round back."""

FIRST_ROUNDS: Mapping[PartKind, tuple[RoundKind, ...]] = {
    PartKind.FINAL: (RoundKind.FINAL, RoundKind.SECOND_FINAL),
}
"""Named rounds of each part, counted from its first round."""


def list_bracket_parts(format_key: str, bracket: Bracket) -> list[tuple[PartKind, int, tuple[Slot, ...]]]:
    """Return the parts in reading order: each with its kind, the best place played for in it, and its slots
    by level."""
    kinds = PARTS[format_key]
    letters = list(kinds)
    labels = {slot.key: Label.from_slot(slot) for slot in bracket.slots}
    reading_order = sorted(bracket.slots, key=lambda slot: (letters.index(labels[slot.key].part), labels[slot.key][1:]))
    by_part = groupby(reading_order, key=lambda slot: labels[slot.key][:2])
    return [(kinds[name], place, tuple(slots)) for (name, place), slots in by_part]


def get_level_kinds(kind: PartKind, slots: Iterable[Slot]) -> dict[str, RoundKind]:
    """Return the name of each level of a part, from its slots in order of level. A level is not always played
    in one round: an entry that arrives late at it plays it late."""
    levels = list(dict.fromkeys(slot.level for slot in slots))
    kinds = dict.fromkeys(levels, RoundKind.ROUND)
    kinds |= zip(reversed(levels), LAST_ROUNDS.get(kind, ()), strict=False)
    kinds |= zip(levels, FIRST_ROUNDS.get(kind, ()), strict=False)
    return kinds


def build_next_input(
    settings: Mapping[str, Any], entrants: Sequence[Entrant], history: Sequence[PlayedPairing]
) -> DrawInput:
    """Return the input from which the next round after this history would be drawn."""
    return DrawInput(
        round=1 + max((table.round for table in history if table.round > 0), default=0),
        entrants=tuple(entrants),
        history=tuple(history),
        settings=settings,
    )


def index_records_by_slot(history: Iterable[PlayedPairing]) -> dict[str, PlayedPairing]:
    """Return the record of each slot: the last one that decided it, else the last."""
    ordered = sorted(history, key=lambda table: (not table.b or table.winner is not None, table.round))
    return {table.slot: table for table in ordered if table.slot}


def is_skipped(state: BracketState, slot: Slot) -> bool:
    """Return whether this is a second final that is not needed: the undefeated side won the first one."""
    first_final = state.outcomes.get(slot.upset_final or "")
    return first_final is not None and first_final.winner == state.get_sides(slot)[0]
