"""The history of a club: who did what, when, and what of it can be undone."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from .forms import digits_in
from .models import Club, ClubAction
from .policy import Deed, undone_by


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubLine:
    """``kind`` and ``details`` are what the sentence needs."""

    pk: int
    kind: str
    details: Mapping[str, Any]
    who: str
    when: datetime
    reason: str
    origin: str
    is_undone: bool
    can_be_undone: bool

    @property
    def undone_by(self) -> Deed:
        """What one must be allowed, to undo it."""
        return undone_by(self.kind, self.details)


def club_lines(club: Club, *, most: int = 200) -> tuple[ClubLine, ...]:
    """The last lines, newest first. One query."""
    return tuple(_line(action) for action in _actions(club)[:most])


def club_line(club: Club, asked: str) -> ClubLine | None:
    """The line of this number, as an address says it; None for any other text. At most one query."""
    pk = digits_in(asked, most=18)
    action = None if pk is None else _actions(club).filter(pk=pk).first()
    return None if action is None else _line(action)


def _actions(club: Club) -> QuerySet[ClubAction]:
    """Without the rows that they wrote, of which an import has thousands."""
    actions = club.actions.select_related("account", "undone_by").order_by("-pk")
    return actions.defer("rows", "undone_by__rows").annotate(has_rows=~Q(rows=[]))


def _line(action: Any) -> ClubLine:
    is_undone = getattr(action, "undone_by", None) is not None
    return ClubLine(
        pk=action.pk,
        kind=action.kind,
        details=action.details,
        who="" if action.account is None else action.account.name,
        when=action.created_at,
        reason=action.reason,
        origin=action.origin,
        is_undone=is_undone,
        can_be_undone=not is_undone and action.has_rows,
    )
