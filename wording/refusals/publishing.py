"""What refusals about publishing say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PUBLISHING_SENTENCES: dict[str, str | Promise] = {
    "no_such_round_to_keep_back": _("Rounds count from 1. Write the first one whose results are kept back."),
    "rounds_still_open": _(
        "Round %(round)s is not closed yet. Close it, and the standings can be published as final."
    ),
    "nothing_to_publish": _("There is no result yet, and so nothing to publish."),
    "counts_in_closed_season": _(
        "This event counts in the season “%(season)s”, which is closed. Reopen that season first: "
        "else its standings would go on telling of this event."
    ),
}
