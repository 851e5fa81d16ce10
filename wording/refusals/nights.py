"""What refusals about nights say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

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
    "description_required": _("Say what is on the photo, for whoever does not see it."),
    "not_a_picture": _("This file is no picture that can be read. Choose one as JPEG, PNG or WebP."),
    "picture_too_large": _("This picture is too large: 15 MB and 50 million pixels at most."),
    "no_office": _("Write the office, a colon and the name: “%(value)s” has not both."),
    "not_a_website": _("“%(value)s” is not the address of a website."),
    "end_without_beginning": _("Say also when it begins."),
    "event_too_long": _(
        "An event takes %(most)s days at most. What goes on longer is a season of several events."
    ),
    "deadline_after_event": _("The last day to sign up comes after the event. Correct one of the two."),
    "text_too_long": _("Write %(most)s characters at most."),
    "usual_name_taken": _("“%(name)s” is another usual night. Choose another name."),
}
