"""Sentences of refusals about privacy, by code."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PRIVACY_SENTENCES: dict[str, str | Promise] = {
    "years_out_of_range": _("Enter 1 to %(most)s years, or leave empty."),
    "person_anonymized": _("The data of %(name)s was erased: nothing is left to change."),
    "still_taking_part": _("%(name)s is still on the list of %(event)s. End the event or remove the name."),
    "too_many_at_once": _("Choose %(most)s people at a time."),
    "day_is_past": _("Choose a future date."),
    "day_to_come": _("This date is in the future. Correct it."),
    "noticed_before": _("This date is before the incident. Correct one of them."),
    "text_required": _("Enter a few words."),
    "no_such_incident": _("This incident is not in the register."),
    "incident_unfinished": _(
        "First enter what was done and the risk. If it is serious, also enter both notification dates."
    ),
}
