"""Contradictions of a correction: matches seated with entries other than those whom the results now bring
there.

A match that was played counts, even with other entries than expected: its consequences are no contradiction.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.draws import DrawInput, Entrant, EntryId, PlayedPairing
from engine.draws.brackets.bracket_state import BracketState, Sides
from engine.draws.brackets.settling import Settling, is_there
from engine.draws.brackets.structure import Seed, Slot

from .shapes import BRACKETS, after_all, is_skipped


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """A slot with the wrong entries, at this table (None: a walkover): ``seated`` should not be there, and
    ``expected`` should, as far as they are known."""

    round: int
    table: int | None
    slot: str
    seated: tuple[EntryId, ...]
    expected: tuple[EntryId, ...]


def contradictions(
    format_key: str,
    settings: Mapping[str, Any],
    entrants: Sequence[Entrant],
    history: Sequence[PlayedPairing],
    published: Sequence[PlayedPairing] = (),
    *,
    by_hand: Collection[str] = (),
) -> tuple[Contradiction, ...]:
    """Return the bracket slots whose entries differ from those that the results bring there, earliest first;
    empty for other formats.

    ``history`` has the results as corrected, ``published`` the tables of later rounds. In the slots
    ``by_hand`` the director has seated others, who hold the places of those who gave way. Refuses: what the
    settings refuse.
    """
    if format_key not in BRACKETS:
        return ()
    draw_input = after_all(settings, entrants, (*history, *published))
    reading = _Reading(draw_input, by_hand)
    reading.settle(*BRACKETS[format_key](draw_input))
    return tuple(reading.found)


class _Reading(Settling):
    """A bracket read from its first round on, by the results alone. Sitting in a match gives no claim to its
    place, except in the first match of both entries or where the director seated them."""

    def __init__(self, draw_input: DrawInput, by_hand: Collection[str]) -> None:
        super().__init__(draw_input.entrants, draw_input.history, draw_input.round)
        self.by_hand, self.found = by_hand, list[Contradiction]()

    def as_seated(self, settled: BracketState, slot: Slot) -> BracketState:
        is_seeded = all(isinstance(source, Seed) for source in slot.sources)
        return super().as_seated(settled, slot) if is_seeded or slot.key in self.by_hand else settled

    def by_record(self, settled: BracketState, slot: Slot) -> Sides | None:
        record = self.records[slot.key]
        if slot.key not in self.by_hand:
            self.found += self._contradictions(record, self._due(settled, slot, record))
        return super().by_record(settled, slot)

    def _due(self, now: BracketState, slot: Slot, record: PlayedPairing) -> list[EntryId]:
        """Return the entries who should sit there, as far as they are known."""
        if is_skipped(now, slot):
            return []
        due = [entry for entry in now.sides(slot) if entry is not None]
        first_final = self.records.get(slot.only_if_upset or "")
        if first_final is not None and first_final.b:
            due = [*first_final.a, *first_final.b]  # the same two once more
        if record.b:
            return due
        # A walkover: an entry that was not free to play is no contradiction.
        return [entry for entry in due if entry in record.a or self._is_free(entry, record.round)]

    def _contradictions(self, record: PlayedPairing, due: Sequence[EntryId]) -> Iterator[Contradiction]:
        came = (*record.a, *record.b)
        seated = tuple(entry for entry in came if entry not in due)
        expected = tuple(entry for entry in due if entry not in came)
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
        return not is_elsewhere and is_there(self.entrants.get(entry), played_round)
