"""Sentences of refusals about nights, by code."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

NIGHT_SENTENCES: dict[str, str | Promise] = {
    "no_such_usual_night": _("This night template no longer exists. Check the list."),
    "usual_night_on_calendar": _(
        "“%(night)s” on the calendar uses this template. Choose another for it first."
    ),
    "no_such_recurring_night": _("This night is no longer on the calendar."),
    "no_such_date": _("The night is not on that day. Check the calendar."),
    "night_on_that_day": _("The night is already on that day. Choose another day."),
    "day_required": _("Choose a day."),
    "hour_required": _("Enter the start time."),
    "not_an_hour": _("“%(value)s” is not a time. Enter hours and minutes."),
    "day_out_of_range": _("Choose a date from %(first)s to %(last)s."),
    "last_before_first": _("The last day is before the first. Correct one of them."),
    "description_required": _("Describe the photo for people who cannot see it."),
    "not_a_picture": _("This file is not a picture. Choose a JPEG, PNG or WebP."),
    "picture_too_large": _("Picture too large: 15 MB and 50 million pixels at most."),
    "no_office": _("“%(value)s” is incomplete. Enter the office, a colon and the name."),
    "not_a_website": _("“%(value)s” is not a website address."),
    "end_without_beginning": _("Enter the start time too."),
    "event_too_long": _("An event lasts %(most)s days at most. For longer, create a season."),
    "deadline_after_event": _("The sign-up deadline is after the event. Correct one of them."),
    "text_too_long": _("Too long: %(most)s characters at most."),
    "usual_name_taken": _("A night template “%(name)s” already exists. Choose another name."),
}
