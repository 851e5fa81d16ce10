"""Sentences of refusals about jobs, by code."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

JOB_SENTENCES: dict[str, str | Promise] = {
    "job_failed": _("This failed after several tries. Try again later."),
}
