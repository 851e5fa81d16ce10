"""From code to sentence: refusals about a club's evenings, and what was done to them."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.day_words import day_in_words

NIGHT_DEEDS: dict[str, str | Promise] = {
    "take_over_event": _("A corrected copy taken over: %(name)s"),
    "keep_usual_night": _("Kept as a usual night: %(name)s"),
    "rename_usual_night": _("The usual night %(before)s is called %(name)s"),
    "remove_usual_night": _("Usual night removed: %(name)s"),
    "add_recurring_night": _("On the calendar: %(name)s"),
    "change_recurring_night": _("Changed on the calendar: %(name)s"),
    "remove_recurring_night": _("Off the calendar: %(name)s"),
    "cancel_date": _("%(name)s: cancelled on %(on)s"),
    "move_date": _("%(name)s: put off from %(on)s to %(to)s"),
    "restore_date": _("%(name)s: held on %(on)s as planned"),
}
"""By ``ClubAction.kind``; what is in a sentence are its ``details``."""

DAYS = ("on", "to")
"""Details that are a day."""


def days_told(details: Mapping[str, Any]) -> dict[str, str]:
    """Those of the details that are days, as people say them."""
    return {name: day_in_words(date.fromisoformat(details[name])) for name in DAYS if name in details}
