"""Sentences of refusals about a club's team, by code."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

TEAM_SENTENCES: dict[str, str | Promise] = {
    "no_such_member": _("This person no longer has a role in the club."),
    "last_owner": _("A club needs an owner. Make someone else an owner first."),
    "note_required": _("Enter who the link is for."),
    "note_too_long": _("Too long: %(most)s characters at most."),
    "no_such_invitation": _("This link was used or withdrawn. Check the list."),
    "invitation_over": _("This link was used or withdrawn, or has expired. Ask for a new one."),
    "already_in_club": _("You already have this access in %(club)s. Leave the link for its recipient."),
    "member_of_other_clubs": _("%(name)s has a role in another club. Ask the person who runs the server."),
    "current_password_wrong": _("Wrong password. Try again."),
}
