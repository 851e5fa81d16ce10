"""Cost of pairings by the definitions of the criteria, and all pairings of a small field.

A cost is a list of whole numbers, one for each criterion in order; the draw has the lexicographically least cost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from math import lcm
from random import Random
from typing import Any

from engine.draws import DrawInput, Entrant, EntryId
from rules import Side

from .course import count_idle_rounds
from .tally import count_meetings

Pairing = list[tuple[EntryId, EntryId | None]]
"""Pairs of entries; the second is None for a bye."""

CRITERIA = {
    "swiss": ("forbidden", "byes", "repeats", "bye_score", "scores", "floats", "avoid", "distance", "sides"),
    "interclub_all": (
        "forbidden",
        "own_club",
        "byes",
        "repeats",
        "avoid",
        "clubs",
        "distance",
        "sides",
    ),
    "random": ("forbidden", "byes", "repeats", "avoid", "distance", "sides"),
}
DEFAULT_SETTINGS = {"target": "slide", "must_not": (), "avoid": ("club", "family", "carpool"), "mixes_sections": False}
DEFAULTS_BY_FORMAT: dict[str, dict[str, Any]] = {
    "random": {"target": "lot"},
    "interclub_all": {"target": "lot", "avoid": ("family", "carpool")},
}
MAX_ENTRIES = 8
"""Maximum number of entries of a small field: 105 pairings."""


def iter_pairings(entries: Sequence[EntryId]) -> Iterator[Pairing]:
    """Yield all pairings of these entries; of an odd number, one has a bye."""
    if len(entries) % 2:
        for bye_entry in entries:
            others = [entry for entry in entries if entry != bye_entry]
            yield from ([*pairs, (bye_entry, None)] for pairs in iter_pairings(others))
        return
    if not entries:
        yield []
        return
    first, *others = entries
    for other in others:
        for pairs in iter_pairings([entry for entry in others if entry != other]):
            yield [(first, other), *pairs]


class Objective:
    """Cost of a field's pairings, by the definitions of the criteria."""

    def __init__(self, format_key: str, draw_input: DrawInput) -> None:
        usual = {**DEFAULT_SETTINGS, "criteria": CRITERIA[format_key], **DEFAULTS_BY_FORMAT.get(format_key, {})}
        self.wanted: dict[str, Any] = {**usual, **draw_input.settings}
        self.before, self.criteria = draw_input, tuple(self.wanted["criteria"])
        self.idle = count_idle_rounds(draw_input)
        counts = self.wanted.get("forfeits_count", True)
        self.history = [table for table in draw_input.history if counts or not table.is_forfeit]
        rematch_limit = self.wanted.get("rematch_after")
        self.met = count_meetings(
            t for t in self.history if rematch_limit is None or t.round >= draw_input.round - rematch_limit
        )
        self.order = self._build_order()
        self.at = {entrant.id: place for place, entrant in enumerate(self.order)}
        self.score = {e.id: e.score if "scores" in self.criteria else 0 for e in self.order}
        self.groups = [
            [entrant.id for entrant in entrants]
            for _, entrants in groupby(self.order, key=lambda entrant: self.score[entrant.id])
        ]
        self.lowest = min(self.score.values(), default=0)

    def _build_order(self) -> list[Entrant]:
        number, locked = self.before.round, self.before.locked_entries
        present = [
            entrant
            for entrant in self.before.entrants
            if entrant.is_present(number) and number not in entrant.requested_byes and entrant.id not in locked
        ]
        if self.wanted["target"] == "lot":
            chance = Random(self.before.seed)
            present.sort(key=lambda entrant: chance.random())
        return sorted(present, key=lambda entrant: -entrant.score if "scores" in self.criteria else 0)

    @property
    def entries(self) -> list[EntryId]:
        return [entrant.id for entrant in self.order]

    def get_cost(self, pairing: Pairing) -> list[int]:
        return [sum(self.get_step_cost(key, *pair) for pair in pairing) for key in self.criteria]

    def get_step_cost(self, key: str, first: EntryId, second: EntryId | None) -> int:
        if second is None:
            return self._get_bye_cost(key, first)
        if self.at[second] < self.at[first]:
            first, second = second, first
        get_pair_cost: Callable[[EntryId, EntryId], int] = getattr(self, f"_{key}", lambda one, other: 0)
        return get_pair_cost(first, second)

    def _get_bye_cost(self, key: str, bye_entry: EntryId) -> int:
        above = self.score[bye_entry] - self.lowest
        group = next(group for group in self.groups if bye_entry in group)
        return {
            "byes": self.idle[bye_entry] ** 2,
            "bye_score": above,
            "scores": 0 if "bye_score" in self.criteria else above**2,
            "floats": int(self._get_last_score_gap(bye_entry) > 0),
            "distance": (len(group) - 1 - group.index(bye_entry)) ** 2,
        }.get(key, 0)

    def _count_shared_bonds(
        self, bond_kind: str, kinds: Sequence[str], first_entry: EntryId, second_entry: EntryId
    ) -> int:
        """Count the shared bonds of ``bond_kind``, and those of the other ``kinds`` in the first rounds."""
        number, first = self.before.round, self.wanted.get("apart_rounds") or self.before.round
        shared_bonds = self.order[self.at[first_entry]].bonds & self.order[self.at[second_entry]].bonds
        return sum(
            (bond.rounds or number) >= number and (bond.kind == bond_kind or (bond.kind in kinds and number <= first))
            for bond in shared_bonds
        )

    def _forbidden(self, one: EntryId, other: EntryId) -> int:
        first, second = self.order[self.at[one]], self.order[self.at[other]]
        return (
            self._count_shared_bonds("apart", self.wanted["must_not"], one, other)
            + (not self.wanted["mixes_sections"] and first.section != second.section)
            + (None not in (first.table, second.table) and first.table != second.table)
            + (first.side is not None and first.side is second.side)
        )

    def _repeats(self, one: EntryId, other: EntryId) -> int:
        return self.met[frozenset((one, other))] ** 2

    def _get_club(self, entry: EntryId) -> str:
        bonds = next(entrant.bonds for entrant in self.before.entrants if entrant.id == entry)
        return min((bond.name for bond in bonds if bond.kind == "club"), default="")

    def _own_club(self, one: EntryId, other: EntryId) -> int:
        return int(self._get_club(one) == self._get_club(other))

    def _clubs(self, one: EntryId, other: EntryId) -> int:
        """Return the growth of the squared numbers of meetings with each club, divided by that club's entries.

        The sum is scaled to a whole number.
        """
        entrant_ids = {entrant.id for entrant in self.before.entrants}
        sizes = Counter(map(self._get_club, self.entries))
        grown = Fraction(0)
        for entry, club in ((one, self._get_club(other)), (other, self._get_club(one))):
            meeting_counts = sum(
                self._get_club(opponent) == club
                for table in self.history
                for side, others in ((table.a, table.b), (table.b, table.a))
                for opponent in others
                if entry in side and opponent in entrant_ids
            )
            grown += Fraction((meeting_counts + 1) ** 2 - meeting_counts**2, sizes[club])
        return int(grown * lcm(*sizes.values()))

    def _scores(self, one: EntryId, other: EntryId) -> int:
        return (self.score[one] - self.score[other]) ** 2

    def _floats(self, one: EntryId, other: EntryId) -> int:
        if self.score[one] == self.score[other]:
            return 0
        return (self._get_last_score_gap(one) > 0) + (self._get_last_score_gap(other) < 0)

    def _get_last_score_gap(self, entry: EntryId) -> int:
        """Return how far the entry's score was above its opponent's in the previous round."""
        for table in self.history:
            if table.round == self.before.round - 1 and table.b and entry in (*table.a, *table.b):
                own, others = table.scores if entry in table.a else table.scores[::-1]
                return own - others
        return 0

    def _avoid(self, one: EntryId, other: EntryId) -> int:
        return self._count_shared_bonds("rather_apart", self.wanted["avoid"], one, other)

    def _distance(self, one: EntryId, other: EntryId) -> int:
        upper, lower = (next(group for group in self.groups if e in group) for e in (one, other))
        place, opponent = upper.index(one), lower.index(other)
        if upper is not lower:
            return (len(upper) - 1 - place + opponent) ** 2
        offsets = {
            "slide": 2 * (opponent - place) - len(upper),
            "fold": place + opponent - (len(upper) - 1),
            "adjacent": opponent - place - 1,
            "lot": opponent - place - 1,
        }
        return offsets[self.wanted["target"]] ** 2

    def _sides(self, one: EntryId, other: EntryId) -> int:
        """Return the squared imbalances of sides after this meeting, for the better seating."""
        lean: Counter[EntryId] = Counter()
        for table in self.history:
            if table.b:
                lean.update(table.a)
                lean.subtract(table.b)
        ways = ((Side.A, Side.B), (Side.B, Side.A))
        turn = {Side.A: 1, Side.B: -1}
        return min(sum((lean[e] + turn[side]) ** 2 for e, side in zip((one, other), way, strict=True)) for way in ways)
