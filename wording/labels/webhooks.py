"""What an owner is told of messages to other programs."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.models import TEST, NewsKind

KINDS: Mapping[str, str | Promise] = {**dict(NewsKind.choices), TEST: _("Test")}
"""By the kind of a message."""

TROUBLES: Mapping[str, str | Promise] = {
    "address_unreadable": _("The address cannot be read."),
    "address_not_https": _("The address is not one of https."),
    "address_not_public": _("The name leads to a computer that is not on the internet. Nothing was sent."),
    "no_such_host": _("There is no such name on the internet, or this computer has no internet now."),
    "certificate_refused": _(
        "Its certificate is one that browsers warn of: self-made, out of date, or of another name."
    ),
    "not_reached": _("Nobody takes messages there now."),
    "no_answer": _("Nobody answered within ten seconds."),
}
"""By ``NotSent.code``."""
