"""The history of a club: a sentence for each kind of change."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.audit.labels import CLUB_ACTIONS
from clubs.date_formats import day_in_words
from clubs.models import Role
from clubs.name_formats import join_stored_names
from federations.labels import FEDERATION_ACTIONS
from tournaments.interclub.labels import SHARED_ACTIONS
from tournaments.money.labels import DUES_ACTIONS, format_money_details
from tournaments.seasons.labels import SEASON_ACTIONS

CLUB_SENTENCES: dict[str, str | Promise] = {
    **{kind: sentence for sentences in CLUB_ACTIONS.values() for kind, sentence in sentences.items()},
    **DUES_ACTIONS,
    **FEDERATION_ACTIONS,
    **SEASON_ACTIONS,
    **SHARED_ACTIONS,
    "undo": _("Undid: %(action)s"),
}
"""Sentences by ``ClubAction.kind``, also of features that are not loaded."""

_IMPORTED_CONTACTS = _("People imported from a list: %(count)s; contact details changed: %(contacts)s")

DAYS = ("on", "to")
"""Details that are days."""

ROLES = ("role", "was")
"""Details that are roles."""


def get_undo_template(details: Mapping[str, Any]) -> str:
    """Return the sentence of an undo, or of its undo, with a place for the sentence of the change."""
    return gettext("Restored: %(action)s") if details.get("put_back") else str(CLUB_SENTENCES["undo"])


def get_undone_details(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return the details of the change that was undone, or restored."""
    return {name: value for name, value in details.items() if name not in ("of", "put_back")}


def format_day_details(details: Mapping[str, Any]) -> dict[str, str]:
    """Return in words the details that are days."""
    return {name: day_in_words(date.fromisoformat(details[name])) for name in DAYS if name in details}


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
    return str(CLUB_SENTENCES[kind]) % params
