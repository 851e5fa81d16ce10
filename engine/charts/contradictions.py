"""What a correction contradicts: who sat, or is to sit, in a match to which the results now bring another.

A match that was played counts, whoever should have played it: what follows from it is no contradiction.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from engine.draws import DrawInput, Entrant, EntryId, PlayedPairing
from engine.draws.brackets.bracket_state import BracketOutcome, BracketState, Sides, is_there, settle_bracket
from engine.draws.brackets.structure import Bracket, Seed, Slot

from .shapes import BRACKETS, after_all, is_skipped, records_by_slot


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """For this slot, at this table (None: a walkover), ``seated`` are those who should not be there, and
    ``expected`` those who should, as far as they are known."""

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
    """Where a bracket has somebody whom its results do not bring there, earliest first; none elsewhere.

    ``history`` has the results as corrected, ``published`` the tables of later rounds. In the slots
    ``by_hand`` the director has seated others, who hold the places of those who gave way. Refuses: what the
    settings refuse.
    """
    if format_key not in BRACKETS:
        return ()
    draw_input = after_all(settings, entrants, (*history, *published))
    bracket, seeds = BRACKETS[format_key](draw_input)
    return tuple(_Reading(draw_input, by_hand).contradictions(BracketState(bracket, seeds, {})))


class _Reading:
    """A bracket read from its first round on, by the results alone: who sat in a match has nobody's place by
    that, unless the director wanted it so."""

    def __init__(self, draw_input: DrawInput, by_hand: Collection[str]) -> None:
        self.draw_input, self.by_hand = draw_input, by_hand
        self.entrants = {entrant.id: entrant for entrant in draw_input.entrants}
        self.records = records_by_slot(draw_input.history)
        self.tables: defaultdict[int, list[PlayedPairing]] = defaultdict(list)
        for table in draw_input.history:
            if table.b:
                self.tables[table.round].append(table)

    def contradictions(self, now: BracketState) -> Iterator[Contradiction]:
        in_turn = sorted(now.bracket.slots, key=lambda slot: slot.round)
        have_played: set[EntryId | None] = set()
        for _, of_round in groupby(in_turn, key=lambda slot: slot.round):
            slots = list(of_round)
            for slot in slots:
                if slot.key in self.by_hand:
                    now = self._exchange(now, slot)
            found: dict[str, BracketOutcome] = {}
            for slot in slots:
                decided = self._decide(now, slot)
                if decided is not None:
                    winner, loser = decided
                    found[slot.key] = BracketOutcome(winner, loser, is_first=loser not in have_played)
                    have_played |= {winner, loser} if loser is not None else set()
                record = self.records.get(slot.key)
                if record is not None and slot.key not in self.by_hand:
                    yield from self._contradictions(record, self._due(now, slot, record))
            now = replace(now, outcomes={**now.outcomes, **found})

    def _due(self, now: BracketState, slot: Slot, record: PlayedPairing) -> list[EntryId]:
        """Who should sit there, as far as that is known."""
        if is_skipped(now, slot):
            return []
        due = [entry for entry in now.sides(slot) if entry is not None]
        first_final = self.records.get(slot.only_if_upset or "")
        if first_final is not None and first_final.b:
            due = [*first_final.a, *first_final.b]  # the same two once more
        if record.b:
            return due
        # A walkover: who was not free to play was rightly not waited for.
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

    def _decide(self, now: BracketState, slot: Slot) -> Sides | None:
        """Winner and loser by the record, else for want of the other side; None while it is open."""
        if is_skipped(now, slot):
            return now.outcomes[slot.only_if_upset or ""][:2]
        one, other = sides = now.sides(slot)
        record = self.records.get(slot.key)
        if record is not None and not record.b:
            expected = (entry for entry in sides if entry is not None and entry != record.a[0])
            return record.a[0], next(expected, None)
        if record is not None and record.winner is not None:
            both = record.a[0], record.b[0]
            return both[record.winner], both[record.winner.other]
        if not slot.origins <= now.outcomes.keys():
            return None
        if one is None or other is None:
            return (other if one is None else one), None
        return None if record is not None else self._without_a_table(slot, one, other)

    def _without_a_table(self, slot: Slot, one: EntryId, other: EntryId) -> Sides | None:
        """Which of the two was there, by the same rule as in any bracket."""
        alone = Bracket((replace(slot, sources=(Seed(1), Seed(2)), only_if_upset=None),), ())
        settled = settle_bracket(
            alone,
            (one, other),
            (self.entrants[entry] for entry in (one, other) if entry in self.entrants),
            self.tables[slot.round],
            before_round=self.draw_input.round,
        )
        return settled.outcomes[slot.key][:2] if slot.key in settled.outcomes else None

    def _is_free(self, entry: EntryId, played_round: int) -> bool:
        is_elsewhere = any(entry in (*table.a, *table.b) for table in self.tables[played_round])
        return not is_elsewhere and is_there(self.entrants.get(entry), played_round)

    def _exchange(self, now: BracketState, slot: Slot) -> BracketState:
        """Those whom the director has seated, in the places of who gave way; and these in theirs."""
        record, sides = self.records.get(slot.key), now.sides(slot)
        came = (*record.a, *record.b) if record is not None else ()
        gave_way = [entry for entry in sides if entry is not None and entry not in came]
        newcomers = [entry for entry in came if entry not in sides]
        for newcomer, other in zip(newcomers, (*gave_way, None, None), strict=False):
            now = now.exchange(newcomer, other)
        return now
