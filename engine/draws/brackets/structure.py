"""A bracket: matches known beforehand, between seeds and the winners or losers of others.

A bracket is a value, made for a number of entrants and never changed. Each slot is a match whose two sides
come from the seeding or from earlier slots, as winner or as loser. A knockout, a double elimination and a
consolation are brackets of different shape; one ``settle_bracket`` (``settlement``) applies results, absences
and the director's changes to all of them.

Byes leave no slot behind: where only one side of a match can ever come, that side advances directly.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Seed:
    """The entrant of this place in the starting list, from 1."""

    number: int

    @property
    def bye(self) -> str:
        """The name of this seed's bye in the history."""
        return f"{_BYE}{self.number}"


_BYE = "S"


def is_match(key: str) -> bool:
    """Return whether a slot is a match, and not the bye of a seed."""
    return bool(key) and not key.startswith(_BYE)


@dataclass(frozen=True, slots=True)
class SlotWinner:
    """The winner of a slot."""

    slot: str


@dataclass(frozen=True, slots=True)
class SlotLoser:
    """The loser of a slot; with ``first``, only if it was (True), or was not (False), their first match."""

    slot: str
    first: bool | None = None


Source = Seed | SlotWinner | SlotLoser


@dataclass(frozen=True, slots=True)
class Slot:
    """A match of a bracket: its round, and the sources of its two sides.

    ``upset_final`` is the key of another final: this match is played only if the second side won that final.
    """

    key: str
    round: int
    sources: tuple[Source, Source]
    upset_final: str | None = None

    @property
    def level(self) -> str:
        """The level of its bracket, such as ``W2``."""
        return self.key.partition("-")[0]

    @property
    def origins(self) -> set[str]:
        """The slots that must be decided before this one."""
        return _collect_origins(*self.sources) | ({self.upset_final} if self.upset_final else set())


@dataclass(frozen=True, slots=True)
class Bracket:
    """The slots, none before those it depends on, and the final places: groups best first, whose members
    tie."""

    slots: tuple[Slot, ...]
    places: tuple[tuple[Source, ...], ...]

    @property
    def rounds(self) -> int:
        return max((slot.round for slot in self.slots), default=0)


class Ways(NamedTuple):
    """The places to which the two sides of a match go on; None where nobody ever comes."""

    winner: Source | None
    loser: Source | None


@dataclass(slots=True)
class BracketPlan:
    """A bracket in the making."""

    slots: dict[str, Slot] = field(default_factory=dict)
    places: list[tuple[Source, ...]] = field(default_factory=list)

    def add_match(self, key: str, level: int, one: Source | None, other: Source | None) -> Ways:
        """Add a match in the round of this level, or later if its sides are known only later. If one side is
        nobody, no match is added: the other advances."""
        if one is None or other is None:
            return Ways(one or other, None)
        ready = 1 + max((self.slots[slot].round for slot in _collect_origins(one, other)), default=0)
        self.slots[key] = Slot(key, max(level, ready), (one, other))
        return Ways(SlotWinner(key), SlotLoser(key))

    def add_rematch(self, key: str, final: str) -> Ways:
        """Add a rematch of this final, played only if the second side won it."""
        first = self.slots[final]
        self.slots[key] = Slot(key, first.round + 1, first.sources, upset_final=final)
        return Ways(SlotWinner(key), SlotLoser(key))

    def add_level(self, name: str, level: int, sides: Sequence[Source | None]) -> list[Ways]:
        """Add the matches of neighbours, keyed by name and number: ``W1-1``, ``W1-2``…"""
        neighbours = zip(sides[::2], sides[1::2], strict=True)
        return [self.add_match(f"{name}-{number}", level, *pair) for number, pair in enumerate(neighbours, start=1)]

    def add_place(self, *sources: Source | None) -> None:
        """Add the next final place, shared by these."""
        if found := tuple(source for source in sources if source is not None):
            self.places.append(found)

    def build(self) -> Bracket:
        """Return the planned bracket, without rounds in which nothing would be played."""
        played = sorted({slot.round for slot in self.slots.values()})
        slots = (replace(slot, round=played.index(slot.round) + 1) for slot in self.slots.values())
        return Bracket(tuple(slots), tuple(self.places))


@lru_cache(maxsize=64)
def schedule_earliest(bracket: Bracket) -> Bracket:
    """Move each match to the first round in which its sides can be known."""
    rounds: dict[str, int] = {}
    for slot in bracket.slots:
        rounds[slot.key] = 1 + max((rounds[origin] for origin in slot.origins), default=0)
    slots = (replace(slot, round=rounds[slot.key]) for slot in bracket.slots)
    return replace(bracket, slots=tuple(slots))


def _collect_origins(*sources: Source) -> set[str]:
    return {source.slot for source in sources if not isinstance(source, Seed)}


def list_seed_lines(entrants: int) -> list[Source | None]:
    """Return the seeds from the top line of the first round to the bottom, None for a bye.

    1 meets the last, 2 is at the other end, and so on in each half: with favourites winning, each round is
    played by the best there are. The byes are those of the top seeds.

    >>> [seed and seed.number for seed in list_seed_lines(6)]
    [1, None, 4, 5, 2, None, 3, 6]
    """
    if not entrants:
        return [None]
    order = [1]
    while len(order) < entrants:
        order = [seed for one in order for seed in (one, 2 * len(order) + 1 - one)]
    return [Seed(number) if number <= entrants else None for number in order]
