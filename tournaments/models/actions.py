"""What was done to an event."""

from django.db import models

from clubs.models import Account, HistoryRow
from web.sealed_fields import ContactsField

from .events import Event

HIDDEN = "is_hidden"
NO_RESULT = "–"
"""What a corrected table is noted with in the place of its points, while it has none."""


class Action(HistoryRow):
    """What was done to an event; ``changes`` are the rows that it wrote, as ``services.changes`` keeps
    them. What public pages showed nothing of has ``HIDDEN`` among its details."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="actions")
    account = models.ForeignKey(Account, on_delete=models.PROTECT, null=True, blank=True)
    changes = ContactsField(names=("contact",), default=dict, blank=True)

    @property
    def told_at(self) -> int:
        """The key of the line of whose moment its details are: an undo has those of what it takes back."""
        return self.undoes_id or self.pk
