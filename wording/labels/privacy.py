"""Changes about personal information in words."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PRIVACY_ACTIONS: dict[str, str | Promise] = {
    "change_privacy": _("Personal information settings changed"),
    "keep_person": _("%(name)s: retained until %(on)s"),
    "keep_person_no_longer": _("%(name)s: usual retention period"),
    "anonymize_person": _("Erased, results remain: %(name)s"),
    "anonymize_people": _("Erased, results remain: %(count)s people"),
    "add_incident": _("Incident of %(on)s added"),
    "change_incident": _("Incident of %(on)s corrected"),
    "close_incident": _("Incident of %(on)s closed"),
    "reopen_incident": _("Incident of %(on)s reopened"),
}
"""Sentences by ``ClubAction.kind``; their values come from ``details``."""
