"""What refusals about interclub say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

INTERCLUB_SENTENCES: dict[str, str | Promise] = {
    "invites_itself": _("This is the club that invites. Choose another one."),
    "already_invited": _("%(club)s is invited already. Look at the list."),
    "club_not_invited": _("This invitation was withdrawn or declined meanwhile. Look at the list again."),
    "entries_stand": _("Your club has people in it. Take them out first, or ask the club that holds it."),
    "draw_has_begun": _("The draw has begun. For a change, ask the desk of %(club)s."),
    "plays_already": _("%(name)s is entered already. Choose somebody else."),
    "clubs_in_a_series_only": _("Only a series between clubs adds up by club. Choose persons or pairs."),
}
