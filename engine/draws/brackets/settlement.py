"""Settle a bracket: who advances by results and walkovers, and after changes by the director."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import inf

from engine.draws.values import VERSION, Entrant, EntryId, PlayedPairing

from . import version_6
from .bracket_state import BracketOutcome, BracketState, Sides
from .structure import Bracket, Seed, Slot, SlotWinner

BOTH_OUT_VERSION = 9
"""Last version of draws in which an entry that missed a round was out beside one that had left for good."""

TWO_LOSSES_VERSION = 10
"""Last version of draws in which one missed round could cost two matches."""


def settle_bracket(
    bracket: Bracket,
    seeds: Sequence[EntryId],
    entrants: Iterable[Entrant],
    history: Iterable[PlayedPairing],
    *,
    next_round: int,
    version: int = VERSION,
) -> BracketState:
    """Decide what can be decided before a round, by records of the slots and by absences, including this
    round's.

    A record counts even if the bracket expected others: the entries who sat in a slot take that place of the
    bracket, those who gave way get theirs in exchange, and nobody has two. Without a record, the entry that
    is present advances, or one that only misses the round if the other has left; else nobody does, and both are
    out. A missed round costs one match, or more if this round would have none. Two entries who were present and
    did not meet still have to, unless one of them played a later match.
    """
    return BracketSettler(entrants, tuple(history), next_round, version).settle(bracket, seeds)


def is_available(entrant: Entrant | None, played_round: int) -> bool:
    """Return whether this entrant can be asked to play in this round. Requesting a bye in a bracket is an
    absence."""
    return entrant is not None and entrant.is_present(played_round) and played_round not in entrant.requested_byes


class BracketSettler:
    """The records of the slots, and the presences of the entrants."""

    def __init__(
        self,
        entrants: Iterable[Entrant],
        history: Sequence[PlayedPairing],
        next_round: int,
        version: int = VERSION,
    ) -> None:
        self.entrants = {entrant.id: entrant for entrant in entrants}
        self.before_round, self.version = next_round, version
        ordered = sorted(history, key=lambda table: (table.is_decided, table.round))
        self.records = {table.slot: table for table in ordered if table.slot}
        self.elsewhere: set[tuple[EntryId | None, int]] = {
            (entry, table.round) for table in history if table.b for entry in (*table.a, *table.b)
        }
        self.played_rounds = {table.round for table in history if table.b}
        self.have_played: set[EntryId | None] = set()

    def settle(self, bracket: Bracket, seeds: Sequence[EntryId]) -> BracketState:
        state = BracketState(bracket, tuple(seeds), {})
        if self.version <= version_6.LAST_VERSION:
            return version_6.settle_by_rounds(self, state)
        state = self._apply_byes(state)
        last = max((table.round for table in self.records.values()), default=0)
        for number in range(1, max(self.before_round, last) + 1):
            state = self._settle_round(state, number)
            if self._is_empty(state, number):
                state = self._settle_open(state, number, is_empty=True)
        return state

    def _is_empty(self, state: BracketState, number: int) -> bool:
        """Return whether a round had no match, or cannot have one."""
        slots = state.open_slots if number == self.before_round else []
        return number not in self.played_rounds and not any(
            all(entry is not None and is_available(self.entrants.get(entry), number) for entry in state.get_sides(slot))
            for slot in slots
        )

    def _settle_round(self, state: BracketState, number: int) -> BracketState:
        """Settle one round: absences first, then results."""
        recorded = [slot for slot in state.bracket.slots if self._get_round(slot) == number]
        seated = {slot.key for slot in recorded if slot.origins <= state.outcomes.keys()}
        for slot in recorded:
            if slot.key in seated:
                state = self.apply_seating(state, slot)
        state = self._settle_open(state, number)
        for slot in recorded:
            state = self._settle_origins(state, slot, number)
            if slot.key not in seated:
                state = self.apply_seating(state, slot)
        for slot in recorded:
            state = self._add_outcome(state, slot, self.decide_by_record(state, slot), number)
        return state

    def _settle_open(self, state: BracketState, number: int, *, is_empty: bool = False) -> BracketState:
        """Settle the open matches that are decided without a match, in their order. Unless the round would be
        ``is_empty``, an entry that misses it loses only one of them."""
        for slot in state.bracket.slots:
            if slot.key not in state.outcomes and slot.origins <= state.outcomes.keys():
                decision = self._decide_without_match(state, slot, number, is_empty=is_empty)
                state = self._add_outcome(state, slot, decision, number)
        return state

    def apply_seating(self, state: BracketState, slot: Slot) -> BracketState:
        """Exchange entries who came to a slot with those expected there. Entries who gave way were not free
        to play elsewhere in that round."""
        table = self.records.get(slot.key)
        if table is None:
            return state
        sides, seated = state.get_sides(slot), (*table.a, *table.b)
        newcomers = [entry for entry in seated if entry not in sides]
        expected = [entry for entry in sides if entry is not None and entry not in seated]
        for newcomer, displaced in zip(newcomers, (*expected, None, None), strict=False):
            state = state.exchange(newcomer, displaced)
            self.elsewhere.add((displaced, table.round))
        return state

    def decide_by_record(self, state: BracketState, slot: Slot) -> Sides | None:
        """Return the winner and loser by the record; None without one, or while it is open. The expected
        opponent loses a walkover; after a double forfeit, both are out and have no place."""
        sides, table = state.get_sides(slot), self.records.get(slot.key)
        if table is None:
            return None
        if not table.b:
            expected = (entry for entry in sides if entry is not None and entry != table.a[0])
            return table.a[0], next(expected, None)
        if table.winner is None:
            return (None, None) if table.is_forfeit else None
        both = table.a[0], table.b[0]
        return both[table.winner], both[table.winner.other]

    def decide_by_presence(self, one: EntryId, other: EntryId, number: int) -> Sides | None:
        """Return the winner and loser of two entries who were to meet in this round and have no record; None
        if they still are. If both sat elsewhere, the better number advances."""
        presences = [self._get_presence(entry, number) for entry in (one, other)]
        if presences in ([_AWAY, _AWAY], [_LEFT, _LEFT]) and self.version > version_6.BOTH_AWAY_LAST_VERSION:
            return None, None
        if presences == [_FREE, _FREE]:
            return None
        if presences[0] == presences[1]:
            return self.decide_by_number(one, other)
        return (one, other) if presences[0] > presences[1] else (other, one)

    def decide_by_number(self, one: EntryId, other: EntryId) -> Sides:
        numbers = [self.entrants[entry].number if entry in self.entrants else inf for entry in (one, other)]
        return (one, other) if numbers[0] < numbers[1] else (other, one)

    def _get_round(self, slot: Slot) -> int | None:
        table = self.records.get(slot.key)
        return None if table is None else table.round

    def _apply_byes(self, state: BracketState) -> BracketState:
        """Give each first-round bye the place that it names."""
        for number in range(1, len(state.seeds) + 1):
            table = self.records.get(Seed(number).bye)
            if table is not None and (entry := table.a[0]) != state.seeds[number - 1]:
                state = state.exchange(entry, state.seeds[number - 1])
        return state

    def _decide_without_match(self, state: BracketState, slot: Slot, number: int, *, is_empty: bool) -> Sides | None:
        """Return the winner and loser if a side is missing, or away in this round; None while it is open."""
        first_final = state.outcomes.get(slot.upset_final or "")
        one, other = state.get_sides(slot)
        if first_final is not None and first_final.winner != other:
            return first_final[:2]
        table = self.records.get(slot.key)
        if table is not None and (not table.b or table.round >= number or table.winner is not None):
            return None  # the record says it, in its round
        if one is None or other is None:
            return (other if one is None else one), None
        if table is not None:
            return None
        decision = self._decide_by_next_match(state, slot, one, other)
        if decision or number > self.before_round or (not is_empty and self._has_lost_in(state, number, one, other)):
            return decision
        return self.decide_by_presence(one, other, number)

    def _has_lost_in(self, state: BracketState, number: int, one: EntryId, other: EntryId) -> bool:
        """Return whether one of two entries, neither of which has left, has already lost a match by missing this
        round."""
        presences = {entry: self._get_presence(entry, number) for entry in (one, other)}
        if self.version <= TWO_LOSSES_VERSION or _LEFT in presences.values():
            return False
        losers = {outcome.loser for outcome in state.outcomes.values() if outcome.round == number}
        return any(presence == _AWAY and entry in losers for entry, presence in presences.items())

    def _decide_by_next_match(self, state: BracketState, slot: Slot, one: EntryId, other: EntryId) -> Sides | None:
        """Return the winner and loser by who came to the match to which this one leads; None if neither
        did."""
        for next_slot in state.bracket.slots:
            table = self.records.get(next_slot.key) if SlotWinner(slot.key) in next_slot.sources else None
            arrived = [entry for entry in (one, other) if table is not None and entry in (*table.a, *table.b)]
            if len(arrived) == 1:
                return (one, other) if arrived == [one] else (other, one)
        return None

    def _settle_origins(self, state: BracketState, slot: Slot, number: int) -> BracketState:
        """Decide the open matches that lead to one that was played: by who came to it, else by number."""
        for origin in state.bracket.slots:
            if origin.key not in slot.origins or origin.key in state.outcomes or origin.key in self.records:
                continue
            state = self._settle_origins(state, origin, number)
            one, other = state.get_sides(origin)
            if one is None or other is None:
                decision: Sides = (other if one is None else one), None
            else:
                decision = self._decide_by_next_match(state, origin, one, other) or self.decide_by_number(one, other)
            state = self._add_outcome(state, origin, decision, number)
        return state

    def _add_outcome(self, state: BracketState, slot: Slot, decision: Sides | None, number: int) -> BracketState:
        if decision is None:
            return state
        winner, loser = decision
        outcome = BracketOutcome(winner, loser, loser not in self.have_played, number)
        first_final = state.outcomes.get(slot.upset_final or "")
        if first_final is not None and decision == first_final[:2] and slot.key not in self.records:
            outcome = first_final
        elif loser is not None:
            self.have_played |= {winner, loser}
        return replace(state, outcomes={**state.outcomes, slot.key: outcome})

    def _get_presence(self, entry: EntryId, played_round: int) -> int:
        if (entry, played_round) in self.elsewhere:
            return _ELSEWHERE
        entrant = self.entrants.get(entry)
        if is_available(entrant, played_round):
            return _FREE
        has_left = entrant is None or entrant.has_left(played_round) or played_round in entrant.withdrawn
        return _LEFT if has_left and self.version > BOTH_OUT_VERSION else _AWAY


_LEFT, _AWAY, _ELSEWHERE, _FREE = range(4)
