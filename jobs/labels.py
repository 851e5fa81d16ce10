"""Background tasks in words: their kinds, the time left, and why they failed."""

import math
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from errors import Refusal
from jobs.delays import LateReason

KIND_NAMES: dict[str, str | Promise] = {
    "draw": _("Drawing the next round"),
    "plan": _("Planning a tournament"),
    "publish": _("Publishing the round"),
    "unpublish": _("Unpublishing the round"),
    "close": _("Closing the round"),
    "publish-final": _("Publishing the final standings"),
    "pair_with_site": _("Linking to the public site"),
    "follow_site": _("Taking the public site’s version"),
    "read_workbooks": _("Reading the spreadsheet"),
    "set_club_picture": _("Saving the picture"),
    "read_event_file": _("Reading the file"),
    "bring_in_event": _("Importing the event"),
    "bring_in_night": _("Importing the recorded night"),
    "import_people": _("Importing the list of people"),
    "undo_club_action": _("Undoing a change to many people"),
    "club_file": _("Club export"),
    "import_club": _("Importing the club"),
    "print_sheets": _("Score sheets"),
    "print_blank": _("Blank score sheets"),
    "print_cards": _("Table cards"),
    "print_tables": _("List by table"),
    "print_names": _("List by name"),
    "print_standings": _("Standings"),
    "print_clubs": _("Standings by club"),
    "print_charts": _("Brackets and cross tables"),
    "print_entries": _("Check-in list"),
    "print_badges": _("Name badges"),
    "print_podium": _("Podium certificates"),
    "print_everybody": _("Certificates for all"),
    "print_poster": _("Poster"),
    "print_treasurer": _("Treasurer’s sheet"),
    "print_members": _("List of people"),
    "print_attendance": _("Attendance list"),
}

LATE_REASONS: dict[LateReason, str | Promise] = {
    LateReason.NO_WORKER: _("background tasks are not running. The organizer must restart Charlemagne."),
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
