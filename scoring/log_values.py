"""What a line of a log can be: read without a database, too."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

FIELDS = ("declarer", "trump", "mode")
"""What a hand can say beyond its result."""

DETAILS = (*FIELDS, "result_only")
"""What a table can be asked for, or not: ``result_only`` hides the figures for the tricks won."""


class MarkStatus(TextChoices):
    CURRENT = "current", _("counted")
    SUPERSEDED = "superseded", _("replaced")
    ECHO = "echo", _("duplicate from another phone")
    RIVAL = "rival", _("conflicting score")
