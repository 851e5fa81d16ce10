"""What each role may do, and what was done about who may do what in a club, in sentences."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.models import Role

ROLE_MEANINGS: Mapping[str, str | Promise] = {
    Role.DESK: _("Check-in, paper sheets, calls from the tables."),
    Role.DIRECTOR: _("All of that, and evenings, draws, corrections and the club’s people."),
    Role.OWNER: _("All of that, and the team and the club’s settings."),
}
"""What whoever chooses a role is told of it, beside those that may do less."""

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
