"""Background tasks in words: the time left, and why they wait or failed."""

import math
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from errors import Refusal
from jobs.delays import LateReason

LATE_REASONS: dict[LateReason, str | Promise] = {
    LateReason.NO_WORKER: _("background tasks are not running. Ask the organizer to restart Charlemagne."),
    LateReason.OTHER_WORK: _("other tasks are ahead."),
    LateReason.TAKES_LONG: _("taking longer than usual."),
    LateReason.BREAKS: _("failed, will be retried."),
    LateReason.FAILED: _("failed several times; the next result retries."),
}
"""Reasons, after a colon."""


def format_time_left(time_left: timedelta) -> str:
    """Describe the time left: ``about 20 s left``, rounded up to ten seconds, from a minute on to minutes."""
    seconds = time_left.total_seconds()
    if seconds <= 10:
        return gettext("a few seconds left")
    if seconds <= 50:
        return gettext("about %(seconds)s s left") % {"seconds": math.ceil(seconds / 10) * 10}
    return gettext("about %(minutes)s min left") % {"minutes": math.ceil(seconds / 60)}


def format_wait(minutes: int) -> str:
    """Describe a wait: ``Waiting for 12 minutes:``, in hours from the second on."""
    if minutes < 1:
        return gettext("Waiting for half a minute:")
    if minutes < 120:
        text = ngettext("Waiting for %(number)s minute:", "Waiting for %(number)s minutes:", minutes)
        return text % {"number": minutes}
    return gettext("Waiting for %(number)s hours:") % {"number": minutes // 60}


def load_refusal(failure: Mapping[str, Any]) -> Refusal:
    """Return the refusal that a job failed with, including inner ones, from its stored form."""
    details = dict(failure["details"])
    if "refusals" in details:
        details["refusals"] = [load_refusal(one) for one in details["refusals"]]
    return Refusal(failure["code"], field=failure["field"], **details)
