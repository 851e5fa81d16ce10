"""The history of an event: who did what, when, and what of it can be undone."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tournaments import selectors
from tournaments.models import Action, Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What the sentence about a change needs: ``names`` are those of the entries by number."""

    kind: str
    details: Mapping[str, Any]
    names: Mapping[int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine(Deed):
    """A change that was made: who, when, and whether it still stands."""

    pk: int
    who: str
    when: datetime
    reason: str
    is_undone: bool
    can_be_undone: bool


def history_lines(event: Event, *, most: int = 200, but: Collection[str] = ()) -> tuple[HistoryLine, ...]:
    """The last lines, newest first, ``but`` those of these kinds. Two queries."""
    actions = selectors.actions_of(event).exclude(kind__in=but)[:most]
    names = {entry.number: str(entry) for entry in selectors.entries_of(event)}
    return tuple(history_line(action, names) for action in actions)


def history_line(action: Action, names: Mapping[int, str]) -> HistoryLine:
    is_undone = getattr(action, "undone_by", None) is not None
    return HistoryLine(
        pk=action.pk,
        kind=action.kind,
        details=action.details,
        names=names,
        who="" if action.account is None else action.account.name,
        when=action.created_at,
        reason=action.reason,
        is_undone=is_undone,
        can_be_undone=not is_undone and getattr(action, "has_changes", False),
    )
