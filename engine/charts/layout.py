"""The layout of a bracket part: matches from top to bottom, each in the middle of those that it comes
from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine.draws.brackets.structure import Seed, Slot, SlotWinner

from .shapes import Label

MATCH_ROWS, BYE_ROWS = 2, 1
"""The rows of a match and of a bye that no other match leads to."""


@dataclass(frozen=True, slots=True)
class ByeSlot:
    """The place of a seed that does not play in the first round."""

    key: str
    seed: Seed


@dataclass(frozen=True, slots=True)
class PlacedMatch:
    """A match or a bye with its level and the rows it takes."""

    slot: Slot | ByeSlot
    level: int
    top: int
    rows: int

    @property
    def middle(self) -> int:
        """The middle of the place, in half rows from the top."""
        return 2 * self.top + self.rows


@dataclass(slots=True)
class BracketLayout:
    """The layout of a part of a bracket: its places by key, from top to bottom in each level."""

    slots: Sequence[Slot]
    rows: int = 0
    places: dict[str, PlacedMatch] = field(default_factory=dict)
    _slots_by_key: dict[str, Slot] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._slots_by_key = {slot.key: slot for slot in self.slots}
        origin_keys = {origin.key for slot in self.slots for origin in self._iterate_origins(slot)}
        for slot in self.slots:
            if slot.key not in origin_keys:
                self._place(slot)

    @property
    def levels(self) -> list[int]:
        return sorted({Label.from_slot(slot).level for slot in self.slots})

    @property
    def path(self) -> str:
        """Lines from the middle of each place to the middle of the one it leads to, as SVG path data: a level
        is 20 units wide, a row 2 units high."""
        column = {number: place for place, number in enumerate(self.levels)}
        return "".join(
            f"M{20 * column[one.level] + 10} {one.middle}"
            f"H{20 * column[other.level] - 1}V{other.middle}H{20 * column[other.level] + 10}"
            for slot in self.slots
            for origin in self._iterate_origins(slot)
            for one, other in [(self.places[origin.key], self.places[slot.key])]
        )

    def list_level(self, number: int) -> list[PlacedMatch]:
        return sorted(
            (placed_match for placed_match in self.places.values() if placed_match.level == number),
            key=lambda at: at.top,
        )

    def _place(self, slot: Slot) -> None:
        top = self.rows
        for origin in self._iterate_origins(slot):
            if isinstance(origin, ByeSlot):
                self._add_place(origin, self.levels[0], self.rows, BYE_ROWS)
            else:
                self._place(origin)
        self._add_place(slot, Label.from_slot(slot).level, top, self.rows - top or MATCH_ROWS)

    def _add_place(self, slot: Slot | ByeSlot, level: int, top: int, rows: int) -> None:
        self.places[slot.key] = PlacedMatch(slot, level, top, rows)
        self.rows = top + rows

    def _iterate_origins(self, slot: Slot) -> Iterator[Slot | ByeSlot]:
        """Return the matches of the same part that this one comes from, and the first-round byes that lead to
        it."""
        label = Label.from_slot(slot)
        for side, source in enumerate(slot.sources):
            if isinstance(source, SlotWinner) and source.slot in self._slots_by_key:
                yield self._slots_by_key[source.slot]
            elif isinstance(source, Seed) and label.level > 1:
                yield ByeSlot(f"{label.part}{label.level - 1}-{2 * label.number - 1 + side}", source)
        if slot.upset_final in self._slots_by_key:
            yield self._slots_by_key[slot.upset_final]
