"""From code to sentence: refusals about who may do what in a club, and what was done about it."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

TEAM_SENTENCES: dict[str, str | Promise] = {
    "no_such_member": _("This person has no role in the club any more. Look at the list again."),
    "last_owner": _("A club needs an owner. Make somebody else an owner first."),
    "note_required": _("Write for whom it is: the link is for one person."),
    "note_too_long": _("Write %(most)s characters at most."),
    "no_such_invitation": _("This link was used or taken back meanwhile. Look at the list again."),
    "invitation_over": _("This link was used, taken back, or is more than two weeks old. Ask for a new one."),
    "already_in_club": _("You can do as much in %(club)s already. Leave the link to whom it is for."),
    "member_of_other_clubs": _(
        "%(name)s has a role in another club too, so this club cannot give a new password. Whoever runs this "
        "program can."
    ),
    "current_password_wrong": _("This is not your password. Try again."),
}

TEAM_DEEDS: dict[str, str | Promise] = {
    "invite": _("Invited: %(name)s, %(role)s"),
    "renew_invitation": _("New link for %(name)s"),
    "revoke_invitation": _("Link taken back: %(name)s"),
    "join": _("%(name)s has joined: %(role)s"),
    "change_role": _("%(name)s: %(role)s, and was %(was)s"),
    "remove_member": _("Taken out of the team: %(name)s, %(role)s"),
    "leave_club": _("%(name)s has left the team: %(role)s"),
    "hand_new_password": _("Link to a new password: %(name)s"),
    "choose_new_password": _("%(name)s has a new password"),
    "take_club_file": _("The club’s file was asked for"),
}
"""By ``ClubAction.kind``; what is in a sentence are its ``details``."""
