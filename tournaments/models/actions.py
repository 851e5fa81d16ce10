"""What was done to an event."""

from django.db import models

from clubs.models import ORIGIN_LENGTH, Account

from .events import Event


class Action(models.Model):
    """What somebody did to an event: the line of its history, and what it takes to undo it.

    ``kind`` is the service, ``details`` what a sentence about it needs. ``changes`` are the rows that it
    wrote, as ``services.changes`` keeps them. ``key`` is the client's id: what comes again with the same key
    was done already.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="actions")
    kind = models.CharField(max_length=40)
    details = models.JSONField(default=dict, blank=True)
    changes = models.JSONField(default=dict, blank=True)
    reason = models.CharField(max_length=200, blank=True, default="")
    origin = models.CharField(max_length=ORIGIN_LENGTH, blank=True, default="")
    account = models.ForeignKey(Account, on_delete=models.PROTECT, null=True, blank=True)
    key = models.UUIDField(null=True, blank=True, unique=True)
    undoes = models.OneToOneField(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="undone_by"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.kind}, {self.created_at:%H:%M}"
