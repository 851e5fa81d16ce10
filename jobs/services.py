"""The life of a job: queued → running → done, failed or cancelled; or queued again.

Every step is one UPDATE that names the state before it, or happens with the row locked: of two concurrent
attempts, one succeeds.
"""

from __future__ import annotations

import logging
import time
from datetime import datetime, timedelta
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from jobs.delays import AHEAD, lapsed_leases
from jobs.failures import JobRefused, failure_to_json, job_refusal_to_json, storable_text, without_addresses
from jobs.messages import send
from jobs.models import ENDED, MOST_ATTEMPTS, UNDER_WAY, Course, Job, Status
from jobs.pieces import course_of
from jobs.queues import MOST_OF_CLUB
from jobs.registry import backoff_of, kind_named, kinds_in, queue_of, take_back_of
from jobs.running import Cancelled, JobContext

logger = logging.getLogger(__name__)

OLD = timedelta(seconds=5)  # a queued job is older: its message must have been lost
KEPT = timedelta(days=7)  # how long ended jobs stay
LEFT = timedelta(minutes=1)  # without progress: then a course counts as abandoned
LEFT_BY_COMMAND = timedelta(minutes=10)  # longer for a command, which may check everything at the end
LONGEST_WAIT = timedelta(hours=1)  # a longer one is from before a clock was set back
TAKE_BACK = "take_back"
SWEPT_AT_ONCE = 200
REST = 2  # times its duration
LONGEST_REST = timedelta(seconds=1)  # other jobs wait meanwhile


@transaction.atomic
def enqueue(*, kind: str, key: str, topic: str = "", club_id: int | None = None) -> Job:
    """Queue a job of this kind and key, and send it when the caller's transaction commits. Safe to repeat.

    A job that is queued serves all requests. It is locked, so that no worker can begin it before the caller's
    changes are visible. Pages of the topic show it, if its kind is shown. Clubs share the long queues.
    """
    kind_named(kind)
    while True:
        try:
            found, is_new = Job.objects.select_for_update().get_or_create(
                kind=kind, key=key, status=Status.QUEUED, defaults={"topic": topic, "club": club_id}
            )
        except IntegrityError:  # another's job, taken by a worker between our insert and our read
            continue
        if is_new:
            transaction.on_commit(partial(send, found.pk, kind, _turn_of(found)))
        return found


def _turn_of(job: Job) -> int:
    """Return the job's place among the queued ones of its club in its queue, from 1. One query, none in the
    short queue."""
    return 1 if not _is_shared(job) else 1 + _of_club(job).filter(status=Status.QUEUED, pk__lt=job.pk).count()


def _is_shared(job: Job) -> bool:
    return job.club is not None and queue_of(job.kind) in MOST_OF_CLUB


def _of_club(job: Job) -> QuerySet[Job]:
    """Return the jobs of its club in its queue."""
    return Job.objects.filter(club=job.club, kind__in=kinds_in(queue_of(job.kind)))


@transaction.atomic
def cancel_job(job_id: int) -> None:
    """Cancel a queued job now, a running one at its next report; an ended one stays so. Safe to repeat."""
    asked = Job.objects.select_for_update().filter(pk=job_id).first()
    if asked is None:
        return
    this = Job.objects.filter(pk=job_id)
    if asked.status == Status.QUEUED:
        this.update(status=Status.CANCELLED, ended_at=timezone.now())
        _take_back(asked)
    elif asked.status == Status.RUNNING:
        this.update(is_stop_asked=True)


@transaction.atomic
def retry_job(job_id: int) -> None:
    """Queue a failed or cancelled job again, with new attempts. Safe to repeat.

    If one of its kind and key is queued already, that one does the work.
    """
    try:
        with transaction.atomic():
            is_queued = Job.objects.filter(pk=job_id, status__in=[Status.FAILED, Status.CANCELLED]).update(
                status=Status.QUEUED,
                last_attempt=F("attempts") + MOST_ATTEMPTS,
                is_stop_asked=False,
                done=0,
                of=0,
                failed_with=None,
                created_at=timezone.now(),
                sent_at=timezone.now(),
                started_at=None,
                waits_until=None,
                ended_at=None,
                error="",
            )
    except IntegrityError:
        return
    if is_queued:
        job = Job.objects.get(pk=job_id)
        transaction.on_commit(partial(send, job_id, job.kind, _turn_of(job)))


def run_job(job_id: int) -> None:
    """Do the work, unless somebody else has it. Safe to repeat."""
    claimed = _claim(job_id)
    if claimed is None:
        return
    kind = kind_named(claimed.kind)
    try:
        result = kind.work(JobContext(claimed, lease=kind.lease))
        _end(claimed, status=Status.DONE, result=result, error="")
    except Cancelled:
        _end(claimed, status=Status.CANCELLED)
    except Exception as error:
        named = f"{type(error).__name__}: {without_addresses(storable_text(error))}"
        if isinstance(error, JobRefused):
            _end(claimed, status=Status.FAILED, failed_with=job_refusal_to_json(error), error=named)
        else:
            logger.exception("job %s failed", claimed)
            _put_back(claimed.this_attempt(), named)


def sweep() -> None:
    """Recover jobs of killed workers and lost messages, and delete old ones. One statement if there is
    nothing to do, as nearly always."""
    now = timezone.now()
    lapsed = Job.objects.filter(lapsed_leases(now), status=Status.RUNNING)
    is_old = Q(sent_at__lt=now - OLD) | Q(sent_at__gt=now + AHEAD)
    is_put_off = Q(waits_until__gt=now, waits_until__lt=now + LONGEST_WAIT, sent_at__lte=now + AHEAD)
    waiting = Job.objects.filter(is_old, status=Status.QUEUED).exclude(is_put_off)
    left = Course.objects.exclude(touched_at=None).filter(_is_left(now))
    forgotten = Course.objects.filter(touched_at=None, begun_at__lt=now - KEPT)
    is_past = Q(ended_at__lt=now - KEPT) | Q(ended_at__gt=now + KEPT)
    ended = Job.objects.filter(is_past, status__in=ENDED)
    found = [each.order_by().values("pk") for each in (lapsed, waiting, left, forgotten, ended)]
    if not found[0].union(*found[1:], all=True)[:1]:
        return
    for job in lapsed[:SWEPT_AT_ONCE]:
        _put_back(job.this_attempt().filter(lapsed_leases(now)), "Its worker died, or took too long.")
    for job in list(waiting.order_by("sent_at")[:SWEPT_AT_ONCE]):
        Job.objects.filter(pk=job.pk, status=Status.QUEUED).update(sent_at=now)
        send(job.pk, job.kind, _turn_of(job))
    for course in left.defer("asked", "kept"):
        _go_on(course)
    forgotten.delete()
    ended.delete()


def _is_left(now: datetime) -> Q:
    mine = ~Q(touched_at__range=(now - LEFT, now + LEFT))
    of_command = ~Q(touched_at__range=(now - LEFT_BY_COMMAND, now + LEFT_BY_COMMAND))
    return Q(kind="") & of_command | ~Q(kind="") & mine


@transaction.atomic
def _go_on(course: Course) -> None:
    """Continue a course whose writer was killed, unless a job already does. A command's course is undone,
    since nobody else knows its request."""
    Course.objects.filter(pk=course.pk).update(touched_at=timezone.now())
    if course.is_taken_back or not course.kind:
        enqueue(kind=TAKE_BACK, key=f"{course.kind} {course.key}")
    elif not Job.objects.filter(kind=course.kind, key=course.key, status__in=UNDER_WAY).exists():
        last = Job.objects.filter(kind=course.kind, key=course.key).last()
        club_id = None if last is None else last.club
        enqueue(kind=course.kind, key=course.key, topic=course.topic, club_id=club_id)


def undo_stopped_job(kind: str, key: str) -> None:
    """Delete what the stopped job of this kind and key has written. Safe to repeat: a new request continues
    the course, or begins again."""
    undo = take_back_of(kind or key.partition(" ")[0])
    course = course_of(kind, key)
    is_wanted = Job.objects.filter(kind=kind, key=key, status__in=UNDER_WAY).exists()
    if undo is not None and course is not None and (course.is_taken_back or not is_wanted):
        undo(course)


def _claim(job_id: int) -> Job | None:
    """Claim the job by one UPDATE; if it touches no row, another worker has the job."""
    queued = Job.objects.filter(pk=job_id, status=Status.QUEUED)
    job = queued.first()
    if job is None:
        return None
    kind = kind_named(job.kind)
    if _is_shared(job) and _has_its_share(job):
        return None  # the sweeper sends it again
    if kind.rests:
        _rest_before(job)
    now = timezone.now()
    is_mine = queued.update(
        status=Status.RUNNING,
        attempts=F("attempts") + 1,
        started_at=Coalesce("started_at", Value(now)),
        lease_until=now + kind.lease,
    )
    return Job.objects.get(pk=job_id) if is_mine else None


def _has_its_share(job: Job) -> bool:
    """Return whether its club has as many jobs running in this queue as it may."""
    return _of_club(job).filter(status=Status.RUNNING).count() >= MOST_OF_CLUB[queue_of(job.kind)]


def _rest_before(job: Job) -> None:
    """Pause after the last run of this kind and key. Requests in the meantime are served by
    this one, still queued."""
    done = Job.objects.filter(topic=job.topic, kind=job.kind, key=job.key, status=Status.DONE)
    last = done.order_by("-ended_at").first()
    if last is not None and last.started_at is not None and last.ended_at is not None:
        rest = min(REST * (last.ended_at - last.started_at), LONGEST_REST)
        left = last.ended_at + rest - timezone.now()
        time.sleep(max(0.0, min(left, LONGEST_REST).total_seconds()))


@transaction.atomic
def _put_back(attempt: QuerySet[Job], error: str) -> None:
    """Queue it again, unless its attempts are used up, it was stopped, or another job does its work."""
    job = attempt.select_for_update().first()
    if job is None:
        return
    if job.is_stop_asked:
        _end(job, status=Status.CANCELLED, error=error)
        return
    if job.attempts < job.last_attempt:
        try:
            with transaction.atomic():
                now = timezone.now()
                job.this_attempt().update(
                    status=Status.QUEUED,
                    lease_until=None,
                    waits_until=now
                    + backoff_of(job.kind) * 4 ** (job.attempts + MOST_ATTEMPTS - job.last_attempt - 1),
                    sent_at=now,
                    error=error,
                )
        except IntegrityError:
            error = f"{error} The next job of this kind and key does its work."
        else:
            return
    _end(job, status=Status.FAILED, failed_with=failure_to_json(code="job_failed"), error=error)


@transaction.atomic
def _end(job: Job, **changes: object) -> None:
    """Leave the running state for good, unless this attempt was given up and the job is another's by now."""
    has_ended = job.this_attempt().update(lease_until=None, ended_at=timezone.now(), **changes)
    if has_ended and changes["status"] != Status.DONE:
        _take_back(job)


def _take_back(job: Job) -> None:
    """Have what it has written deleted, since it stays incomplete."""
    if take_back_of(job.kind) is not None:
        enqueue(kind=TAKE_BACK, key=f"{job.kind} {job.key}")
