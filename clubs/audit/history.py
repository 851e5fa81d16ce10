"""The history of a club: its changes, by account and time, and which can be undone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from clubs.models import Club, ClubAction
from clubs.people import people_named
from clubs.policy import Permission, permission_to_undo
from web.forms import digits_in

from .diff import AuditDiff, audit_diff
from .filters import ChangeLine, FoundLines, HistoryFilter, line_values, lines_asked
from .log import RowKinds

GROUPS: dict[str, frozenset[str]] = {
    "people": frozenset({"add_person", "change_person", "correct_name", "import_people", "merge_people"}),
    "nights": frozenset(
        {
            "keep_usual_night",
            "rename_usual_night",
            "remove_usual_night",
            "add_recurring_night",
            "change_recurring_night",
            "remove_recurring_night",
            "cancel_date",
            "move_date",
            "restore_date",
            "add_club",
            "change_club",
            "change_club_page",
            "set_club_picture",
            "remove_club_picture",
            "lead_here",
            "begin_mirror_anew",
            "hand_over",
            "follow_site",
            "take_snapshot_file",
        }
    ),
    "privacy": frozenset(
        {
            "change_privacy",
            "keep_person",
            "keep_person_no_longer",
            "anonymize_person",
            "anonymize_people",
            "add_incident",
            "change_incident",
            "close_incident",
            "reopen_incident",
        }
    ),
    "money": frozenset({"ask_dues", "change_dues", "pay_dues", "record_dues"}),
    "team": frozenset(
        {
            "invite",
            "renew_invitation",
            "revoke_invitation",
            "join",
            "change_role",
            "remove_member",
            "leave_club",
            "hand_new_password",
            "choose_new_password",
            "remove_second_factor",
            "take_club_file",
            "make_token",
            "change_signing_key",
            "revoke_token",
            "add_webhook",
            "change_webhook",
            "renew_webhook_secret",
            "remove_webhook",
            "make_pairing_link",
            "accept_pairing",
            "end_pairing",
            "pair_with_site",
            "leave_site",
        }
    ),
}
"""Kinds of changes in groups, for the filter; an undo belongs to the group of the undone change. Packages
above this one add theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubChangeLine(ChangeLine):
    """A change of the club, with the ``permission`` that it required."""

    permission: str | None

    @property
    def undone_by(self) -> Permission:
        return permission_to_undo(self.permission, self.details.get("of", self.kind))


def club_lines_asked(club: Club, asked: HistoryFilter) -> FoundLines:
    """Return the lines of the club's history that match the filter. Two queries."""
    people: Iterable[int] = ()
    if asked.search:
        people = list(people_named(club.people.all(), asked.search).values_list("pk", flat=True))
    return lines_asked(
        club.actions.all(),
        asked,
        zone=club.time_zone,
        groups=GROUPS,
        said=lambda _, details: texts_in(details),
        wrote="rows",
        keys=dict.fromkeys(("person", "person_id", "player_1_id", "player_2_id"), people),
    )


def club_change_lines(club: Club, pks: Iterable[int]) -> tuple[ClubChangeLine, ...]:
    """Return the lines with these keys, newest first. One query."""
    return tuple(_line(action) for action in _actions(club).filter(pk__in=list(pks)))


def club_written(club: Club, pk: int, kinds: RowKinds) -> AuditDiff:
    """Return what a line wrote. One query for each kind of row in it, and one more."""
    return audit_diff(club.actions.values_list("rows", flat=True).get(pk=pk), kinds)


def texts_in(details: Any) -> Iterable[str]:
    """Yield all texts in the details of a line, however deep."""
    if isinstance(details, str):
        yield details
    elif isinstance(details, Mapping | list):
        for each in details.values() if isinstance(details, Mapping) else details:
            yield from texts_in(each)


def club_line(club: Club, asked: str) -> ClubChangeLine | None:
    """Return the line with this number from a URL; None for any other text. At most one query."""
    pk = digits_in(asked, most=18)
    action = None if pk is None else _actions(club).filter(pk=pk).first()
    return None if action is None else _line(action)


def _actions(club: Club) -> QuerySet[ClubAction]:
    """Return the club's actions without their rows: an import has thousands."""
    actions = club.actions.select_related("account", "undone_by").order_by("-pk")
    return actions.defer("rows", "undone_by__rows").annotate(has_rows=~Q(rows=[]))


def _line(action: Any) -> ClubChangeLine:
    return ClubChangeLine(**line_values(action, wrote=action.has_rows), permission=action.permission)
