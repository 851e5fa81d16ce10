from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.db.models import Q, QuerySet
from django.utils import timezone

from versioning import CODE, TYPED, VersionedJSONField, declare_facts

MAX_ATTEMPTS = 5
ESTIMATE_AFTER = timedelta(seconds=3)  # before that, no estimate is possible


class Status(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


ACTIVE_STATUSES = (Status.QUEUED, Status.RUNNING)
ENDED_STATUSES = (Status.DONE, Status.FAILED, Status.CANCELLED)


class Job(models.Model):
    """A background task. The row is authoritative; a message to the worker only says "look now".

    ``topic`` names the pages that show it, ``club`` is the id of the club whose share of the queue it takes.
    ``done`` of ``of`` is its progress, ``result`` its result; ``failed_with`` is the failure for the reader,
    ``error`` the one for the log. ``attempts`` only grows: it tells whose the job is when a worker thought
    dead returns. A job that broke is queued again, and waits until ``waits_until`` if its kind has a
    ``backoff``.
    """

    kind = models.CharField(max_length=60)
    key = models.CharField(max_length=600)
    topic = models.CharField(max_length=60, blank=True, default="", db_default="")
    club = models.BigIntegerField(null=True, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    last_attempt = models.PositiveSmallIntegerField(default=MAX_ATTEMPTS, db_default=MAX_ATTEMPTS)
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

    FACTS = declare_facts({TYPED: "key result failed_with error", CODE: "kind topic"})

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
        return self.status in ACTIVE_STATUSES

    def query_attempt(self) -> QuerySet[Job]:
        """Return the row while this attempt runs and was not given up; else nothing."""
        return Job.objects.filter(pk=self.pk, status=Status.RUNNING, attempts=self.attempts)

    def estimate_time_left(self, now: datetime) -> timedelta | None:
        """Estimate how long it still runs, at its pace so far; None if it is too early to tell."""
        if self.status != Status.RUNNING or not self.done or self.started_at is None:
            return None
        elapsed = now - self.started_at
        return elapsed * (self.of - self.done) / self.done if elapsed >= ESTIMATE_AFTER else None


class LongWrite(models.Model):
    """A long write in pieces (``jobs.pieces``), of which ``done`` are written.

    ``request`` is what was requested, ``state`` what later pieces need from earlier ones. If nobody works on it for a
    while, a job of its ``kind`` and ``key`` continues it, shown on pages of its ``topic``. Without a kind it belongs to
    a command, and its ``key`` begins with the kind it would have: the same command continues it; otherwise it is
    undone. The row is deleted when everything is written. It ``is_being_undone`` for a while; afterwards ``touched_at``
    is empty, and like a job it waits in case it is wanted after all.
    """

    kind = models.CharField(max_length=60)
    key = models.CharField(max_length=600)
    topic = models.CharField(max_length=60, blank=True, default="")
    request = VersionedJSONField(default=dict, db_column="asked")
    state = VersionedJSONField(default=dict, db_column="kept")
    done = models.PositiveIntegerField(default=0)
    is_being_undone = models.BooleanField(default=False, db_column="is_taken_back")
    begun_at = models.DateTimeField(default=timezone.now)
    touched_at = models.DateTimeField(default=timezone.now, null=True)

    FACTS = declare_facts({TYPED: "request", CODE: "kind key topic state"})

    class Meta:
        db_table = "jobs_course"
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="one_course_of_a_kind_and_key")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key} ({self.done})"
