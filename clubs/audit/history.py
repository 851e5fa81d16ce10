"""The history of a club: its changes, by account and time, and which can be undone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from clubs.models import Club, ClubAction
from clubs.people import search_people
from clubs.policy import Permission, get_undo_permission
from web.forms import parse_digits

from .diff import AuditDiff, build_audit_diff
from .filters import ChangeLine, FoundLines, HistoryFilter, filter_lines, get_line_values
from .log import RowKinds

GROUPS: dict[str, Iterable[str]] = {}
"""Kinds of changes in groups, for the filter (``wording.labels.club_history``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubChangeLine(ChangeLine):
    """A change of the club, with the ``permission`` that it required."""

    permission: str | None

    @property
    def undone_by(self) -> Permission:
        return get_undo_permission(self.permission, self.details.get("of", self.kind))


def filter_club_lines(club: Club, history_filter: HistoryFilter) -> FoundLines:
    """Return the lines of the club's history that match the filter. Two queries."""
    people: Iterable[int] = ()
    if history_filter.search:
        people = list(search_people(club.people.all(), history_filter.search).values_list("pk", flat=True))
    return filter_lines(
        club.actions.all(),
        history_filter,
        zone=club.time_zone,
        groups=GROUPS,
        list_texts=lambda _, details: collect_texts(details),
        text_column="rows",
        keys=dict.fromkeys(("person", "person_id", "player_1_id", "player_2_id"), people),
    )


def list_club_change_lines(club: Club, pks: Iterable[int]) -> tuple[ClubChangeLine, ...]:
    """Return the lines with these keys, newest first. One query."""
    return tuple(_build_line(action) for action in _query_actions(club).filter(pk__in=list(pks)))


def get_club_change_diff(club: Club, pk: int, kinds: RowKinds) -> AuditDiff:
    """Return what a line wrote. One query for each kind of row in it, and one more."""
    return build_audit_diff(club.actions.values_list("rows", flat=True).get(pk=pk), kinds)


def collect_texts(details: Any) -> Iterable[str]:
    """Yield all texts in the details of a line, however deep."""
    if isinstance(details, str):
        yield details
    elif isinstance(details, Mapping | list):
        for each in details.values() if isinstance(details, Mapping) else details:
            yield from collect_texts(each)


def find_club_line(club: Club, history_filter: str) -> ClubChangeLine | None:
    """Return the line with this number from a URL; None for any other text. At most one query."""
    pk = parse_digits(history_filter, max_digits=18)
    action = None if pk is None else _query_actions(club).filter(pk=pk).first()
    return None if action is None else _build_line(action)


def _query_actions(club: Club) -> QuerySet[ClubAction]:
    """Return the club's actions without their rows: an import has thousands."""
    actions = club.actions.select_related("account", "undone_by").order_by("-pk")
    return actions.defer("rows", "undone_by__rows").annotate(has_rows=~Q(rows=[]))


def _build_line(action: Any) -> ClubChangeLine:
    return ClubChangeLine(**get_line_values(action, has_rows=action.has_rows), permission=action.permission)
