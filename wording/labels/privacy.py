"""From code to sentence: refusals about personal information, and what was done with it."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PRIVACY_DEEDS: dict[str, str | Promise] = {
    "change_privacy": _("Personal information: what is shown, or who answers for it, was changed"),
    "keep_person": _("%(name)s: kept until %(on)s"),
    "keep_person_no_longer": _("%(name)s: kept as long as others"),
    "anonymize_person": _("Forgotten, results stay: %(name)s"),
    "anonymize_people": _("Forgotten, results stay: %(count)s people"),
    "add_incident": _("Register of incidents: the one of %(on)s was added"),
    "change_incident": _("Register of incidents: the one of %(on)s was corrected"),
    "close_incident": _("Register of incidents: the one of %(on)s was closed"),
    "reopen_incident": _("Register of incidents: the one of %(on)s was opened again"),
}
"""By ``ClubAction.kind``; what is in a sentence are its ``details``."""
