"""A bracket as far as it is decided: the sides of its matches, the open matches, and the places."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from engine.draws.values import BracketPlaces, EntryId

from .structure import Bracket, Seed, Slot, SlotWinner, Source

Sides = tuple[EntryId | None, EntryId | None]
"""The two sides of a match, or its winner and its loser; None for an empty side."""


class BracketOutcome(NamedTuple):
    """The outcome of a match. ``is_first`` tells whether it was the loser's first match; ``round`` is the one
    that decided it, by a match or because a side was away."""

    winner: EntryId | None
    loser: EntryId | None
    is_first: bool
    round: int


@dataclass(frozen=True, slots=True)
class BracketState:
    """A bracket as far as it is decided: the outcome of each slot that has one.

    ``seeds`` and ``outcomes`` name the entries that hold the places now: after an exchange, not always the
    winners.
    """

    bracket: Bracket
    seeds: tuple[EntryId | None, ...]
    outcomes: Mapping[str, BracketOutcome]

    def exchange(self, one: EntryId, other: EntryId | None) -> "BracketState":
        """Return the bracket with two entries exchanged, whatever they have reached; None for an empty
        place."""
        holders: dict[EntryId | None, EntryId | None] = {one: other}
        if other is not None:
            holders[other] = one
        seeds = tuple(holders.get(entry, entry) for entry in self.seeds)
        outcomes = {
            key: BracketOutcome(holders.get(winner, winner), holders.get(loser, loser), is_first, number)
            for key, (winner, loser, is_first, number) in self.outcomes.items()
        }
        return replace(self, seeds=seeds, outcomes=outcomes)

    def get_entry(self, source: Source) -> EntryId | None:
        """Return the entry that comes from a source; None if it is not known yet, or known to be nobody."""
        if isinstance(source, Seed):
            return self.seeds[source.number - 1]
        outcome = self.outcomes.get(source.slot)
        if outcome is None:
            return None
        if isinstance(source, SlotWinner):
            return outcome.winner
        return outcome.loser if source.first in (None, outcome.is_first) else None

    def get_sides(self, slot: Slot) -> Sides:
        one, other = slot.sources
        return self.get_entry(one), self.get_entry(other)

    @property
    def open_slots(self) -> list[Slot]:
        """The matches without an outcome whose sides are known."""
        return [
            slot
            for slot in self.bracket.slots
            if slot.key not in self.outcomes and slot.origins <= self.outcomes.keys()
        ]

    @property
    def places(self) -> BracketPlaces:
        """The places of all entries. Tied entries share the best place of their group; an entry still playing
        can reach the best place that its next match leads to."""
        final: dict[EntryId, int] = {}
        for place, group in self._iterate_groups():
            for entry in map(self.get_entry, group):
                if entry is not None:
                    final.setdefault(entry, place)
        best_places = self._find_best_places()
        pending_slots = [slot for slot in self.bracket.slots if slot.key not in self.outcomes]
        best = {
            entry: best_places[slot.key]
            for slot in sorted(pending_slots, key=lambda slot: best_places[slot.key], reverse=True)
            for entry in self.get_sides(slot)
            if entry is not None
        }
        return BracketPlaces(final=final, best=best | final)

    def _find_best_places(self) -> dict[str, int]:
        """Return the best place to which each slot leads."""
        found: dict[str, int] = {}
        for place, group in self._iterate_groups():
            for source in group:
                if not isinstance(source, Seed):
                    found.setdefault(source.slot, place)
        for slot in reversed(self.bracket.slots):
            for origin in slot.origins:
                found[origin] = min(found[slot.key], found.get(origin, found[slot.key]))
        return found

    def _iterate_groups(self) -> Iterator[tuple[int, tuple[Source, ...]]]:
        """Yield the final places with the sources that share them, best first."""
        best = 1
        for group in self.bracket.places:
            yield best, group
            best += sum(
                self.get_entry(source) is not None or not (isinstance(source, Seed) or source.slot in self.outcomes)
                for source in group
            )
