"""What has become of a bracket: who goes on by results and walkovers, and after changes of the director's."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import inf
from typing import NamedTuple

from engine.draws.values import VERSION, BracketPlaces, Entrant, EntryId, PlayedPairing

from .structure import Bracket, Seed, Slot, Source, WinnerOf

Sides = tuple[EntryId | None, EntryId | None]
"""The two sides of a match, or its winner and its loser; None where there is nobody."""


class BracketOutcome(NamedTuple):
    """``is_first`` tells whether it was the loser's first match."""

    winner: EntryId | None
    loser: EntryId | None
    is_first: bool


@dataclass(frozen=True, slots=True)
class BracketState:
    """A bracket as far as it is decided: the outcome of each slot that has one.

    ``seeds`` and ``outcomes`` name those who hold the places now: after an exchange, not always who won them.
    """

    bracket: Bracket
    seeds: tuple[EntryId | None, ...]
    outcomes: Mapping[str, BracketOutcome]

    def exchange(self, one: EntryId, other: EntryId | None) -> "BracketState":
        """The same with the two in each other's place, whatever they have reached; None: nobody is."""
        holders: dict[EntryId | None, EntryId | None] = {one: other}
        if other is not None:
            holders[other] = one
        seeds = tuple(holders.get(entry, entry) for entry in self.seeds)
        outcomes = {
            key: BracketOutcome(holders.get(winner, winner), holders.get(loser, loser), is_first)
            for key, (winner, loser, is_first) in self.outcomes.items()
        }
        return replace(self, seeds=seeds, outcomes=outcomes)

    def entry(self, source: Source) -> EntryId | None:
        """Who came from there; None if it is not known yet, or known to be nobody."""
        if isinstance(source, Seed):
            return self.seeds[source.number - 1]
        outcome = self.outcomes.get(source.slot)
        if outcome is None:
            return None
        if isinstance(source, WinnerOf):
            return outcome.winner
        return outcome.loser if source.first in (None, outcome.is_first) else None

    def sides(self, slot: Slot) -> Sides:
        one, other = slot.sources
        return self.entry(one), self.entry(other)

    def due(self, played_round: int) -> list[Slot]:
        """What is still to be played in this round, whether or not it is known by whom."""
        return [
            slot
            for slot in self.bracket.slots
            if slot.round == played_round and slot.key not in self.outcomes
        ]

    def waits_for(self, slot: Slot) -> str | None:
        """The earliest slot without an outcome that this one has to wait for, if it has."""
        missing = slot.origins - self.outcomes.keys()
        for before in self.bracket.slots if missing else ():
            if before.key in missing:
                return self.waits_for(before) or before.key
        return None

    @property
    def places(self) -> BracketPlaces:
        """Who tie have the best place of theirs; who still plays can reach what their next match leads to."""
        final: dict[EntryId, int] = {}
        for place, group in self._groups():
            for entry in map(self.entry, group):
                if entry is not None:
                    final.setdefault(entry, place)
        best_from = self._best_from()
        awaited = [slot for slot in self.bracket.slots if slot.key not in self.outcomes]
        best = {
            entry: best_from[slot.key]
            for slot in sorted(awaited, key=lambda slot: best_from[slot.key], reverse=True)
            for entry in self.sides(slot)
            if entry is not None
        }
        return BracketPlaces(final=final, best=best | final)

    def _best_from(self) -> dict[str, int]:
        """The best place to which each slot leads."""
        found: dict[str, int] = {}
        for place, group in self._groups():
            for source in group:
                if not isinstance(source, Seed):
                    found.setdefault(source.slot, place)
        for slot in reversed(self.bracket.slots):
            for before in slot.origins:
                found[before] = min(found[slot.key], found.get(before, found[slot.key]))
        return found

    def _groups(self) -> Iterator[tuple[int, tuple[Source, ...]]]:
        """The final places with whom they belong to, best first."""
        best = 1
        for group in self.bracket.places:
            yield best, group
            best += sum(
                self.entry(source) is not None
                or not (isinstance(source, Seed) or source.slot in self.outcomes)
                for source in group
            )


def settle_bracket(
    bracket: Bracket,
    seeds: Sequence[EntryId],
    entrants: Iterable[Entrant],
    history: Iterable[PlayedPairing],
    *,
    before_round: int,
    version: int = VERSION,
) -> BracketState:
    """What is decided before a round, by what was recorded for the slots and by who stayed away.

    A record counts whoever the bracket had foreseen: who sat in a slot has that place of the bracket, who
    gave way has theirs in exchange, and nobody has two. Without a record, of two who should have met in an
    earlier round the one who was there goes on; if neither was, nobody, and both are out. Before ``version``
    6 the better seed went on.
    """
    known = _Known(entrants, tuple(history), before_round, version)
    settled = BracketState(bracket, tuple(seeds), {})
    have_played: set[EntryId | None] = set()
    in_turn = sorted(bracket.slots, key=lambda slot: slot.round)
    for _, of_round in groupby(in_turn, key=lambda slot: slot.round):
        slots = list(of_round)
        for slot in slots:
            settled = known.as_seated(settled, slot)
        found: dict[str, BracketOutcome] = {}
        for slot in slots:
            first_final = settled.outcomes.get(slot.only_if_upset or "")
            if first_final is not None and first_final.winner != settled.sides(slot)[1]:
                found[slot.key] = first_final
            elif (decided := known.decide(settled, slot)) is not None:
                winner, loser = decided
                found[slot.key] = BracketOutcome(winner, loser, is_first=loser not in have_played)
                if loser is not None:
                    have_played |= {winner, loser}
        settled = replace(settled, outcomes={**settled.outcomes, **found})
    return settled


def is_there(entrant: Entrant | None, played_round: int) -> bool:
    """Whether this entrant can be asked to play in this round. Who asks for a bye in a bracket stays away."""
    return entrant is not None and entrant.is_present(played_round) and played_round not in entrant.byes_asked


class _Known:
    """What was recorded for the slots, and who was there to be met."""

    def __init__(
        self,
        entrants: Iterable[Entrant],
        history: Sequence[PlayedPairing],
        before_round: int,
        version: int,
    ) -> None:
        self.entrants = {entrant.id: entrant for entrant in entrants}
        self.before_round, self.version = before_round, version
        decided_last = sorted(history, key=lambda table: (table.is_decided, table.round))
        self.records = {table.slot: table for table in decided_last if table.slot}
        self.elsewhere: set[tuple[EntryId | None, int]] = {
            (entry, table.round) for table in history if table.b for entry in (*table.a, *table.b)
        }

    def as_seated(self, settled: BracketState, slot: Slot) -> BracketState:
        """Whoever came to a slot in the place of those who were foreseen there, and these in theirs.

        Who gave way was not free to play elsewhere in that round.
        """
        table = self.records.get(slot.key)
        if table is None:
            return settled
        sides, came = settled.sides(slot), (*table.a, *table.b)
        newcomers = [entry for entry in came if entry not in sides]
        foreseen = [entry for entry in sides if entry is not None and entry not in came]
        for newcomer, gives_way in zip(newcomers, (*foreseen, None, None), strict=False):
            settled = settled.exchange(newcomer, gives_way)
            self.elsewhere.add((gives_way, table.round))
        return settled

    def decide(self, settled: BracketState, slot: Slot) -> Sides | None:
        """Winner and loser, by the record or without a match; None while it is open."""
        sides = settled.sides(slot)
        if (table := self.records.get(slot.key)) is not None:
            recorded = self._sides_by_record(table, sides)
            # Without a winner it is open, unless an earlier result was changed and left one side only.
            if recorded is not None or None not in sides:
                return recorded
        return self._walkover(slot, sides) if slot.origins <= settled.outcomes.keys() else None

    def _sides_by_record(self, table: PlayedPairing, sides: Sides) -> Sides | None:
        """Of a walkover, who was expected loses; of a double forfeit, both are out and have no place."""
        if not table.b:
            expected = (entry for entry in sides if entry is not None and entry != table.a[0])
            return table.a[0], next(expected, None)
        if table.winner is None:
            return (None, None) if table.is_forfeit else None
        both = table.a[0], table.b[0]
        return both[table.winner], both[table.winner.other]

    def _walkover(self, slot: Slot, sides: Sides) -> Sides | None:
        """Winner and loser without a match: for want of a side, or as one sat elsewhere or was away."""
        one, other = sides
        if one is None or other is None:
            return (other if one is None else one), None
        if slot.round >= self.before_round:
            return None
        presences = [self._presence(entry, slot.round) for entry in (one, other)]
        if presences == [_AWAY, _AWAY] and self.version >= 6:
            return None, None
        # Two who were free and did not meet were not due then, but are by a result corrected since.
        if presences[0] == presences[1]:
            return (one, other) if self._number(one) < self._number(other) else (other, one)
        return (one, other) if presences[0] > presences[1] else (other, one)

    def _presence(self, entry: EntryId, played_round: int) -> int:
        if (entry, played_round) in self.elsewhere:
            return _ELSEWHERE
        return _FREE if is_there(self.entrants.get(entry), played_round) else _AWAY

    def _number(self, entry: EntryId) -> float:
        return self.entrants[entry].number if entry in self.entrants else inf


_AWAY, _ELSEWHERE, _FREE = 0, 1, 2
