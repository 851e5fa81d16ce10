"""History of an event."""

from django.db import models

from clubs.models import Account, HistoryRow
from versioning import TYPED, declare_facts
from web.sealed_fields import ContactsField

from .events import Event

HIDDEN = "is_hidden"
NO_RESULT = "–"
"""Note for a corrected table in place of its points, while it has none."""


class Action(HistoryRow):
    """A change of an event; ``changes`` are the rows that it wrote, as ``services.changes`` stores them. A
    change that no public page showed has ``HIDDEN`` among its details."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="actions")
    account = models.ForeignKey(Account, on_delete=models.PROTECT, null=True, blank=True)
    changes = ContactsField(names=("contact",), default=dict, blank=True)

    FACTS = HistoryRow.FACTS | declare_facts({TYPED: "changes"})

    @property
    def moment_action_id(self) -> int:
        """Key of the action to whose moment the details belong: for an undo, the action undone."""
        return self.undoes_id or self.pk
