"""From code to sentence: refusals about a club's evenings, and what was done to them."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.day_words import day_in_words

NIGHT_SENTENCES: dict[str, str | Promise] = {
    "no_such_usual_night": _("This usual night is not there any more. Look at the list again."),
    "usual_night_on_calendar": _(
        "“%(night)s” of the calendar is played like this. Choose another usual night for it first."
    ),
    "no_such_recurring_night": _("This night is not on the calendar any more. Look at it again."),
    "no_such_date": _("The night does not fall on that day. Look at the calendar again."),
    "night_on_that_day": _("The night is held on that day already. Choose another day."),
    "day_required": _("Choose a day."),
    "hour_required": _("Say when it begins."),
    "not_an_hour": _("“%(value)s” is not an hour. Write hours and minutes."),
    "day_out_of_range": _("Choose a day from %(first)s to %(last)s."),
    "last_before_first": _("The last day comes before the first one. Correct one of the two."),
    "text_too_long": _("Write %(most)s characters at most."),
    "usual_name_taken": _("“%(name)s” is another usual night. Choose another name."),
}

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
