"""Changes made by hand in a round after its draw, derived from the history of the event."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.draws.lineups import Difference

DRAW_KINDS = frozenset({"draw_round", "enter_draw"})
"""Kinds of actions that create the whole line-up of a round."""
LINEUP_KINDS = DRAW_KINDS | {"discard_draft", "reopen_round"}
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
class ManualChange:
    line: Any
    changed: Difference


def list_manual_changes(actions: Sequence[RoundAction]) -> list[ManualChange]:
    """Return the changes of a round since the draw behind its current line-up, in order.

    ``actions`` are those that touched the round, first to last. A draw that was undone is ignored, as are
    changes that were undone on it; what remains of them is summed up.
    """
    actions_by_key = {action.key: action for action in actions}
    changes: list[ManualChange] = []
    place = len(actions)
    while place:
        place -= 1
        action = actions[place]
        if action.kind in DRAW_KINDS:
            break
        undone = actions_by_key.get(action.undoes or 0)
        if undone is None or not _replaces_draw(undone, actions_by_key):
            if action.changed:
                changes.append(ManualChange(action.line, action.changed))
            continue
        undone_index = actions.index(undone)
        remaining = _combine_differences(action_between.changed for action_between in actions[undone_index + 1 : place])
        if remaining:
            changes.append(ManualChange(actions[place - 1].line, remaining))
        place = undone_index
    return changes[::-1]


def _replaces_draw(action: RoundAction, actions_by_key: dict[int, RoundAction]) -> bool:
    """Check whether the line-up after this action comes from another draw than before, also through undo and
    its undo."""
    if action.kind in LINEUP_KINDS:
        return True
    undone = actions_by_key.get(action.undoes or 0)
    return undone is not None and _replaces_draw(undone, actions_by_key)


def _combine_differences(differences: Iterable[Difference]) -> Difference:
    """Combine successive differences into one."""
    combined: Difference = {}
    for difference in differences:
        for name, changed_places in difference.items():
            combined_places = combined.setdefault(name, {})
            for key, (before, after) in changed_places.items():
                combined_places[key] = [combined_places[key][0] if key in combined_places else before, after]
    return {
        name: remaining
        for name, changed_places in combined.items()
        if (remaining := {key: ends for key, ends in changed_places.items() if ends[0] != ends[1]})
    }
