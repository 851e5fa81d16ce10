"""The field of one round: the entrants to be paired, in order of standing, and their score groups."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType

from engine.draws.history import History
from engine.draws.values import Entrant, EntryId


@dataclass(frozen=True)
class PairingField:
    """The entrants by position from 0, best first.

    If their number is odd, position ``bye_position`` stands for the bye: the entrant paired with it sits out.
    ``clubs`` are those of all entrants, including absent ones.
    """

    round: int
    entrants: tuple[Entrant, ...]
    history: History
    clubs: Mapping[EntryId, str] = field(default_factory=dict, hash=False)

    @property
    def bye_position(self) -> int:
        return len(self.entrants)

    @property
    def is_odd(self) -> bool:
        return len(self.entrants) % 2 == 1

    @property
    def size(self) -> int:
        """The number of positions to be paired, including the bye."""
        return len(self.entrants) + self.is_odd

    @cached_property
    def ids(self) -> list[EntryId]:
        return [entrant.id for entrant in self.entrants]

    @cached_property
    def places_by_entry(self) -> dict[EntryId, int]:
        return {entry: place for place, entry in enumerate(self.ids)}

    @cached_property
    def scores(self) -> list[int]:
        return [entrant.score for entrant in self.entrants]

    @cached_property
    def groups(self) -> list[range]:
        """The positions of each score group, best group first."""
        scores = self.scores
        starts = [place for place, score in enumerate(scores) if not place or score != scores[place - 1]]
        return [range(*ends) for ends in pairwise([*starts, self.bye_position])]

    @cached_property
    def group_indexes(self) -> list[int]:
        """The index of the score group, by position."""
        return [index for index, group in enumerate(self.groups) for _ in group]


def build_pairing_field(
    entrants: Sequence[Entrant],
    history: History,
    *,
    played_round: int,
    clubs: Mapping[EntryId, str] = MappingProxyType({}),
) -> PairingField:
    """Return the field of these entrants: by score, and in the order given among equal scores."""
    ordered = sorted(entrants, key=lambda entrant: -entrant.score)
    return PairingField(round=played_round, entrants=tuple(ordered), history=history, clubs=clubs)
