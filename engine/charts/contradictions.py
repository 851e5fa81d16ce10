"""Contradictions of a correction: matches seated with entries other than those whom the results now bring
there.

A match that was played counts, even with other entries than expected: its consequences are no contradiction.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.draws import DrawInput, Entrant, EntryId, PlayedPairing
from engine.draws.brackets.bracket_state import BracketState, Sides
from engine.draws.brackets.settlement import BracketSettler, is_available
from engine.draws.brackets.structure import Seed, Slot

from .shapes import BRACKETS, build_next_input, is_skipped


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """A slot with the wrong entries, at this table (None: a walkover): ``seated`` should not be there, and
    ``expected`` should, as far as they are known."""

    round: int
    table: int | None
    slot: str
    seated: tuple[EntryId, ...]
    expected: tuple[EntryId, ...]


def find_contradictions(
    format_key: str,
    settings: Mapping[str, Any],
    entrants: Sequence[Entrant],
    history: Sequence[PlayedPairing],
    published_tables: Sequence[PlayedPairing] = (),
    *,
    manual_slots: Collection[str] = (),
) -> tuple[Contradiction, ...]:
    """Return the bracket slots whose entries differ from those that the results require, earliest first.

    Empty for formats without a bracket. ``history`` has the corrected results, ``published_tables`` the tables of
    later rounds. In ``manual_slots`` the director has seated other entries, which take the places of those they
    replaced. Refuses: invalid settings.
    """
    if format_key not in BRACKETS:
        return ()
    draw_input = build_next_input(settings, entrants, (*history, *published_tables))
    finder = _ContradictionFinder(draw_input, manual_slots)
    finder.settle(*BRACKETS[format_key](draw_input))
    return tuple(finder.found)


class _ContradictionFinder(BracketSettler):
    """A bracket read from its first round on, by the results alone. Sitting in a match gives no claim to its
    place, except in the first match of both entries or where the director seated them."""

    def __init__(self, draw_input: DrawInput, manual_slots: Collection[str]) -> None:
        super().__init__(draw_input.entrants, draw_input.history, draw_input.round)
        self.by_hand, self.found = manual_slots, list[Contradiction]()

    def apply_seating(self, state: BracketState, slot: Slot) -> BracketState:
        is_seeded = all(isinstance(source, Seed) for source in slot.sources)
        return super().apply_seating(state, slot) if is_seeded or slot.key in self.by_hand else state

    def decide_by_record(self, state: BracketState, slot: Slot) -> Sides | None:
        record = self.records[slot.key]
        if slot.key not in self.by_hand:
            self.found += self._find_contradictions(record, self._list_due_entries(state, slot, record))
        return super().decide_by_record(state, slot)

    def _list_due_entries(self, state: BracketState, slot: Slot, record: PlayedPairing) -> list[EntryId]:
        """Return the entries who should sit there, as far as they are known."""
        if is_skipped(state, slot):
            return []
        due_entries = [entry for entry in state.get_sides(slot) if entry is not None]
        first_final = self.records.get(slot.upset_final or "")
        if first_final is not None and first_final.b:
            due_entries = [*first_final.a, *first_final.b]  # the same two once more
        if record.b:
            return due_entries
        # A walkover: an entry that was not free to play is no contradiction.
        return [entry for entry in due_entries if entry in record.a or self._is_free(entry, record.round)]

    def _find_contradictions(self, record: PlayedPairing, due_entries: Sequence[EntryId]) -> Iterator[Contradiction]:
        seated_entries = (*record.a, *record.b)
        seated = tuple(entry for entry in seated_entries if entry not in due_entries)
        expected = tuple(entry for entry in due_entries if entry not in seated_entries)
        if seated or expected:
            yield Contradiction(
                round=record.round,
                table=record.table or None,
                slot=record.slot,
                seated=seated,
                expected=expected,
            )

    def _is_free(self, entry: EntryId, played_round: int) -> bool:
        is_elsewhere = (entry, played_round) in self.elsewhere
        return not is_elsewhere and is_available(self.entrants.get(entry), played_round)
