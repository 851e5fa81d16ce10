"""A bracket: matches known beforehand, between whoever comes out of others.

A bracket is a value, made for a number of entrants and never changed. Each slot is a match whose two sides
come from the seeding or from earlier slots, as winner or as loser. A knockout, a double elimination and a
consolation are brackets of different shape; what results, absences and the director make of them is worked
out by one and the same ``settle``.

Byes leave no slot behind: where only one side of a match can ever come, that side goes straight on.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import NamedTuple

from tournaments.draws.values import Entrant, EntryId, Played


@dataclass(frozen=True, slots=True)
class Seed:
    """The entrant of this place in the starting list, from 1."""

    number: int


@dataclass(frozen=True, slots=True)
class Winner:
    """Who wins this slot."""

    slot: str


@dataclass(frozen=True, slots=True)
class Loser:
    """Who loses this slot; with ``first``, only if it was (True), or was not (False), their first match."""

    slot: str
    first: bool | None = None


Source = Seed | Winner | Loser


@dataclass(frozen=True, slots=True)
class Slot:
    """A match of a bracket: the round in which it is played, and where its two sides come from.

    ``only_if_upset`` names a final after which this one is played only if the second side won it.
    """

    key: str
    round: int
    sources: tuple[Source, Source]
    only_if_upset: str | None = None

    @property
    def level(self) -> str:
        """The round of its bracket that it belongs to, such as ``W2``."""
        return self.key.partition("-")[0]

    @property
    def origins(self) -> set[str]:
        """The slots without whose outcome nothing is known about this one."""
        return _origins(*self.sources) | ({self.only_if_upset} if self.only_if_upset else set())


@dataclass(frozen=True, slots=True)
class Bracket:
    """Slots, none before those it depends on, and the final places: groups best first, whose members tie."""

    slots: tuple[Slot, ...]
    places: tuple[tuple[Source, ...], ...]

    @property
    def rounds(self) -> int:
        return max((slot.round for slot in self.slots), default=0)


class Ways(NamedTuple):
    """Where the two sides of a match go on from; None where nobody ever comes."""

    winner: Source | None
    loser: Source | None


@dataclass(slots=True)
class BracketPlan:
    """A bracket in the making."""

    slots: dict[str, Slot] = field(default_factory=dict)
    places: list[tuple[Source, ...]] = field(default_factory=list)

    def match(self, key: str, level: int, one: Source | None, other: Source | None) -> Ways:
        """A match in the round of this level, or later if its sides are known later only.

        Where one side is nobody, no match: the other goes on.
        """
        if one is None or other is None:
            return Ways(one or other, None)
        ready = 1 + max((self.slots[slot].round for slot in _origins(one, other)), default=0)
        self.slots[key] = Slot(key, max(level, ready), (one, other))
        return Ways(Winner(key), Loser(key))

    def again(self, key: str, final: str) -> Ways:
        """The same two once more, if the second side won this final."""
        first = self.slots[final]
        self.slots[key] = Slot(key, first.round + 1, first.sources, only_if_upset=final)
        return Ways(Winner(key), Loser(key))

    def level(self, name: str, level: int, sides: Sequence[Source | None]) -> list[Ways]:
        """The matches of neighbours, keyed by name and number: ``W1-1``, ``W1-2``…"""
        neighbours = zip(sides[::2], sides[1::2], strict=True)
        return [
            self.match(f"{name}-{number}", level, *pair) for number, pair in enumerate(neighbours, start=1)
        ]

    def place(self, *sources: Source | None) -> None:
        """The next final place, shared by these."""
        if found := tuple(source for source in sources if source is not None):
            self.places.append(found)

    def bracket(self) -> Bracket:
        """As planned, without rounds in which nothing would be played."""
        played = sorted({slot.round for slot in self.slots.values()})
        slots = (replace(slot, round=played.index(slot.round) + 1) for slot in self.slots.values())
        return Bracket(tuple(slots), tuple(self.places))


def _origins(*sources: Source) -> set[str]:
    return {source.slot for source in sources if not isinstance(source, Seed)}


def seed_lines(entrants: int) -> list[Source | None]:
    """The seeds from the top line of the first round to the bottom, None where a bye is.

    1 meets the last, 2 is at the other end, and so on in each half: with favourites winning, each round is
    played by the best there are. The byes are those of the top seeds.

    >>> [seed and seed.number for seed in seed_lines(6)]
    [1, None, 4, 5, 2, None, 3, 6]
    """
    if not entrants:
        return [None]
    order = [1]
    while len(order) < entrants:
        order = [seed for one in order for seed in (one, 2 * len(order) + 1 - one)]
    return [Seed(number) if number <= entrants else None for number in order]


# What has become of a bracket


Sides = tuple[EntryId | None, EntryId | None]
"""The two sides of a match, or its winner and its loser; None where there is nobody."""


class Outcome(NamedTuple):
    """``is_first`` tells whether it was the loser's first match."""

    winner: EntryId | None
    loser: EntryId | None
    is_first: bool = False


@dataclass(frozen=True, slots=True)
class Settled:
    """A bracket as far as it is decided: the outcome of each slot that has one."""

    bracket: Bracket
    seeds: tuple[EntryId, ...]
    outcomes: Mapping[str, Outcome]

    def entry(self, source: Source) -> EntryId | None:
        """Who came from there; None if it is not known yet, or known to be nobody."""
        if isinstance(source, Seed):
            return self.seeds[source.number - 1]
        outcome = self.outcomes.get(source.slot)
        if outcome is None:
            return None
        if isinstance(source, Winner):
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

    def awaited(self, slot: Slot) -> str | None:
        """The earliest slot without an outcome that this one has to wait for, if it has."""
        missing = slot.origins - self.outcomes.keys()
        for before in self.bracket.slots if missing else ():
            if before.key in missing:
                return self.awaited(before) or before.key
        return None

    @property
    def places(self) -> dict[EntryId, int]:
        """The final place of everybody who has one by now; who tie have the best place of theirs."""
        found: dict[EntryId, int] = {}
        best = 1
        for group in self.bracket.places:
            entries = [self.entry(source) for source in group]
            for entry in entries:
                if entry is not None:
                    found.setdefault(entry, best)
            best += sum(
                entry is not None or not _origins(source) <= self.outcomes.keys()
                for entry, source in zip(entries, group, strict=True)
            )
        return found


def settle(
    bracket: Bracket,
    seeds: Sequence[EntryId],
    entrants: Iterable[Entrant],
    history: Iterable[Played],
    *,
    before_round: int,
) -> Settled:
    """What is decided before a round, by what was recorded for the slots and by who stayed away.

    A record counts whoever the bracket had foreseen. Without one, of two who should have met in an earlier
    round the one who was there goes on; if neither was, the better seed, a walkover in turn while away.
    """
    known = _Known(entrants, tuple(history), before_round)
    outcomes: dict[str, Outcome] = {}
    settled = Settled(bracket, tuple(seeds), outcomes)
    have_played: set[EntryId | None] = set()
    for slot in bracket.slots:
        sides = settled.sides(slot)
        first_final = outcomes.get(slot.only_if_upset or "")
        if first_final is not None and first_final.winner != sides[1]:
            outcomes[slot.key] = first_final
            continue
        decided = None
        if slot.key in known.records:
            decided = known.recorded(slot, sides)
        elif slot.origins <= outcomes.keys():
            decided = known.walkover(slot, sides)
        if decided is not None:
            winner, loser = decided
            outcomes[slot.key] = Outcome(winner, loser, is_first=loser not in have_played)
            if loser is not None:
                have_played |= {winner, loser}
    return settled


def is_there(entrant: Entrant | None, played_round: int) -> bool:
    """Whether this entrant can be asked to play in this round. Who asks for a bye in a bracket stays away."""
    return entrant is not None and entrant.is_present(played_round) and played_round not in entrant.byes_asked


class _Known:
    """What was recorded for the slots, and who was there to be met."""

    def __init__(self, entrants: Iterable[Entrant], history: Sequence[Played], before_round: int) -> None:
        self.entrants = {entrant.id: entrant for entrant in entrants}
        self.before_round = before_round
        decided_last = sorted(
            history, key=lambda table: (not table.b or table.winner is not None, table.round)
        )
        self.records = {table.slot: table for table in decided_last if table.slot}
        self.seated = {
            (entry, table.round): table.slot for table in history if table.b for entry in (*table.a, *table.b)
        }

    def recorded(self, slot: Slot, sides: Sides) -> Sides | None:
        """Winner and loser by the record. Of a walkover, who was expected and has no other slot loses."""
        table = self.records[slot.key]
        if not table.b:
            expected = (entry for entry in sides if entry is not None and entry != table.a[0])
            losers = (entry for entry in expected if not self.seated.get((entry, table.round)))
            return table.a[0], next(losers, None)
        if table.winner is None:
            return None
        both = table.a[0], table.b[0]
        return both[table.winner], both[table.winner.other]

    def walkover(self, slot: Slot, sides: Sides) -> Sides | None:
        """Winner and loser without a match: for want of a side, or as one sat elsewhere or was away."""
        one, other = sides
        if one is None or other is None:
            return (other if one is None else one), None
        if slot.round >= self.before_round:
            return None
        presences = [self._presence(entry, slot.round) for entry in (one, other)]
        if presences == [_FREE, _FREE]:
            return None
        if presences[0] == presences[1]:
            return (one, other) if self._number(one) < self._number(other) else (other, one)
        return (one, other) if presences[0] > presences[1] else (other, one)

    def _presence(self, entry: EntryId, played_round: int) -> int:
        if (entry, played_round) in self.seated:
            return _ELSEWHERE
        return _FREE if is_there(self.entrants.get(entry), played_round) else _AWAY

    def _number(self, entry: EntryId) -> float:
        return self.entrants[entry].number if entry in self.entrants else inf


_AWAY, _ELSEWHERE, _FREE = 0, 1, 2
