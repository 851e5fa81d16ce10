"""Which bracket a format plays, what became of its slots, and the parts that a reader tells apart."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from engine.draws import DrawInput, Entrant, EntryId, PlayedPairing
from engine.draws.brackets.bracket_state import BracketState
from engine.draws.brackets.structure import Bracket, Slot
from engine.draws.formats.consolation import consolation_of
from engine.draws.formats.double_elimination import double_elimination_of
from engine.draws.formats.knockout import KnockoutSettings, knockout_of

from .values import PartKind, RoundKind

_KEY = re.compile(r"(?P<part>[A-Z]+?)(?P<place>\d+(?=\.))?\.?(?P<level>\d+)(-(?P<number>\d+))?")


class Label(NamedTuple):
    """What the key of a slot says: ``W2-1`` is match 1 of level 2 of part W; ``P5.3-1`` is for place 5."""

    part: str
    place: int
    level: int
    number: int

    @classmethod
    def of(cls, slot: Slot) -> "Label":
        found = _KEY.fullmatch(slot.key)
        if found is None:
            raise ValueError(f"a slot has no key like {slot.key}")
        return cls(found["part"], int(found["place"] or 1), int(found["level"]), int(found["number"] or 1))


def _knockout(draw_input: DrawInput) -> tuple[Bracket, tuple[EntryId, ...]]:
    return knockout_of(draw_input, KnockoutSettings.of(draw_input.settings))


BRACKETS: Mapping[str, Callable[[DrawInput], tuple[Bracket, tuple[EntryId, ...]]]] = {
    "knockout": _knockout,
    "double_elimination": double_elimination_of,
    "consolation": consolation_of,
}
"""By format, the bracket of a field and who is in it, by seed."""

PARTS: Mapping[str, Mapping[str, PartKind]] = {
    "knockout": {"W": PartKind.KNOCKOUT, "P": PartKind.PLACES},
    "double_elimination": {"W": PartKind.WINNERS, "L": PartKind.LOSERS, "F": PartKind.FINAL},
    "consolation": {"W": PartKind.GROUP_A, "L": PartKind.GROUP_B},
}
"""By format, the parts by the letter of their slots, in the order in which they are read."""


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
"""The rounds that have a name, from the last one back."""

FIRST_ROUNDS: Mapping[PartKind, tuple[RoundKind, ...]] = {
    PartKind.FINAL: (RoundKind.FINAL, RoundKind.SECOND_FINAL),
}
"""Those that have one from the first on."""


def bracket_parts(format_key: str, bracket: Bracket) -> list[tuple[PartKind, int, tuple[Slot, ...]]]:
    """The parts in the order in which they are read: which one it is, the best place that is played for in
    it, and its slots, level by level."""
    kinds = PARTS[format_key]
    letters = list(kinds)
    labels = {slot.key: Label.of(slot) for slot in bracket.slots}
    reading_order = sorted(
        bracket.slots, key=lambda slot: (letters.index(labels[slot.key].part), labels[slot.key][1:])
    )
    by_part = groupby(reading_order, key=lambda slot: labels[slot.key][:2])
    return [(kinds[name], place, tuple(slots)) for (name, place), slots in by_part]


def level_kinds(kind: PartKind, slots: Iterable[Slot]) -> dict[str, RoundKind]:
    """What each level of a part is called, of its slots level by level. A level is not always played in one
    round: who comes late to it plays it late."""
    levels = list(dict.fromkeys(slot.level for slot in slots))
    kinds = dict.fromkeys(levels, RoundKind.ROUND)
    kinds |= zip(reversed(levels), LAST_ROUNDS.get(kind, ()), strict=False)
    kinds |= zip(levels, FIRST_ROUNDS.get(kind, ()), strict=False)
    return kinds


def after_all(
    settings: Mapping[str, Any], entrants: Sequence[Entrant], history: Sequence[PlayedPairing]
) -> DrawInput:
    """What the next round of these would be drawn from."""
    return DrawInput(
        round=1 + max((table.round for table in history if table.round > 0), default=0),
        entrants=tuple(entrants),
        history=tuple(history),
        settings=settings,
    )


def records_by_slot(history: Iterable[PlayedPairing]) -> dict[str, PlayedPairing]:
    """By slot what was recorded for it: the last that decided it, else the last."""
    in_turn = sorted(history, key=lambda table: (not table.b or table.winner is not None, table.round))
    return {table.slot: table for table in in_turn if table.slot}


def is_skipped(settled: BracketState, slot: Slot) -> bool:
    """Whether this is a second final that is not played: the first one was won by who had not yet lost."""
    first_final = settled.outcomes.get(slot.only_if_upset or "")
    return first_final is not None and first_final.winner == settled.sides(slot)[0]
