"""What refusals about privacy say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PRIVACY_SENTENCES: dict[str, str | Promise] = {
    "years_out_of_range": _("Choose from 1 to %(most)s years, or leave it empty."),
    "person_anonymized": _(
        "%(name)s was forgotten: there is nothing left to change. Look at the list again."
    ),
    "still_taking_part": _(
        "%(name)s is on the list of %(event)s, which is not over. End it, or take the name off its list."
    ),
    "too_many_at_once": _("Choose %(most)s people at most, then the others."),
    "day_is_past": _("Choose a day that is still to come."),
    "day_to_come": _("This day has not come yet. Correct it."),
    "noticed_before": _("It cannot be noticed before it happened. Correct one of the two days."),
    "text_required": _("Write a few words here."),
    "no_such_incident": _("This incident is not in the register. Look at the list again."),
    "incident_unfinished": _(
        "Write first what was done, and whether it can seriously injure somebody; if so, also the days on "
        "which the commission and the people were told."
    ),
}
