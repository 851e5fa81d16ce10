"""Permissions by role: the one table that every view uses, and the source of ``docs/operating/roles.md``."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from .models import Role, Scope

View = TypeVar("View", bound=Callable[..., Any])


class Permission(StrEnum):
    """A permission in a club, given by a role."""

    HELP = "help"
    DIRECT = "direct"
    OWN = "own"


class Audience(StrEnum):
    """People without a role who may open a page."""

    PUBLIC = "public"
    TABLE = "table"
    LINK = "link"
    ACCOUNT = "account"


Access = Permission | Audience

ROLE_PERMISSIONS: Mapping[Role, frozenset[Permission]] = {
    Role.DESK: frozenset({Permission.HELP}),
    Role.DIRECTOR: frozenset({Permission.HELP, Permission.DIRECT}),
    Role.OWNER: frozenset({Permission.HELP, Permission.DIRECT, Permission.OWN}),
}

SCOPE_PERMISSIONS: Mapping[Scope, frozenset[Permission]] = {
    Scope.READ: frozenset(),
    Scope.SCORE: ROLE_PERMISSIONS[Role.DESK],
    Scope.DIRECT: ROLE_PERMISSIONS[Role.DIRECTOR],
    Scope.MANAGE: ROLE_PERMISSIONS[Role.OWNER],
}
"""The permissions of an API key by scope, within those of the account that made it. Every scope reads what a
desk helper reads."""

ACCOUNT_ACTIONS = frozenset(
    {"invite", "renew_invitation", "revoke_invitation", "join", "change_role", "remove_member", "leave_club"}
    | {"hand_new_password", "choose_new_password", "make_token", "revoke_token"}
    | {"add_webhook", "change_webhook", "renew_webhook_secret", "remove_webhook"}
    | {"make_pairing_link", "accept_pairing", "end_pairing", "pair_with_site", "leave_site"}
)
"""Kinds of changes to accounts and access, rather than to players."""

_OPENS_TO, _ADMITS = "opens_to", "admits_by_itself"


LEGACY_OWNER_ACTIONS = frozenset(
    {
        *("change_role", "remove_member", "leave_club", "join", "change_club", "change_club_page"),
        *("set_club_picture", "remove_club_picture", "change_signing_key", "lead_here", "begin_mirror_anew"),
        *("hand_over", "follow_site", "take_snapshot_file", "change_privacy", "keep_person"),
        *("keep_person_no_longer", "change_incident", "close_incident", "reopen_incident", "switch_feed_on"),
        *("switch_feed_off", "open_federation", "change_federation", "end_federation", "follow_feed"),
        *("unfollow_feed", "open_season", "change_season", "count_nights", "close_season", "reopen_season"),
        *("ask_dues", "change_dues", "turn_ratings_on", "turn_ratings_off"),
    }
)
"""Kinds of changes that require an owner, for those made before the permission was recorded."""


def get_undo_permission(recorded_permission: str | None, kind: str) -> Permission:
    """Return the permission needed to undo a change of that kind; ``recorded_permission`` is "" if none was checked."""
    if recorded_permission is None:
        return Permission.OWN if kind in LEGACY_OWNER_ACTIONS else Permission.DIRECT
    return Permission.OWN if recorded_permission in {"", Permission.OWN} else Permission.DIRECT


def grant_access(access: Access) -> Callable[[View], View]:
    """Declare who may open a view. Enforcing it is up to the view or its decorator."""

    def decorate(view: View) -> View:
        vars(view)[_OPENS_TO] = access
        return view

    return decorate


def get_access(view: Callable[..., object]) -> Access | None:
    """Return what the view declares; None if nothing."""
    return vars(view).get(_OPENS_TO)


def mark_self_limiting(view: View) -> View:
    """Declare that a view checks and limits its senders by itself before it parses what they send."""
    vars(view)[_ADMITS] = True
    return view


def is_self_limiting(view: Callable[..., object]) -> bool:
    return bool(vars(view).get(_ADMITS))
