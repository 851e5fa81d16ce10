"""Refusals about background tasks, by code: sentence, and HTTP status if not 422."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

REFUSALS: Mapping[str, str | Promise] = {
    "job_failed": _("This failed after several tries. Try again later."),
}
