"""Results log of a club, which is append-only, and the key that signs it."""

import json

from django.db import models
from django.utils.functional import cached_property

from clubs.models import Club
from engine.signed_logs import SignedEntry
from versioning import CODE, VersionedJSONField, declare_facts
from web.sealed_fields import SealedField

from .events import Event


class ClubKey(models.Model):
    """Signing key of a club, created at its first signature. ``private`` is "" if the secret of the data
    folder has changed since; ``head`` is the signed latest checkpoint of the log, "" before its first
    entry."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="signing_key")
    public = models.CharField(max_length=64)
    private = SealedField()
    head = models.TextField(blank=True, default="")

    FACTS = declare_facts({CODE: "public private head"})

    def __str__(self) -> str:
        return self.public


class LogEntry(models.Model):
    """An entry of the results log as it was signed, never overwritten: ``written`` is its canonical JSON.

    ``published`` is the number of the standings that it is about. ``sums`` are those of the parts of the
    event's file, whose one sum is in the entry. Both are None if it is about no standings.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="log_entries")
    number = models.PositiveIntegerField()
    event = models.ForeignKey(Event, on_delete=models.SET_NULL, null=True, blank=True, related_name="log_entries")
    published = models.PositiveSmallIntegerField(null=True, blank=True)
    written = models.TextField()
    signature = models.CharField(max_length=128)
    sums = VersionedJSONField(null=True, blank=True)

    FACTS = declare_facts({CODE: "written signature sums"})

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "log entries"
        constraints = [models.UniqueConstraint(fields=["club", "number"], name="one_log_entry_per_number")]

    def __str__(self) -> str:
        return f"{self.club_id}, {self.number}"

    @cached_property
    def signed_entry(self) -> SignedEntry:
        return SignedEntry(json.loads(self.written), self.signature)
