"""Joint events of clubs in words."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

INVITATION_ACTIONS: dict[str, str | Promise] = {
    "invite_club": _("Club invited: %(club)s"),
    "invite_by_link": _("Link created for another club"),
    "withdraw_club": _("Invitation withdrawn: %(club)s"),
    "withdraw_link": _("Link for another club withdrawn"),
    "club_accepted": _("%(club)s accepted"),
    "club_declined": _("%(club)s declined"),
    "enter_for_club": _("Entered by %(club)s: %(entries)s"),
    "take_out_for_club": _("Removed by %(club)s: %(names)s"),
    "replace_for_club": _("%(club)s: %(after)s replaces %(before)s"),
    "put_in_series": _("Counts in the series: %(series)s"),
}
"""Sentences in the history of the event."""

SHARED_ACTIONS: dict[str, str | Promise] = {
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
}
"""Sentences in the history of either club."""

CAPTAIN_ACTIONS: dict[str, str | Promise] = {
    "request_postponement": _("Round %(round)s: %(team)s asked to postpone the match to %(day)s"),
    "decline_postponement": _("Round %(round)s: postponement declined (%(team)s)"),
    "give_team_lineup": _("Round %(round)s: line-up submitted, %(team)s"),
}
"""Sentences in the history of the event, about line-ups and postponements."""
