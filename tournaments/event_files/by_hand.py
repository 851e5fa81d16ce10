"""Which of the changes of a round were made by hand, after it was drawn: out of an event's history."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.draws.lineups import Difference

DRAWS = frozenset({"draw_round", "enter_draw"})
"""What makes the whole line-up of a round anew."""
MAKES_ANEW = DRAWS | {"discard_draft", "reopen_round"}
"""The same, or takes a draft away; undone, they bring another draw back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundAction:
    """A line of the history, as far as it changed a round: ``undoes`` is the line that it takes back, by its
    ``key``. ``line`` is whatever the caller tells of it."""

    key: int
    kind: str
    undoes: int | None
    changed: Difference
    line: Any


@dataclass(frozen=True, slots=True)
class ByHand:
    line: Any
    changed: Difference


def changes_by_hand(deeds: Sequence[RoundAction]) -> list[ByHand]:
    """What was changed in a round since the draw on which its line-up rests, in order; ``deeds`` are those
    that touched the round, first to last.

    A draw that was undone again is as if it had not been, and so is what was done on it and taken back: of
    what stayed, the sum is told.
    """
    known = {deed.key: deed for deed in deeds}
    found: list[ByHand] = []
    place = len(deeds)
    while place:
        place -= 1
        deed = deeds[place]
        if deed.kind in DRAWS:
            break
        undone = known.get(deed.undoes or 0)
        if undone is None or not _makes_anew(undone, known):
            if deed.changed:
                found.append(ByHand(deed.line, deed.changed))
            continue
        before = deeds.index(undone)
        stayed = _sum(each.changed for each in deeds[before + 1 : place])
        if stayed:
            found.append(ByHand(deeds[place - 1].line, stayed))
        place = before
    return found[::-1]


def _makes_anew(deed: RoundAction, known: dict[int, RoundAction]) -> bool:
    """Whether it rests on another draw than the deed before it: also by an undo, and the undo of that."""
    if deed.kind in MAKES_ANEW:
        return True
    undone = known.get(deed.undoes or 0)
    return undone is not None and _makes_anew(undone, known)


def _sum(differences: Iterable[Difference]) -> Difference:
    """One difference that does what these do, one after the other."""
    together: Difference = {}
    for each in differences:
        for name, changed in each.items():
            here = together.setdefault(name, {})
            for key, (before, after) in changed.items():
                here[key] = [here[key][0] if key in here else before, after]
    return {
        name: left
        for name, changed in together.items()
        if (left := {key: ends for key, ends in changed.items() if ends[0] != ends[1]})
    }
