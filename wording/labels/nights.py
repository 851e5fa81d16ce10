"""Changes of a club's nights in words."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.date_formats import day_in_words

NIGHT_ACTIONS: dict[str, str | Promise] = {
    "take_over_event": _("Corrected copy imported: %(name)s"),
    "keep_usual_night": _("Saved as night template: %(name)s"),
    "rename_usual_night": _("Night template %(before)s renamed %(name)s"),
    "remove_usual_night": _("Night template removed: %(name)s"),
    "add_recurring_night": _("Added to calendar: %(name)s"),
    "change_recurring_night": _("Changed in calendar: %(name)s"),
    "remove_recurring_night": _("Removed from calendar: %(name)s"),
    "cancel_date": _("%(name)s: cancelled on %(on)s"),
    "move_date": _("%(name)s: postponed from %(on)s to %(to)s"),
    "restore_date": _("%(name)s: reinstated on %(on)s"),
}
"""Sentences by ``ClubAction.kind``; their values come from ``details``."""

DAYS = ("on", "to")
"""Details that are days."""


def format_day_details(details: Mapping[str, Any]) -> dict[str, str]:
    """Return in words the details that are days."""
    return {name: day_in_words(date.fromisoformat(details[name])) for name in DAYS if name in details}
