"""The history of a club: a sentence for each kind of change."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.audit.history import GROUPS
from clubs.date_formats import day_in_words
from clubs.models import Role
from clubs.name_formats import join_stored_names
from tournaments.money.labels import DUES_ACTIONS, format_money_details
from tournaments.seasons.labels import SEASON_ACTIONS

CLUB_ACTIONS: Mapping[str, Mapping[str, str | Promise]] = {
    "people": {
        "add_person": _("Added: %(name)s"),
        "import_people": _("People imported from a list: %(count)s"),
        "merge_people": _("Merged: %(kept)s and %(merged)s"),
        "change_person": _("Changed: %(name)s"),
        "correct_name": _("Name corrected: %(name)s, not %(before)s"),
    },
    "nights": {
        "take_over_event": _("Corrected copy imported: %(name)s"),
        "keep_usual_night": _("Saved as night template: %(name)s"),
        "rename_usual_night": _("Night template %(before)s renamed %(name)s"),
        "remove_usual_night": _("Night template removed: %(name)s"),
        "add_recurring_night": _("Added to calendar: %(name)s"),
        "change_recurring_night": _("Changed in calendar: %(name)s"),
        "remove_recurring_night": _("Removed from calendar: %(name)s"),
        "cancel_date": _("%(name)s: cancelled on %(on)s"),
        "move_date": _("%(name)s: postponed from %(on)s to %(to)s"),
        "restore_date": _("%(name)s: reinstated on %(on)s"),
        "add_club": _("Club added: %(name)s"),
        "change_club": _("Club settings changed"),
        "change_club_page": _("Club page changed"),
        "set_club_picture": _("Club picture changed"),
        "remove_club_picture": _("Club picture removed"),
        "lead_here": _("Now run from here: %(name)s"),
        "hand_over": _("Handed over to the other installation: %(name)s"),
        "follow_site": _("Archived, replaced by the public site’s version: %(name)s"),
        "take_snapshot_file": _("Imported from the other installation’s file: %(name)s"),
        "begin_mirror_anew": _("Archived, to be copied again: %(name)s"),
    },
    "privacy": {
        "change_privacy": _("Personal information settings changed"),
        "keep_person": _("%(name)s: retained until %(on)s"),
        "keep_person_no_longer": _("%(name)s: usual retention period"),
        "anonymize_person": _("Erased, results remain: %(name)s"),
        "anonymize_people": _("Erased, results remain: %(count)s people"),
        "add_incident": _("Incident of %(on)s added"),
        "change_incident": _("Incident of %(on)s corrected"),
        "close_incident": _("Incident of %(on)s closed"),
        "reopen_incident": _("Incident of %(on)s reopened"),
    },
    "money": DUES_ACTIONS,
    "team": {
        "change_signing_key": _("Club signing key changed"),
        "invite": _("Invited: %(name)s, %(role)s"),
        "renew_invitation": _("New link for %(name)s"),
        "revoke_invitation": _("Invitation withdrawn: %(name)s"),
        "join": _("%(name)s joined the team: %(role)s"),
        "change_role": _("%(name)s: now %(role)s, was %(was)s"),
        "remove_member": _("Removed from the team: %(name)s, %(role)s"),
        "leave_club": _("%(name)s left the team: %(role)s"),
        "hand_new_password": _("Password reset link: %(name)s"),
        "choose_new_password": _("%(name)s: password changed"),
        "remove_second_factor": _("Authenticator app removed: %(name)s"),
        "take_club_file": _("Club file requested"),
        "leave_server": _("Deletion of the club from this server scheduled"),
        "stay_on_server": _("Deletion of the club cancelled"),
        "make_token": _("API key created: %(name)s"),
        "revoke_token": _("API key revoked: %(name)s"),
        "add_webhook": _("Webhook added: %(host)s"),
        "change_webhook": _("Webhook changed: %(host)s"),
        "renew_webhook_secret": _("New webhook secret: %(host)s"),
        "remove_webhook": _("Webhook removed: %(host)s"),
        "make_pairing_link": _("Link created for a laptop"),
        "accept_pairing": _("Laptop linked: %(name)s"),
        "end_pairing": _("Laptop unlinked: %(name)s"),
        "pair_with_site": _("Public site linked: %(host)s"),
        "leave_site": _("Public site unlinked: %(host)s"),
    },
    "seasons": {
        **SEASON_ACTIONS,
        "turn_ratings_on": _("Ratings turned on"),
        "turn_ratings_off": _("Ratings turned off"),
    },
    "interclub": {
        "invite_club": _("%(name)s: club invited, %(club)s"),
        "invite_by_link": _("%(name)s: link created for another club"),
        "withdraw_club": _("%(name)s: invitation withdrawn, %(club)s"),
        "withdraw_link": _("%(name)s: link for another club withdrawn"),
        "club_accepted": _("%(name)s: %(club)s accepted"),
        "club_declined": _("%(name)s: %(club)s declined"),
        "invited_elsewhere": _("Invited by %(club)s: %(name)s"),
        "withdrawn_elsewhere": _("Invitation withdrawn by %(club)s: %(name)s"),
        "accept_elsewhere": _("Taking part at %(club)s: %(name)s"),
        "decline_elsewhere": _("Not taking part at %(club)s: %(name)s"),
        "enter_elsewhere": _("Entered at %(club)s, %(name)s: %(names)s"),
        "take_out_elsewhere": _("Removed at %(club)s, %(name)s: %(names)s"),
        "replace_elsewhere": _("Changed at %(club)s, %(name)s: %(names)s"),
    },
    "federations": {
        "switch_feed_on": _("Federation sharing turned on"),
        "switch_feed_off": _("Federation sharing turned off"),
        "open_federation": _("Federation created: %(name)s"),
        "change_federation": _("Federation changed: %(name)s"),
        "end_federation": _("Federation ended: %(name)s"),
        "follow_feed": _("Club added to federation: %(host)s"),
        "unfollow_feed": _("Club removed from federation: %(host)s"),
        "make_identity_code": _("Code for another club: %(name)s"),
        "enter_identity_code": _("Code of another club entered: %(name)s"),
        "take_back_identity": _("Code of another club removed: %(name)s"),
    },
}
"""Sentences by group, for the filter, then by ``ClubAction.kind``; their values come from ``details``. An undo belongs
to the group of the undone change."""

GROUPS.update(CLUB_ACTIONS)

SENTENCES = {kind: sentence for actions in CLUB_ACTIONS.values() for kind, sentence in actions.items()}
UNDO_SENTENCE = _("Undid: %(action)s")
_IMPORTED_CONTACTS = _("People imported from a list: %(count)s; contact details changed: %(contacts)s")

DAYS = ("on", "to")
"""Details that are days."""

ROLES = ("role", "was")
"""Details that are roles."""


def get_undo_template(details: Mapping[str, Any]) -> str:
    """Return the sentence of an undo, or of its undo, with a place for the sentence of the change."""
    return gettext("Restored: %(action)s") if details.get("put_back") else str(UNDO_SENTENCE)


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
    return str(SENTENCES[kind]) % params
