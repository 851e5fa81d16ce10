from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.db.models import Q, QuerySet
from django.utils import timezone

from versioning import VersionedJSONField

MOST_ATTEMPTS = 5
TOLD_AFTER = timedelta(seconds=3)  # before that, how long it takes is anybody's guess


class Status(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


UNDER_WAY = (Status.QUEUED, Status.RUNNING)
ENDED = (Status.DONE, Status.FAILED, Status.CANCELLED)


class Job(models.Model):
    """Work in the background. The row is the truth; a message to the worker only says "look now".

    ``topic`` names the pages that show it. ``done`` of ``of`` is how far it is, ``result`` what it came to;
    ``failed_with`` is why it failed, for the reader, and ``error`` the same for the log. ``attempts`` only
    grows: it tells whose the job is, when a worker thought dead comes back. One that broke is queued
    again, and ``waits_until`` then where its kind has a ``backoff``.
    """

    kind = models.CharField(max_length=60)
    key = models.CharField(max_length=600)
    topic = models.CharField(max_length=60, blank=True, default="", db_default="")
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    last_attempt = models.PositiveSmallIntegerField(default=MOST_ATTEMPTS, db_default=MOST_ATTEMPTS)
    is_stop_asked = models.BooleanField(default=False, db_default=False)
    done = models.PositiveIntegerField(default=0, db_default=0)
    of = models.PositiveIntegerField(default=0, db_default=0)
    result = VersionedJSONField(null=True, blank=True)
    failed_with = VersionedJSONField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    waits_until = models.DateTimeField(null=True, blank=True)
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
        indexes = [
            models.Index(fields=["status", "sent_at"], name="jobs_by_status"),
            models.Index(fields=["topic", "ended_at"], name="jobs_by_topic"),
            models.Index(fields=["kind", "key", "ended_at"], name="jobs_by_key"),
            models.Index(fields=["ended_at"], name="jobs_by_end"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key} ({self.status})"

    @property
    def is_under_way(self) -> bool:
        return self.status in UNDER_WAY

    def this_attempt(self) -> QuerySet[Job]:
        """The row, as long as it runs and this attempt was not given up; else nothing."""
        return Job.objects.filter(pk=self.pk, status=Status.RUNNING, attempts=self.attempts)

    def time_left(self, now: datetime) -> timedelta | None:
        """About how long it still runs, if the rest goes as what is done; None before that can be told."""
        if self.status != Status.RUNNING or not self.done or self.started_at is None:
            return None
        so_far = now - self.started_at
        return so_far * (self.of - self.done) / self.done if so_far >= TOLD_AFTER else None


class Course(models.Model):
    """Long writing in pieces that is under way (``jobs.pieces``): ``done`` of them are written.

    ``asked`` is what somebody wants to be written, ``kept`` what later pieces need of those before. A job of
    its ``kind`` and ``key`` goes on with it, on pages of its ``topic``, where nobody has for a while. One of
    no kind is a command's, whose ``key`` begins with what the kind would be: it goes on once the same is
    asked again, and is taken back where nobody does. The row is no more once all is written. Once all of it
    ``is_taken_back``, nobody has ``touched`` it: it waits in case it is wanted after all, as a job does.
    """

    kind = models.CharField(max_length=60)
    key = models.CharField(max_length=600)
    topic = models.CharField(max_length=60, blank=True, default="")
    asked = VersionedJSONField(default=dict)
    kept = VersionedJSONField(default=dict)
    done = models.PositiveIntegerField(default=0)
    is_taken_back = models.BooleanField(default=False)
    begun_at = models.DateTimeField(default=timezone.now)
    touched_at = models.DateTimeField(default=timezone.now, null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="one_course_of_a_kind_and_key")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key} ({self.done})"
