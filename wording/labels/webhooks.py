"""Kinds of webhook messages, and the reasons why one was not sent, for owners."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.models import TEST, NewsKind

KINDS: Mapping[str, str | Promise] = {**dict(NewsKind.choices), TEST: _("Test")}
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
