"""Settle a bracket: who advances by results and walkovers, and after changes by the director."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import inf

from engine.draws.values import VERSION, Entrant, EntryId, PlayedPairing

from . import version_6
from .bracket_state import BracketOutcome, BracketState, Sides
from .structure import Bracket, Seed, Slot, WinnerOf


def settle_bracket(
    bracket: Bracket,
    seeds: Sequence[EntryId],
    entrants: Iterable[Entrant],
    history: Iterable[PlayedPairing],
    *,
    before_round: int,
    version: int = VERSION,
) -> BracketState:
    """Decide what can be decided before a round, by records of the slots and by absences, including this
    round's.

    A record counts even if the bracket expected others: the entries who sat in a slot take that place of the
    bracket, those who gave way get theirs in exchange, and nobody has two. Without a record, the entry that
    is present advances; if neither is, nobody does, and both are out. Two entries who were present and did
    not meet still have to, unless one of them played a later match.
    """
    return Settling(entrants, tuple(history), before_round, version).settle(bracket, seeds)


def is_there(entrant: Entrant | None, played_round: int) -> bool:
    """Return whether this entrant can be asked to play in this round. Requesting a bye in a bracket is an
    absence."""
    return entrant is not None and entrant.is_present(played_round) and played_round not in entrant.byes_asked


class Settling:
    """The records of the slots, and the presences of the entrants."""

    def __init__(
        self,
        entrants: Iterable[Entrant],
        history: Sequence[PlayedPairing],
        before_round: int,
        version: int = VERSION,
    ) -> None:
        self.entrants = {entrant.id: entrant for entrant in entrants}
        self.before_round, self.version = before_round, version
        decided_last = sorted(history, key=lambda table: (table.is_decided, table.round))
        self.records = {table.slot: table for table in decided_last if table.slot}
        self.elsewhere: set[tuple[EntryId | None, int]] = {
            (entry, table.round) for table in history if table.b for entry in (*table.a, *table.b)
        }
        self.have_played: set[EntryId | None] = set()

    def settle(self, bracket: Bracket, seeds: Sequence[EntryId]) -> BracketState:
        settled = BracketState(bracket, tuple(seeds), {})
        if self.version <= version_6.DRAWN_AHEAD:
            return version_6.settle_by_rounds(self, settled)
        settled = self._with_byes(settled)
        last = max((table.round for table in self.records.values()), default=0)
        for number in range(1, max(self.before_round, last) + 1):
            settled = self._after_round(settled, number)
        return settled

    def _after_round(self, settled: BracketState, number: int) -> BracketState:
        """Settle one round: absences first, then results."""
        recorded = [slot for slot in settled.bracket.slots if self._round_of(slot) == number]
        seated = {slot.key for slot in recorded if slot.origins <= settled.outcomes.keys()}
        for slot in recorded:
            if slot.key in seated:
                settled = self.as_seated(settled, slot)
        for slot in settled.bracket.slots:
            if slot.key not in settled.outcomes and slot.origins <= settled.outcomes.keys():
                settled = self._with_outcome(
                    settled, slot, self._without_a_match(settled, slot, number), number
                )
        for slot in recorded:
            settled = self._with_origins(settled, slot, number)
            if slot.key not in seated:
                settled = self.as_seated(settled, slot)
        for slot in recorded:
            settled = self._with_outcome(settled, slot, self.by_record(settled, slot), number)
        return settled

    def as_seated(self, settled: BracketState, slot: Slot) -> BracketState:
        """Exchange entries who came to a slot with those expected there. Entries who gave way were not free
        to play elsewhere in that round."""
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

    def by_record(self, settled: BracketState, slot: Slot) -> Sides | None:
        """Return the winner and loser by the record; None without one, or while it is open. The expected
        opponent loses a walkover; after a double forfeit, both are out and have no place."""
        sides, table = settled.sides(slot), self.records.get(slot.key)
        if table is None:
            return None
        if not table.b:
            expected = (entry for entry in sides if entry is not None and entry != table.a[0])
            return table.a[0], next(expected, None)
        if table.winner is None:
            return (None, None) if table.is_forfeit else None
        both = table.a[0], table.b[0]
        return both[table.winner], both[table.winner.other]

    def by_presence(self, one: EntryId, other: EntryId, number: int) -> Sides | None:
        """Return the winner and loser of two entries who were to meet in this round and have no record; None
        if they still are. If both sat elsewhere, the better number advances."""
        presences = [self._presence(entry, number) for entry in (one, other)]
        if presences == [_AWAY, _AWAY] and self.version > version_6.BETTER_GOES_ON:
            return None, None
        if presences == [_FREE, _FREE]:
            return None
        if presences[0] == presences[1]:
            return self.by_number(one, other)
        return (one, other) if presences[0] > presences[1] else (other, one)

    def by_number(self, one: EntryId, other: EntryId) -> Sides:
        numbers = [self.entrants[entry].number if entry in self.entrants else inf for entry in (one, other)]
        return (one, other) if numbers[0] < numbers[1] else (other, one)

    def _round_of(self, slot: Slot) -> int | None:
        table = self.records.get(slot.key)
        return None if table is None else table.round

    def _with_byes(self, settled: BracketState) -> BracketState:
        """Give each first-round bye the place that it names."""
        for number in range(1, len(settled.seeds) + 1):
            table = self.records.get(Seed(number).bye)
            if table is not None and (entry := table.a[0]) != settled.seeds[number - 1]:
                settled = settled.exchange(entry, settled.seeds[number - 1])
        return settled

    def _without_a_match(self, settled: BracketState, slot: Slot, number: int) -> Sides | None:
        """Return the winner and loser if a side is missing, or away in this round; None while it is open."""
        first_final = settled.outcomes.get(slot.only_if_upset or "")
        one, other = settled.sides(slot)
        if first_final is not None and first_final.winner != other:
            return first_final[:2]
        table = self.records.get(slot.key)
        if table is not None and (not table.b or table.round >= number or table.winner is not None):
            return None  # the record says it, in its round
        if one is None or other is None:
            return (other if one is None else one), None
        if table is not None:
            return None
        decided = self._by_next(settled, slot, one, other)
        return decided or (self.by_presence(one, other, number) if number <= self.before_round else None)

    def _by_next(self, settled: BracketState, slot: Slot, one: EntryId, other: EntryId) -> Sides | None:
        """Return the winner and loser by who came to the match to which this one leads; None if neither
        did."""
        for after in settled.bracket.slots:
            table = self.records.get(after.key) if WinnerOf(slot.key) in after.sources else None
            came = [entry for entry in (one, other) if table is not None and entry in (*table.a, *table.b)]
            if len(came) == 1:
                return (one, other) if came == [one] else (other, one)
        return None

    def _with_origins(self, settled: BracketState, slot: Slot, number: int) -> BracketState:
        """Decide the open matches that lead to one that was played: by who came to it, else by number."""
        for before in settled.bracket.slots:
            if before.key not in slot.origins or before.key in settled.outcomes or before.key in self.records:
                continue
            settled = self._with_origins(settled, before, number)
            one, other = settled.sides(before)
            if one is None or other is None:
                decided: Sides = (other if one is None else one), None
            else:
                decided = self._by_next(settled, before, one, other) or self.by_number(one, other)
            settled = self._with_outcome(settled, before, decided, number)
        return settled

    def _with_outcome(
        self, settled: BracketState, slot: Slot, decided: Sides | None, number: int
    ) -> BracketState:
        if decided is None:
            return settled
        winner, loser = decided
        outcome = BracketOutcome(winner, loser, loser not in self.have_played, number)
        first_final = settled.outcomes.get(slot.only_if_upset or "")
        if first_final is not None and decided == first_final[:2] and slot.key not in self.records:
            outcome = first_final
        elif loser is not None:
            self.have_played |= {winner, loser}
        return replace(settled, outcomes={**settled.outcomes, slot.key: outcome})

    def _presence(self, entry: EntryId, played_round: int) -> int:
        if (entry, played_round) in self.elsewhere:
            return _ELSEWHERE
        return _FREE if is_there(self.entrants.get(entry), played_round) else _AWAY


_AWAY, _ELSEWHERE, _FREE = 0, 1, 2
