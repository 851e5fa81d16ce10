"""Refusals about publishing, by code: sentence, and HTTP status if not 422."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

REFUSALS: Mapping[str, str | Promise] = {
    "no_such_round_to_keep_back": _("Enter the first round to hide, 1 or later."),
    "rounds_still_open": _("Close round %(round)s before publishing the final standings."),
    "nothing_to_publish": _("No results yet: nothing to publish."),
    "counts_in_closed_season": _("This event counts in the closed season “%(season)s”. Reopen the season first."),
}
