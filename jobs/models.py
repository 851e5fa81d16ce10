from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone


class Status(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Job(models.Model):
    """Work in the background. The row is the truth; a message to the worker only says "look now"."""

    kind = models.CharField(max_length=60)
    key = models.CharField(max_length=200)
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(default=timezone.now)
    lease_until = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "key"],
                condition=Q(status=Status.QUEUED),
                name="one_queued_job_of_a_kind_and_key",
            ),
        ]
        indexes = [models.Index(fields=["status", "sent_at"], name="jobs_by_status")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key} ({self.status})"
