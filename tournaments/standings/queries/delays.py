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
from jobs.delays import LateReason, is_far, why_late
from jobs.models import Job, Status
from live.models import Revision
from tournaments.models import Event, Season, Standings

STANDINGS, SEASONS, RECORDS = "refresh_standings", "refresh_seasons", "refresh_ratings"
"""Kinds of its tasks."""
CLUB_COUNTS: list[str] = []
"""Kinds that count a club's events, of the features that are loaded."""

Owner = Event | Season | Club


@dataclass(frozen=True, slots=True, kw_only=True)
class LateStandings:
    """Standings that are out of date. They have the time when those of an event were computed, the minutes
    that the next ones have waited, and the reason."""

    computed_at: datetime | None
    minutes: int
    why: LateReason


def watched_revision(owner: Owner, *topics: str, is_public: bool = True) -> str:
    """Return the revision of a page of an event, a season or a club's records, or of these topics.

    It changes with each change, for a page that ``is_public`` only with each public one, and every minute
    while its data is late. It does not reveal that hidden results will be counted. One query, whose answer is
    stored on the owner.
    """
    jobs, anchor = _jobs_of(owner), _topic_of(owner)
    column = "public_number" if is_public else "number"
    last = (
        jobs.filter(ended_at__isnull=False)
        .order_by("-ended_at")
        .values(failed_since=Case(When(status=Status.FAILED, then=F("created_at"))))
    )
    waiting = jobs.filter(ended_at=None).order_by("created_at").values("created_at")
    wanted: Iterable[str] = topics or (owner.topics if isinstance(owner, Event) else (anchor,))
    found = Revision.objects.filter(topic__in={anchor, *wanted}).aggregate(
        all=Sum(column, filter=Q(topic__in=wanted)),
        own=Sum(column, filter=Q(topic=anchor)),
        since=Max(Coalesce(Subquery(last[:1]), Subquery(waiting[:1]))),
    )
    is_silent = is_public and isinstance(owner, Event) and owner.visible.standings is not Ranks.LIVE
    vars(owner)["standings_wait_since"] = None if is_silent else found["since"]
    vars(owner)["watched_number"] = found["own"] or 0
    vars(owner)["watched_numbers"] = found["all"] or 0
    late = _late_for(owner, timezone.now())
    return str(found["all"] or 0) + ("" if late is None else f".late{_minutes(late)}")


def late_standings(owner: Owner) -> LateStandings | None:
    """Return the delay; None if there is none, or if the owner's revision was not asked for. One query if
    late."""
    now = timezone.now()
    late = _late_for(owner, now)
    if late is None:
        return None
    standings = Standings.objects.filter(event=owner.pk if isinstance(owner, Event) else None)
    mine = _jobs_of(owner).exclude(status=Status.DONE).values("pk")
    jobs = list(
        Job.objects.filter(Q(status=Status.RUNNING) | Q(pk__in=mine))
        .annotate(computed_at=Subquery(standings.values("computed_at")), is_mine=Q(pk__in=mine))
        .order_by("-pk")
    )
    ours = [job for job in jobs if vars(job)["is_mine"]]
    if not ours:  # the task ended between the two queries
        return None
    return LateStandings(
        computed_at=vars(ours[0])["computed_at"],
        minutes=_minutes(late),
        why=why_late(ours[0], [job for job in jobs if job.status == Status.RUNNING], now),
    )


def _topic_of(owner: Owner) -> str:
    """Return the topic that has a revision after the first change, and under which the owner's tasks run."""
    return owner.club.topic if isinstance(owner, Season) else owner.topic


def _jobs_of(owner: Owner) -> QuerySet[Job]:
    kind = {Event: STANDINGS, Season: SEASONS, Club: RECORDS}[type(owner)]
    return Job.objects.filter(topic=_topic_of(owner), kind=kind)


def _late_for(owner: Owner, now: datetime) -> timedelta | None:
    since: datetime | None = vars(owner).get("standings_wait_since")
    return None if since is None or not is_far(since, now) else max(now - since, timedelta())


def _minutes(late: timedelta) -> int:
    return int(late / timedelta(minutes=1))
