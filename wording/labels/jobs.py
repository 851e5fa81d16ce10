"""What is said of work in the background: its kinds, how long it still takes, and why it failed."""

import math
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from jobs.lateness import LateReason
from rules import Refusal

KIND_NAMES: dict[str, str | Promise] = {
    "draw": _("Draw of the next round"),
    "plan": _("Plan of a tournament"),
    "publish": _("Publishing of the round"),
    "unpublish": _("Taking the round back"),
    "close": _("Closing of the round"),
    "publish-final": _("Publishing of the final standings"),
    "read_event_file": _("Looking at the file"),
    "bring_in_event": _("Bringing in the event"),
    "bring_in_night": _("Bringing in the recorded night"),
    "import_people": _("Adding the people of the list"),
    "undo_club_action": _("Taking back what was done to many people"),
    "club_file": _("The club’s file"),
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
    "print_podium": _("Certificates of the podium"),
    "print_everybody": _("Certificates for everybody"),
    "print_poster": _("Poster"),
    "print_members": _("List of people"),
    "print_attendance": _("Attendance list"),
}

WHYS_LATE: dict[LateReason, str | Promise] = {
    LateReason.NO_WORKER: _(
        "the part of the program that does this is not running. The organizer stops Charlemagne and starts "
        "it again."
    ),
    LateReason.OTHER_WORK: _("other work goes first."),
    LateReason.TAKES_LONG: _("it takes longer than usual."),
    LateReason.BREAKS: _("it did not succeed, and is tried again."),
    LateReason.FAILED: _(
        "it did not succeed, though it was tried several times. The next result starts it again."
    ),
}
"""After a colon: the reason."""


def about(left: timedelta) -> str:
    """``about 20 s left``, rounded up: to ten seconds, from a minute on to minutes."""
    seconds = left.total_seconds()
    if seconds <= 10:
        return gettext("a few seconds left")
    if seconds <= 50:
        return gettext("about %(seconds)s s left") % {"seconds": math.ceil(seconds / 10) * 10}
    return gettext("about %(minutes)s min left") % {"minutes": math.ceil(seconds / 60)}


def waiting_for(minutes: int) -> str:
    """``Waiting for 12 minutes:``, in hours from the second on."""
    if minutes < 1:
        return gettext("Waiting for half a minute:")
    if minutes < 120:
        said = ngettext("Waiting for %(number)s minute:", "Waiting for %(number)s minutes:", minutes)
        return said % {"number": minutes}
    return gettext("Waiting for %(number)s hours:") % {"number": minutes // 60}


def refusal_in(failed_with: Mapping[str, Any]) -> Refusal:
    """The refusal that a job failed with, and those in it, as its row keeps them."""
    details = dict(failed_with["details"])
    if "refusals" in details:
        details["refusals"] = [refusal_in(one) for one in details["refusals"]]
    return Refusal(failed_with["code"], field=failed_with["field"], **details)
