"""What each role may do, and what was done about who may do what in a club, in sentences."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.models import Role, Scope
from clubs.services.security_log import (
    CODES_THROTTLED,
    MAILS_THROTTLED,
    SIGN_IN_THROTTLED,
    WRONG_CODE,
    WRONG_PASSKEY,
    WRONG_PASSWORD,
)

ROLE_MEANINGS: Mapping[str, str | Promise] = {
    Role.DESK: _("Check-in, paper sheets, calls from the tables."),
    Role.DIRECTOR: _("All of that, and evenings, draws, corrections and the club’s people."),
    Role.OWNER: _("All of that, and the team and the club’s settings."),
}
"""What whoever chooses a role is told of it, beside those that may do less."""

SCOPE_MEANINGS: Mapping[str, str | Promise] = {
    Scope.READ: _("What the desk sees, drafts too; it changes nothing."),
    Scope.SCORE: _("As a desk helper: marks, check-in, who has paid."),
    Scope.DIRECT: _("As a director: evenings, entries, draws, corrections, people."),
    Scope.MANAGE: _(
        "As an owner: also seasons, dues, the club’s page, federations, addresses that are told."
    ),
}
"""What a program may do with a key of that scope."""

SECURITY_KINDS: Mapping[str, str | Promise] = {
    WRONG_PASSWORD: _("Wrong password"),
    WRONG_PASSKEY: _("Passkey refused"),
    WRONG_CODE: _("Wrong digits of an app, after the right password"),
    SIGN_IN_THROTTLED: _("Too many tries to sign in: made to wait"),
    MAILS_THROTTLED: _("Too many mails asked for: made to wait"),
    CODES_THROTTLED: _("Many wrong table codes: asked for the letters too"),
}
"""By ``SecurityEvent.kind``."""

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
    "remove_second_factor": _("App with six digits taken off the account: %(name)s"),
    "take_club_file": _("The club’s file was asked for"),
    "make_token": _("Key for a program: %(name)s"),
    "revoke_token": _("Key of a program taken back: %(name)s"),
    "add_webhook": _("Is told what becomes public: %(host)s"),
    "change_webhook": _("Address that is told, changed: %(host)s"),
    "renew_webhook_secret": _("New secret of an address that is told: %(host)s"),
    "remove_webhook": _("Is not told any more: %(host)s"),
    "make_pairing_link": _("Link for a laptop whose nights are shown here"),
    "accept_pairing": _("Paired: shows here what the laptop of %(name)s leads"),
    "end_pairing": _("Unpaired: nothing more is taken from the laptop of %(name)s"),
    "pair_with_site": _("Nights are shown at %(host)s too"),
    "leave_site": _("Nothing more is sent to %(host)s"),
    "lead_here": _("Led here from now on: %(name)s"),
    "hand_over": _("Handed over to the other installation: %(name)s"),
    "follow_site": _("Put away, and shown as the public site leads it: %(name)s"),
    "take_snapshot_file": _("Taken from a file of the other installation: %(name)s"),
    "begin_mirror_anew": _("Put away, and mirrored anew: %(name)s"),
}
"""By ``ClubAction.kind``; what is in a sentence are its ``details``."""
