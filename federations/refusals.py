"""Refusals about federations, by code: sentence, and HTTP status if not 422."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from errors import Answer

REFUSALS: Mapping[str, str | Promise | Answer] = {
    "federation_name_required": _("Enter the federation’s name."),
    "ladder_of_people_only": _("Choose points by person or by pair."),
    "no_such_federation": Answer(_("This federation no longer exists."), 404),
    "no_such_feed": Answer(_("This club has been removed."), 404),
    "too_many_feeds": _("%(most)s clubs at most. Remove one first."),
    "feed_is_off": Answer(
        _("This club shares nothing with federations. An owner can change this under Federations."), 409
    ),
    "feed_away": _("The club’s computer is not responding. Retrying automatically."),
    "feed_withdrawn": _("No club file at this address. Earlier results were removed."),
    "feed_answers_otherwise": _("Not a Charlemagne club file (response %(status)s). Check the address."),
    "feed_too_large": _("File ignored: larger than %(most)s MB."),
    "feed_unreadable": _("Unreadable file. Update the program on both computers."),
    "feed_not_signed": _("File ignored: changed after the club signed it."),
    "feed_key_changed": _(
        "Unknown signing key (%(key)s). Ask the club. If it is right, remove the club and follow it again."
    ),
    "feed_of_another_club": _(
        "This address now belongs to another club. If that is right, remove it and follow it again."
    ),
    "feed_followed_already": _("This club is already followed at another address."),
    "feed_older": _("File ignored: older than the previous one."),
    "identity_code_unread": _("A code has twelve letters and digits. For example, K7QM-4XZT-9PRA."),
}
