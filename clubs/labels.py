"""Roles, API scopes, changes of the team and webhook messages of a club, in sentences."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.models import TEST, NewsKind, Role, Scope
from clubs.services.security_log import (
    CODES_THROTTLED,
    MAILS_THROTTLED,
    SIGN_IN_THROTTLED,
    WRONG_CODE,
    WRONG_PASSKEY,
    WRONG_PASSWORD,
)

ROLE_MEANINGS: Mapping[str, str | Promise] = {
    Role.DESK: _("Check-in, score sheets, calls to the desk."),
    Role.DIRECTOR: _("All of that, plus nights, draws, corrections and people."),
    Role.OWNER: _("All of that, plus team and club settings."),
}
"""Description of a role beside its choice; each adds to the one before."""

SCOPE_MEANINGS: Mapping[str, str | Promise] = {
    Scope.READ: _("Sees what the desk sees, drafts included."),
    Scope.SCORE: _("Like a desk helper: hands, check-in, payments."),
    Scope.DIRECT: _("Like a director: nights, entries, draws, corrections, people."),
    Scope.MANAGE: _("Like an owner: also seasons, dues, club page, federations, webhooks."),
}
"""Rights of an API key with that scope."""

SECURITY_KINDS: Mapping[str, str | Promise] = {
    WRONG_PASSWORD: _("Wrong password"),
    WRONG_PASSKEY: _("Passkey refused"),
    WRONG_CODE: _("Wrong app code, after the right password"),
    SIGN_IN_THROTTLED: _("Too many sign-in attempts: temporarily blocked"),
    MAILS_THROTTLED: _("Too many e-mails requested: temporarily blocked"),
    CODES_THROTTLED: _("Many wrong table codes: letters now required"),
}
"""Names by ``SecurityEvent.kind``."""

WEBHOOK_KINDS: Mapping[str, str | Promise] = {**dict(NewsKind.choices), TEST: _("Test")}
"""Names by the kind of a message."""

DELIVERY_FAILURES: Mapping[str, str | Promise] = {
    "address_unreadable": _("Invalid address."),
    "address_not_https": _("The address must begin with https."),
    "address_not_public": _("This address is not on the internet."),
    "no_such_host": _("Unknown address, or no internet here now."),
    "certificate_refused": _("Untrusted certificate: self-signed, expired or for another name."),
    "not_reached": _("Could not connect."),
    "no_answer": _("No answer within ten seconds."),
}
"""Reasons by ``RequestNotSentError.code``."""
