"""The objective of priced draws from its definitions, and every pairing of a small field.

What a pairing costs is a list of whole numbers, one for each criterion in order; the least of them all,
compared from the front, is the draw.
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

from .course import idle_rounds
from .tally import meetings

Pairing = list[tuple[EntryId, EntryId | None]]
"""Who meets whom; None: sits out."""

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
USUAL = {"target": "slide", "must_not": (), "avoid": ("club", "family", "carpool"), "mixes_sections": False}
USUAL_OF: dict[str, dict[str, Any]] = {
    "random": {"target": "lot"},
    "interclub_all": {"target": "lot", "avoid": ("family", "carpool")},
}
MOST = 8
"""Entries of a field that is small: 105 pairings."""


def every_pairing(entries: Sequence[EntryId]) -> Iterator[Pairing]:
    """All ways to pair these; of an odd number, one sits out."""
    if len(entries) % 2:
        for out in entries:
            others = [entry for entry in entries if entry != out]
            yield from ([*pairs, (out, None)] for pairs in every_pairing(others))
        return
    if not entries:
        yield []
        return
    first, *others = entries
    for other in others:
        for pairs in every_pairing([entry for entry in others if entry != other]):
            yield [(first, other), *pairs]


class Objective:
    """What pairings of a field cost, by the definitions of the criteria."""

    def __init__(self, format_key: str, before: DrawInput) -> None:
        usual = {**USUAL, "criteria": CRITERIA[format_key], **USUAL_OF.get(format_key, {})}
        self.wanted: dict[str, Any] = {**usual, **before.settings}
        self.before, self.criteria = before, tuple(self.wanted["criteria"])
        self.idle = idle_rounds(before)
        counts = self.wanted.get("forfeits_count", True)
        self.history = [table for table in before.history if counts or not table.is_forfeit]
        since = self.wanted.get("rematch_after")
        self.met = meetings(t for t in self.history if since is None or t.round >= before.round - since)
        self.order = self._order()
        self.at = {entrant.id: place for place, entrant in enumerate(self.order)}
        self.score = {e.id: e.score if "scores" in self.criteria else 0 for e in self.order}
        self.groups = [
            [entrant.id for entrant in those]
            for _, those in groupby(self.order, key=lambda entrant: self.score[entrant.id])
        ]
        self.lowest = min(self.score.values(), default=0)

    def _order(self) -> list[Entrant]:
        number, locked = self.before.round, self.before.at_locked_tables
        here = [
            entrant
            for entrant in self.before.entrants
            if entrant.is_present(number) and number not in entrant.byes_asked and entrant.id not in locked
        ]
        if self.wanted["target"] == "lot":
            chance = Random(self.before.seed)
            here.sort(key=lambda entrant: chance.random())
        return sorted(here, key=lambda entrant: -entrant.score if "scores" in self.criteria else 0)

    @property
    def entries(self) -> list[EntryId]:
        return [entrant.id for entrant in self.order]

    def cost(self, pairing: Pairing) -> list[int]:
        return [sum(self.step(key, *pair) for pair in pairing) for key in self.criteria]

    def step(self, key: str, one: EntryId, other: EntryId | None) -> int:
        if other is None:
            return self._bye(key, one)
        if self.at[other] < self.at[one]:
            one, other = other, one
        of_pair: Callable[[EntryId, EntryId], int] = getattr(self, f"_{key}", lambda one, other: 0)
        return of_pair(one, other)

    def _bye(self, key: str, out: EntryId) -> int:
        above = self.score[out] - self.lowest
        group = next(group for group in self.groups if out in group)
        return {
            "byes": self.idle[out] ** 2,
            "bye_score": above,
            "scores": 0 if "bye_score" in self.criteria else above**2,
            "floats": int(self._came_with(out) > 0),
            "distance": (len(group) - 1 - group.index(out)) ** 2,
        }.get(key, 0)

    def _shared(self, named: str, kinds: Sequence[str], one: EntryId, other: EntryId) -> int:
        """What the two share that was ``named`` for its own sake, or is of these kinds."""
        number, first = self.before.round, self.wanted.get("apart_rounds") or self.before.round
        both = self.order[self.at[one]].bonds & self.order[self.at[other]].bonds
        return sum(
            (bond.rounds or number) >= number
            and (bond.kind == named or (bond.kind in kinds and number <= first))
            for bond in both
        )

    def _forbidden(self, one: EntryId, other: EntryId) -> int:
        first, second = self.order[self.at[one]], self.order[self.at[other]]
        return (
            self._shared("apart", self.wanted["must_not"], one, other)
            + (not self.wanted["mixes_sections"] and first.section != second.section)
            + (None not in (first.table, second.table) and first.table != second.table)
            + (first.side is not None and first.side is second.side)
        )

    def _repeats(self, one: EntryId, other: EntryId) -> int:
        return self.met[frozenset((one, other))] ** 2

    def _club(self, entry: EntryId) -> str:
        bonds = next(entrant.bonds for entrant in self.before.entrants if entrant.id == entry)
        return min((bond.name for bond in bonds if bond.kind == "club"), default="")

    def _own_club(self, one: EntryId, other: EntryId) -> int:
        return int(self._club(one) == self._club(other))

    def _clubs(self, one: EntryId, other: EntryId) -> int:
        """By how much the squares of the tables against each club, by the entries of that club, grow."""
        known = {entrant.id for entrant in self.before.entrants}
        sizes = Counter(map(self._club, self.entries))
        grown = Fraction(0)
        for entry, club in ((one, self._club(other)), (other, self._club(one))):
            met = sum(
                self._club(opponent) == club
                for table in self.history
                for side, others in ((table.a, table.b), (table.b, table.a))
                for opponent in others
                if entry in side and opponent in known
            )
            grown += Fraction((met + 1) ** 2 - met**2, sizes[club])
        return int(grown * lcm(*sizes.values()))

    def _scores(self, one: EntryId, other: EntryId) -> int:
        return (self.score[one] - self.score[other]) ** 2

    def _floats(self, one: EntryId, other: EntryId) -> int:
        if self.score[one] == self.score[other]:
            return 0
        return (self._came_with(one) > 0) + (self._came_with(other) < 0)

    def _came_with(self, entry: EntryId) -> int:
        """By how much its score was above the opponent's in the round before."""
        for table in self.history:
            if table.round == self.before.round - 1 and table.b and entry in (*table.a, *table.b):
                own, others = table.scores if entry in table.a else table.scores[::-1]
                return own - others
        return 0

    def _avoid(self, one: EntryId, other: EntryId) -> int:
        return self._shared("rather_apart", self.wanted["avoid"], one, other)

    def _distance(self, one: EntryId, other: EntryId) -> int:
        upper, lower = (next(group for group in self.groups if e in group) for e in (one, other))
        place, opponent = upper.index(one), lower.index(other)
        if upper is not lower:
            return (len(upper) - 1 - place + opponent) ** 2
        off = {
            "slide": 2 * (opponent - place) - len(upper),
            "fold": place + opponent - (len(upper) - 1),
            "adjacent": opponent - place - 1,
            "lot": opponent - place - 1,
        }
        return off[self.wanted["target"]] ** 2

    def _sides(self, one: EntryId, other: EntryId) -> int:
        """The squares of how often more each will have sat on one side than on the other, at best."""
        lean: Counter[EntryId] = Counter()
        for table in self.history:
            if table.b:
                lean.update(table.a)
                lean.subtract(table.b)
        ways = ((Side.A, Side.B), (Side.B, Side.A))
        turn = {Side.A: 1, Side.B: -1}
        return min(
            sum((lean[e] + turn[side]) ** 2 for e, side in zip((one, other), way, strict=True))
            for way in ways
        )
