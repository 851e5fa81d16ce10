"""Refusals about events of several clubs, by code: sentence, and HTTP status if not 422."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from errors import Answer

REFUSALS: Mapping[str, str | Promise | Answer] = {
    "invites_itself": _("This is your own club. Choose another one."),
    "already_invited": Answer(_("Already invited: %(club)s."), 409),
    "club_not_invited": Answer(_("This invitation was withdrawn or declined. Check the list."), 404),
    "entries_stand": Answer(_("Remove your club’s entries first, or ask the host club."), 409),
    "draw_has_begun": Answer(_("The draw has started. For changes, ask the desk of %(club)s."), 409),
    "plays_already": Answer(_("%(name)s is already entered. Choose someone else."), 409),
    "clubs_in_a_series_only": _("Only an interclub series counts by club. Choose people or pairs."),
    "no_lineup_needed": Answer(_("No line-up is needed now. Wait for the next draw."), 409),
    "no_match_to_postpone": Answer(_("Your team has no match to postpone now. Refresh the page."), 409),
    "desk_already_called": Answer(_("A postponement was already requested. Wait for the answer."), 409),
    "request_not_open": Answer(_("This request was already answered or withdrawn. Refresh the page."), 409),
    "lineups_complete": Answer(_("Both line-ups are submitted. For a change, ask the director."), 409),
}
