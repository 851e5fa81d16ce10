"""What refusals about team say, by their codes."""

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
