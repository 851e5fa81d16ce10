"""Delays of computed data beyond the usual: standings of an event or a season, ratings and records of a
club."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Case, F, Max, Q, QuerySet, Subquery, Sum, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from clubs.models import Club
from engine.visibility import Ranks
from jobs.delays import LateReason, find_late_reason, is_distant
from jobs.models import Job, Status
from live.models import Revision
from tournaments.models import Event, Season, Standings

STANDINGS_KIND, SEASONS_KIND, RECORDS_KIND = "refresh_standings", "refresh_seasons", "refresh_ratings"
"""Kinds of its tasks."""
CLUB_TASK_KINDS: list[str] = []
"""Kinds that count a club's events, of the features that are loaded."""

Owner = Event | Season | Club


@dataclass(frozen=True, slots=True, kw_only=True)
class DelayedStandings:
    """Standings that are out of date. They have the time when those of an event were computed, the minutes
    that the next ones have waited, and the reason."""

    computed_at: datetime | None
    minutes: int
    why: LateReason


def get_watched_revision(owner: Owner, *topics: str, is_public: bool = True) -> str:
    """Return the revision of a page of an event, a season or a club's records, or of these topics.

    It changes with each change, for a page that ``is_public`` only with each public one, and every minute
    while its data is late. It does not reveal that hidden results will be counted. One query, whose answer is
    stored on the owner.
    """
    jobs, anchor = _get_jobs(owner), _get_topic(owner)
    column = "public_number" if is_public else "number"
    last_jobs = (
        jobs.filter(ended_at__isnull=False)
        .order_by("-ended_at")
        .values(failed_since=Case(When(status=Status.FAILED, then=F("created_at"))))
    )
    waiting_jobs = jobs.filter(ended_at=None).order_by("created_at").values("created_at")
    watched_topics: Iterable[str] = topics or (owner.topics if isinstance(owner, Event) else (anchor,))
    totals = Revision.objects.filter(topic__in={anchor, *watched_topics}).aggregate(
        all=Sum(column, filter=Q(topic__in=watched_topics)),
        own=Sum(column, filter=Q(topic=anchor)),
        since=Max(Coalesce(Subquery(last_jobs[:1]), Subquery(waiting_jobs[:1]))),
    )
    is_silent = is_public and isinstance(owner, Event) and owner.visible.standings is not Ranks.LIVE
    vars(owner)["standings_wait_since"] = None if is_silent else totals["since"]
    vars(owner)["watched_number"] = totals["own"] or 0
    vars(owner)["watched_numbers"] = totals["all"] or 0
    delay = _compute_delay(owner, timezone.now())
    return str(totals["all"] or 0) + ("" if delay is None else f".late{_to_minutes(delay)}")


def find_standings_delay(owner: Owner) -> DelayedStandings | None:
    """Return the delay; None if there is none, or if the owner's revision was not asked for. One query if
    late."""
    now = timezone.now()
    delay = _compute_delay(owner, now)
    if delay is None:
        return None
    standings = Standings.objects.filter(event=owner.pk if isinstance(owner, Event) else None)
    owner_job_ids = _get_jobs(owner).exclude(status=Status.DONE).values("pk")
    jobs = list(
        Job.objects.filter(Q(status=Status.RUNNING) | Q(pk__in=owner_job_ids))
        .annotate(computed_at=Subquery(standings.values("computed_at")), is_mine=Q(pk__in=owner_job_ids))
        .order_by("-pk")
    )
    owner_jobs = [job for job in jobs if vars(job)["is_mine"]]
    if not owner_jobs:  # the task ended between the two queries
        return None
    return DelayedStandings(
        computed_at=vars(owner_jobs[0])["computed_at"],
        minutes=_to_minutes(delay),
        why=find_late_reason(owner_jobs[0], [job for job in jobs if job.status == Status.RUNNING], now),
    )


def _get_topic(owner: Owner) -> str:
    """Return the topic that has a revision after the first change, and under which the owner's tasks run."""
    return owner.club.topic if isinstance(owner, Season) else owner.topic


def _get_jobs(owner: Owner) -> QuerySet[Job]:
    kind = {Event: STANDINGS_KIND, Season: SEASONS_KIND, Club: RECORDS_KIND}[type(owner)]
    return Job.objects.filter(topic=_get_topic(owner), kind=kind)


def _compute_delay(owner: Owner, now: datetime) -> timedelta | None:
    waiting_since: datetime | None = vars(owner).get("standings_wait_since")
    return (
        None if waiting_since is None or not is_distant(waiting_since, now) else max(now - waiting_since, timedelta())
    )


def _to_minutes(delay: timedelta) -> int:
    return int(delay / timedelta(minutes=1))
