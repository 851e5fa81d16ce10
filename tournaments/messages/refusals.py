"""Refusals about messages to tables, by code: sentence, and HTTP status if not 422."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

REFUSALS: Mapping[str, str | Promise] = {
    "message_required": _("Enter a message. For example, “We eat at eight”."),
    "message_too_long": _("Too long for the wall screen: %(most)s characters at most."),
    "too_many_messages": _("Limit reached: %(most)s messages and calls. Withdraw one first."),
}
