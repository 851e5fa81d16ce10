"""Values of a line of a log. This module needs no database."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

FIELDS = ("declarer", "trump", "mode")
"""Details that can be recorded for a hand beyond its result."""

DETAILS = (*FIELDS, "result_only")
"""Details that a match can ask for; ``result_only`` hides the buttons for the number of tricks won."""


class MarkStatus(TextChoices):
    CURRENT = "current", _("counted")
    SUPERSEDED = "superseded", _("replaced")
    ECHO = "echo", _("duplicate from another phone")
    RIVAL = "rival", _("conflicting score")
