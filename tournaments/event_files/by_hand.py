"""Changes made by hand in a round after its draw, derived from the history of the event."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.draws.lineups import Difference

DRAWS = frozenset({"draw_round", "enter_draw"})
"""Kinds of actions that create the whole line-up of a round."""
MAKES_ANEW = DRAWS | {"discard_draft", "reopen_round"}
"""Kinds of actions that create or delete a line-up; undoing one restores an earlier draw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundAction:
    """A line of the history with its changes of one round. ``undoes`` is the ``key`` of the line that it
    undoes, and ``line`` any data of the caller."""

    key: int
    kind: str
    undoes: int | None
    changed: Difference
    line: Any


@dataclass(frozen=True, slots=True)
class ByHand:
    line: Any
    changed: Difference


def changes_by_hand(actions: Sequence[RoundAction]) -> list[ByHand]:
    """Return the changes of a round since the draw behind its current line-up, in order.

    ``actions`` are those that touched the round, first to last. A draw that was undone is ignored, as are
    changes that were undone on it; what remains of them is summed up.
    """
    known = {action.key: action for action in actions}
    found: list[ByHand] = []
    place = len(actions)
    while place:
        place -= 1
        action = actions[place]
        if action.kind in DRAWS:
            break
        undone = known.get(action.undoes or 0)
        if undone is None or not _makes_anew(undone, known):
            if action.changed:
                found.append(ByHand(action.line, action.changed))
            continue
        before = actions.index(undone)
        stayed = _sum(each.changed for each in actions[before + 1 : place])
        if stayed:
            found.append(ByHand(actions[place - 1].line, stayed))
        place = before
    return found[::-1]


def _makes_anew(action: RoundAction, known: dict[int, RoundAction]) -> bool:
    """Check whether the line-up after this action comes from another draw than before, also through undo and
    its undo."""
    if action.kind in MAKES_ANEW:
        return True
    undone = known.get(action.undoes or 0)
    return undone is not None and _makes_anew(undone, known)


def _sum(differences: Iterable[Difference]) -> Difference:
    """Combine successive differences into one."""
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
