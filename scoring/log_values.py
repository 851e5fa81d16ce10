"""What a line of a log can be: read without a database, too."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

DETAILS = ("declarer", "trump", "mode")
"""What a hand can ask for beyond its result."""


class MarkStatus(TextChoices):
    CURRENT = "current", _("counts")
    SUPERSEDED = "superseded", _("replaced")
    ECHO = "echo", _("the same from another phone")
    RIVAL = "rival", _("another mark for the same hand")
