"""Changes of a club's people in words."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Role
from clubs.name_formats import join_stored_names

from .federations import FEDERATION_ACTIONS
from .interclub import INTERCLUB_ACTIONS
from .money import DUES_ACTIONS, format_money_details
from .nights import NIGHT_ACTIONS, format_day_details
from .privacy import PRIVACY_ACTIONS
from .seasons import SEASON_ACTIONS
from .team import TEAM_ACTIONS

CLUB_ACTIONS: dict[str, str | Promise] = {
    **FEDERATION_ACTIONS,
    **INTERCLUB_ACTIONS,
    **DUES_ACTIONS,
    **NIGHT_ACTIONS,
    **PRIVACY_ACTIONS,
    **SEASON_ACTIONS,
    **TEAM_ACTIONS,
    "add_person": _("Added: %(name)s"),
    "import_people": _("People imported from a list: %(count)s"),
    "merge_people": _("Merged: %(kept)s and %(merged)s"),
    "change_person": _("Changed: %(name)s"),
    "correct_name": _("Name corrected: %(name)s, not %(before)s"),
    "add_club": _("Club added: %(name)s"),
    "change_club": _("Club settings changed"),
    "change_club_page": _("Club page changed"),
    "set_club_picture": _("Club picture changed"),
    "remove_club_picture": _("Club picture removed"),
    "change_signing_key": _("Club signing key changed"),
    "turn_ratings_on": _("Ratings turned on"),
    "turn_ratings_off": _("Ratings turned off"),
    "undo": _("Undid: %(action)s"),
}
"""Sentences by ``ClubAction.kind``; their values come from ``details``."""

_IMPORTED_CONTACTS = _("People imported from a list: %(count)s; contact details changed: %(contacts)s")

ROLES = ("role", "was")
"""Details that are roles."""


def get_undo_template(details: Mapping[str, Any]) -> str:
    """Return the sentence of an undo, or of its undo, with a place for the sentence of the change."""
    return gettext("Restored: %(action)s") if details.get("put_back") else str(CLUB_ACTIONS["undo"])


def get_undone_details(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return the details of the change that was undone, or restored."""
    return {name: value for name, value in details.items() if name not in ("of", "put_back")}


def describe_club_action(kind: str, details: Mapping[str, Any]) -> str:
    """Return the sentence of a line of a club's history. A kind without one is a bug: KeyError."""
    params = dict(details) | format_day_details(details)
    params |= {name: Role(params[name]).label for name in ROLES if params.get(name) in Role}
    if "names" in params:
        params["names"] = join_stored_names(params["names"])
    if kind == "import_people" and details.get("contacts"):
        return str(_IMPORTED_CONTACTS) % params
    if kind in DUES_ACTIONS:
        params |= format_money_details(details)
    if kind == "undo":
        params["action"] = describe_club_action(details["of"], get_undone_details(details))
        return get_undo_template(details) % params
    return str(CLUB_ACTIONS[kind]) % params
