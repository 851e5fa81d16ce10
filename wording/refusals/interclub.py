"""Sentences of refusals about interclub, by code."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

INTERCLUB_SENTENCES: dict[str, str | Promise] = {
    "invites_itself": _("This is your own club. Choose another one."),
    "already_invited": _("Already invited: %(club)s."),
    "club_not_invited": _("This invitation was withdrawn or declined. Check the list."),
    "entries_stand": _("Remove your club’s entries first, or ask the host club."),
    "draw_has_begun": _("The draw has started. For changes, ask the desk of %(club)s."),
    "plays_already": _("%(name)s is already entered. Choose someone else."),
    "clubs_in_a_series_only": _("Only an interclub series counts by club. Choose persons or pairs."),
}
