"""Whether the standings of an event wait for the worker longer than usual."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Case, F, Max, Q, Subquery, Sum, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from jobs.lateness import Why, is_far, why_late
from jobs.models import Job, Status
from live.models import Revision
from tournaments.models import Event, Standings

STANDINGS = "refresh_standings"


@dataclass(frozen=True, slots=True, kw_only=True)
class LateStandings:
    """Standings that something has changed since: when they were computed, for how many minutes the next ones
    wait, and why."""

    computed_at: datetime | None
    minutes: int
    why: Why


def watched_revision(event: Event, *topics: str) -> str:
    """What a page of the event, or of these topics of it, is watched with: another one after each change, and
    each minute while the standings are late. One query; the event keeps what it found."""
    jobs = Job.objects.filter(topic=event.topic, kind=STANDINGS)
    last = (
        jobs.filter(ended_at__isnull=False)
        .order_by("-ended_at")
        .values(failed_since=Case(When(status=Status.FAILED, then=F("created_at"))))
    )
    waiting = jobs.filter(ended_at=None).order_by("created_at").values("created_at")
    topics = topics or event.topics
    found = Revision.objects.filter(topic__in={event.topic, *topics}).aggregate(
        number=Sum("number", filter=Q(topic__in=topics)),
        since=Max(Coalesce(Subquery(last[:1]), Subquery(waiting[:1]))),
    )
    vars(event)["standings_wait_since"] = found["since"]
    late = _late_for(event, timezone.now())
    return str(found["number"] or 0) + ("" if late is None else f".late{_minutes(late)}")


def late_standings(event: Event) -> LateStandings | None:
    """None where they are on time, and for an event whose revision nobody has asked for. A query where they
    are late."""
    now = timezone.now()
    late = _late_for(event, now)
    if late is None:
        return None
    mine = Q(topic=event.topic, kind=STANDINGS)
    computed_at = Standings.objects.filter(event=event).values("computed_at")
    jobs = list(
        Job.objects.filter(Q(status=Status.RUNNING) | mine & ~Q(status=Status.DONE))
        .annotate(computed_at=Subquery(computed_at))
        .order_by("-pk")
    )
    ours = [job for job in jobs if job.topic == event.topic and job.kind == STANDINGS]
    if not ours:  # it was done between the two queries
        return None
    return LateStandings(
        computed_at=vars(ours[0])["computed_at"],
        minutes=_minutes(late),
        why=why_late(ours[0], [job for job in jobs if job.status == Status.RUNNING], now),
    )


def _late_for(event: Event, now: datetime) -> timedelta | None:
    since: datetime | None = vars(event).get("standings_wait_since")
    return None if since is None or not is_far(since, now) else max(now - since, timedelta())


def _minutes(late: timedelta) -> int:
    return int(late / timedelta(minutes=1))
