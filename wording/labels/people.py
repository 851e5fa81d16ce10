"""Changes of a club's people in words."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Role
from clubs.wording import join_stored_names

from .federations import FEDERATION_DEEDS
from .interclub import INTERCLUB_DEEDS
from .money import DUES_DEEDS, money_told
from .nights import NIGHT_DEEDS, days_told
from .privacy import PRIVACY_DEEDS
from .seasons import SEASON_DEEDS
from .team import TEAM_DEEDS

CLUB_DEEDS: dict[str, str | Promise] = {
    **FEDERATION_DEEDS,
    **INTERCLUB_DEEDS,
    **DUES_DEEDS,
    **NIGHT_DEEDS,
    **PRIVACY_DEEDS,
    **SEASON_DEEDS,
    **TEAM_DEEDS,
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
    "undo": _("Undid: %(deed)s"),
}
"""Sentences by ``ClubAction.kind``; their values come from ``details``."""

_CONTACTS_OF_A_LIST = _("People imported from a list: %(count)s; contact details changed: %(contacts)s")

ROLES = ("role", "was")
"""Details that are roles."""


def undo_sentence(details: Mapping[str, Any]) -> str:
    """Return the sentence of an undo, or of its undo, with a place for the sentence of the change."""
    return gettext("Restored: %(deed)s") if details.get("put_back") else str(CLUB_DEEDS["undo"])


def details_undone(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return the details of the change that was undone, or restored."""
    return {name: value for name, value in details.items() if name not in ("of", "put_back")}


def club_deed(kind: str, details: Mapping[str, Any]) -> str:
    """Return the sentence of a line of a club's history. A kind without one is a bug: KeyError."""
    told = dict(details) | days_told(details)
    told |= {name: Role(told[name]).label for name in ROLES if told.get(name) in Role}
    if "names" in told:
        told["names"] = join_stored_names(told["names"])
    if kind == "import_people" and details.get("contacts"):
        return str(_CONTACTS_OF_A_LIST) % told
    if kind in DUES_DEEDS:
        told |= money_told(details)
    if kind == "undo":
        told["deed"] = club_deed(details["of"], details_undone(details))
        return undo_sentence(details) % told
    return str(CLUB_DEEDS[kind]) % told
