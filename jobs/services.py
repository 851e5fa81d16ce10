"""The life of a job: queued → running → done, failed or cancelled; or queued again.

Every step is one UPDATE that names the state before it, or happens with the row locked: of two concurrent
attempts, one succeeds.
"""

import logging
import time
from datetime import datetime, timedelta
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from errors import Refusal
from jobs.delays import build_ahead_condition, build_lapsed_condition
from jobs.failures import clean_storable_text, mask_email_addresses, serialize_failure, serialize_refusal
from jobs.locks import lock_counter
from jobs.messages import send_job_message
from jobs.models import ACTIVE_STATUSES, ENDED_STATUSES, MAX_ATTEMPTS, Job, LongWrite, Status
from jobs.pieces import find_long_write
from jobs.queues import MAX_JOBS_PER_CLUB
from jobs.registry import (
    NO_LIMIT,
    JobCancelledError,
    JobContext,
    find_kind,
    get_kind,
    list_kinds,
)

logger = logging.getLogger(__name__)

RESEND_AFTER = timedelta(seconds=5)  # a queued job is older: its message must have been lost
RETENTION = timedelta(days=7)  # how long ended jobs stay
ABANDONED_AFTER = timedelta(minutes=1)  # without progress: then a long write counts as abandoned
COMMAND_ABANDONED_AFTER = timedelta(minutes=10)  # longer for a command, which may check everything at the end
MAX_WAIT = timedelta(hours=1)  # a longer one is from before a clock was set back
UNDO_JOB = "take_back"
SWEEP_BATCH = 200
REST_FACTOR = 2  # times its duration
MAX_REST = timedelta(seconds=1)  # other jobs wait meanwhile


@transaction.atomic
def enqueue(*, kind: str, key: str, topic: str = "", club_id: int | None = None) -> Job:
    """Queue a job of this kind and key, and send it when the caller's transaction commits. Safe to repeat.

    A job that is queued serves all requests. It is locked, so that no worker can begin it before the caller's
    changes are visible. Pages of the topic show it, if its kind is shown. Clubs share the queues.

    Refuses: what the ``club_limit`` of its kind does.
    """
    get_kind(kind)
    while True:
        try:
            found, is_new = Job.objects.select_for_update().get_or_create(
                kind=kind, key=key, status=Status.QUEUED, defaults={"topic": topic, "club": club_id}
            )
        except IntegrityError:  # another's job, taken by a worker between our insert and our read
            continue
        if is_new:
            _admit(found)
        return found


def _admit(job: Job) -> None:
    """Send a queued job at the end of the transaction, if its club may start one more of its kind."""
    limit = NO_LIMIT if job.club is None else get_kind(job.kind).club_limit
    if limit.most is not None:
        _lock_count(job)
        of_kind = Job.objects.filter(kind=job.kind, club=job.club, status__in=ACTIVE_STATUSES)
        if of_kind.exclude(pk=job.pk).count() >= limit.most:
            raise Refusal(limit.code, most=limit.most)
    if limit.check is not None and job.club is not None:
        limit.check(job.club)
    transaction.on_commit(partial(send_job_message, job.pk, job.kind, _get_club_position(job)))


def _get_club_position(job: Job) -> int:
    """Return the job's place among the queued ones of its club in its queue, from 1. One query, none for a job
    without a club."""
    return 1 if job.club is None else 1 + _query_club_jobs(job).filter(status=Status.QUEUED, pk__lt=job.pk).count()


def _is_shared(job: Job) -> bool:
    return job.club is not None and find_kind(job.kind).queue in MAX_JOBS_PER_CLUB


def _query_club_jobs(job: Job) -> QuerySet[Job]:
    """Return the jobs of its club in its queue."""
    return Job.objects.filter(club=job.club, kind__in=list_kinds(find_kind(job.kind).queue))


@transaction.atomic
def cancel_job(job_id: int) -> None:
    """Cancel a queued job now, a running one at its next report; an ended one stays so. Safe to repeat."""
    target_job = Job.objects.select_for_update().filter(pk=job_id).first()
    if target_job is None:
        return
    job_rows = Job.objects.filter(pk=job_id)
    if target_job.status == Status.QUEUED:
        job_rows.update(status=Status.CANCELLED, ended_at=timezone.now())
        _request_undo(target_job)
    elif target_job.status == Status.RUNNING:
        job_rows.update(is_stop_asked=True)


@transaction.atomic
def retry_job(job_id: int) -> None:
    """Queue a failed or cancelled job again, with new attempts. Safe to repeat.

    If one of its kind and key is queued already, that one does the work. Refuses: what ``enqueue`` does.
    """
    try:
        with transaction.atomic():
            is_queued = Job.objects.filter(pk=job_id, status__in=[Status.FAILED, Status.CANCELLED]).update(
                status=Status.QUEUED,
                last_attempt=F("attempts") + MAX_ATTEMPTS,
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
        _admit(Job.objects.get(pk=job_id))


def run_job(job_id: int) -> None:
    """Do the work, unless somebody else has it. Safe to repeat."""
    claimed_job = _claim_job(job_id)
    if claimed_job is None:
        return
    kind = get_kind(claimed_job.kind)
    try:
        result = kind.work(JobContext(claimed_job, lease=kind.lease))
        _end_job(claimed_job, status=Status.DONE, result=result, error="")
    except JobCancelledError:
        _end_job(claimed_job, status=Status.CANCELLED)
    except Exception as error:
        error_text = f"{type(error).__name__}: {mask_email_addresses(clean_storable_text(error))}"
        if isinstance(error, Refusal):
            _end_job(claimed_job, status=Status.FAILED, failed_with=serialize_refusal(error), error=error_text)
        else:
            logger.exception("job %s failed", claimed_job)
            _requeue(claimed_job.query_attempt(), error_text)


def sweep() -> None:
    """Recover jobs of killed workers and lost messages, and delete old ones. One statement if there is
    nothing to do, as nearly always."""
    now = timezone.now()
    lapsed = Job.objects.filter(build_lapsed_condition(now), status=Status.RUNNING)
    is_sent_later = build_ahead_condition("sent_at", now)
    is_old = Q(sent_at__lt=now - RESEND_AFTER) | is_sent_later
    is_put_off = Q(waits_until__gt=now, waits_until__lt=now + MAX_WAIT) & ~is_sent_later
    unsent = Job.objects.filter(is_old, status=Status.QUEUED).exclude(is_put_off)
    abandoned = LongWrite.objects.exclude(touched_at=None).filter(_build_abandoned_condition(now))
    forgotten = LongWrite.objects.filter(touched_at=None, begun_at__lt=now - RETENTION)
    is_past = Q(ended_at__lt=now - RETENTION) | Q(ended_at__gt=now + RETENTION)
    ended = Job.objects.filter(is_past, status__in=ENDED_STATUSES)
    found = [each.order_by().values("pk") for each in (lapsed, unsent, abandoned, forgotten, ended)]
    if not found[0].union(*found[1:], all=True)[:1]:
        return
    for job in lapsed[:SWEEP_BATCH]:
        _requeue(job.query_attempt().filter(build_lapsed_condition(now)), "Its worker died, or took too long.")
    for job in list(unsent.order_by("sent_at")[:SWEEP_BATCH]):
        Job.objects.filter(pk=job.pk, status=Status.QUEUED).update(sent_at=now)
        send_job_message(job.pk, job.kind, _get_club_position(job))
    for long_write in abandoned.defer("request", "state"):
        _continue_long_write(long_write)
    forgotten.delete()
    ended.delete()


def _build_abandoned_condition(now: datetime) -> Q:
    job_abandoned = ~Q(touched_at__range=(now - ABANDONED_AFTER, now + ABANDONED_AFTER))
    command_abandoned = ~Q(touched_at__range=(now - COMMAND_ABANDONED_AFTER, now + COMMAND_ABANDONED_AFTER))
    return Q(kind="") & command_abandoned | ~Q(kind="") & job_abandoned


@transaction.atomic
def _continue_long_write(long_write: LongWrite) -> None:
    """Continue a long write whose writer was killed, unless a job already does. A command's long write is undone,
    since nobody else knows its request."""
    LongWrite.objects.filter(pk=long_write.pk).update(touched_at=timezone.now())
    if long_write.is_being_undone or not long_write.kind:
        enqueue(kind=UNDO_JOB, key=f"{long_write.kind} {long_write.key}")
    elif not Job.objects.filter(kind=long_write.kind, key=long_write.key, status__in=ACTIVE_STATUSES).exists():
        last = Job.objects.filter(kind=long_write.kind, key=long_write.key).last()
        club_id = None if last is None else last.club
        enqueue(kind=long_write.kind, key=long_write.key, topic=long_write.topic, club_id=club_id)


def undo_stopped_job(kind: str, key: str) -> None:
    """Delete what the stopped job of this kind and key has written. Safe to repeat: a new request continues
    the long write, or begins again."""
    undo = find_kind(kind or key.partition(" ")[0]).undo
    long_write = find_long_write(kind, key)
    is_wanted = Job.objects.filter(kind=kind, key=key, status__in=ACTIVE_STATUSES).exists()
    if undo is not None and long_write is not None and (long_write.is_being_undone or not is_wanted):
        undo(long_write)


def _claim_job(job_id: int) -> Job | None:
    """Claim the job by one UPDATE; if it touches no row, another worker has the job."""
    queued = Job.objects.filter(pk=job_id, status=Status.QUEUED)
    job = queued.first()
    if job is None:
        return None
    kind = get_kind(job.kind)
    if kind.pauses_between_runs:
        _pause_before(job)
    with transaction.atomic():
        if _is_shared(job) and _has_reached_club_limit(job):
            return None  # the sweeper sends it again
        now = timezone.now()
        is_mine = queued.update(
            status=Status.RUNNING,
            attempts=F("attempts") + 1,
            started_at=Coalesce("started_at", Value(now)),
            lease_until=now + kind.lease,
        )
    return Job.objects.get(pk=job_id) if is_mine else None


def _lock_count(job: Job) -> None:
    """Let others count the jobs of its club only after this transaction."""
    lock_counter(f"jobs of club {job.club}")


def _has_reached_club_limit(job: Job) -> bool:
    """Return whether its club has as many jobs running in this queue as it may. Locks the count."""
    _lock_count(job)
    return _query_club_jobs(job).filter(status=Status.RUNNING).count() >= MAX_JOBS_PER_CLUB[find_kind(job.kind).queue]


def _pause_before(job: Job) -> None:
    """Pause after the last run of this kind and key. Requests in the meantime are served by
    this one, still queued."""
    done = Job.objects.filter(topic=job.topic, kind=job.kind, key=job.key, status=Status.DONE)
    last = done.order_by("-ended_at").first()
    if last is not None and last.started_at is not None and last.ended_at is not None:
        rest = min(REST_FACTOR * (last.ended_at - last.started_at), MAX_REST)
        left = last.ended_at + rest - timezone.now()
        time.sleep(max(0.0, min(left, MAX_REST).total_seconds()))


@transaction.atomic
def _requeue(attempt: QuerySet[Job], error: str) -> None:
    """Queue it again, unless its attempts are used up, it was stopped, or another job does its work."""
    job = attempt.select_for_update().first()
    if job is None:
        return
    if job.is_stop_asked:
        _end_job(job, status=Status.CANCELLED, error=error)
        return
    if job.attempts < job.last_attempt:
        try:
            with transaction.atomic():
                now = timezone.now()
                job.query_attempt().update(
                    status=Status.QUEUED,
                    lease_until=None,
                    waits_until=now
                    + find_kind(job.kind).backoff * 4 ** (job.attempts + MAX_ATTEMPTS - job.last_attempt - 1),
                    sent_at=now,
                    error=error,
                )
        except IntegrityError:
            error = f"{error} The next job of this kind and key does its work."
        else:
            return
    _end_job(job, status=Status.FAILED, failed_with=serialize_failure(code="job_failed"), error=error)


@transaction.atomic
def _end_job(job: Job, **changes: object) -> None:
    """Leave the running state for good, unless this attempt was given up and the job is another's by now."""
    has_ended = job.query_attempt().update(lease_until=None, ended_at=timezone.now(), **changes)
    if has_ended and changes["status"] != Status.DONE:
        _request_undo(job)


def _request_undo(job: Job) -> None:
    """Have what it has written deleted, since it stays incomplete."""
    if find_kind(job.kind).undo is not None:
        enqueue(kind=UNDO_JOB, key=f"{job.kind} {job.key}")
