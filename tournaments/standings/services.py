"""Computation and storage of standings, from the results that count."""

from datetime import datetime
from typing import NotRequired, TypedDict

from django.db import transaction
from django.db.models import Q, TextField, prefetch_related_objects
from django.db.models.functions import Cast
from django.utils import timezone

from clubs.models import Club, club_topic
from engine.charts import charts_of, scored_stage
from engine.charts.serialization import PlainChart, charts_to_json
from engine.results import EventSnapshot, scores_of
from engine.standings import PlainCount, PlainRow, PlainStandings, has_charts, seated_of
from engine.visibility import Ranks
from jobs.services import enqueue
from live.revisions import Reach, raise_revision
from live.snapshots import snapshot
from tournaments.history.services.locking import get_event, locked_event
from tournaments.lifecycle import OPEN, EventState, RoundState
from tournaments.models import Event, Standings, records_topic
from tournaments.rounds.queries.event_snapshot import event_snapshot
from tournaments.signals import standings_changed
from tournaments.standings.queries.delays import CLUB_COUNTS, STANDINGS
from tournaments.standings.queries.standings import standings_now


def refresh_standings(*, event_id: int) -> Standings:
    """Recompute an event's standings from its matches, with their reasons and charts. Safe to repeat.

    They are computed from a snapshot, outside the transaction that stores them. If another process stored
    some meanwhile, they are computed again. Refuses: no_such_event.
    """
    while True:
        begun = timezone.now()  # rounds closed from now on may be missing
        with snapshot():
            event = get_event(event_id)
            before = _computed_at(event)
            values = standings_of_moment(event)
        kept = _keep(event_id, values, at=begun, instead_of=before)
        if kept is not None:
            return kept


class SeenStandings(TypedDict):
    """Public standings while the results of some rounds are hidden, and the time since when they are the
    same."""

    rows: list[PlainRow]
    counted: dict[str, PlainCount]
    charts: list[PlainChart]
    computed_at: NotRequired[str | None]


class StandingsValues(PlainStandings):
    """Values of a standings row, by the names of its columns."""

    charts: list[PlainChart]
    before_silence: SeenStandings | None
    rounds: int


def standings_of_moment(event: Event) -> StandingsValues:
    """Compute the values of the standings row as of now."""
    prefetch_related_objects([event], "adjustments")
    known = event_snapshot(event)
    return {
        **standings_now(event, known),
        "charts": _draw_charts(event, known),
        "before_silence": _before_silence(event, known),
        "rounds": event.rounds.filter(state=RoundState.CLOSED).count(),
    }


def _computed_at(event: Event) -> datetime | None:
    return Standings.objects.filter(event=event).values_list("computed_at", flat=True).first()


@transaction.atomic
def _keep(
    event_id: int, values: StandingsValues, *, at: datetime, instead_of: datetime | None
) -> Standings | None:
    """Store the values; return None if others were stored since ``instead_of``."""
    event = locked_event(event_id)
    if _computed_at(event) != instead_of:
        return None
    is_seen = _stamp(event, values, at)
    stored = {**values, "computed_at": at}
    (standings,) = Standings.objects.bulk_create(  # without reading what it replaces
        [Standings(event=event, **stored)],
        update_conflicts=True,
        unique_fields=["event"],
        update_fields=list(stored),
    )
    if is_seen:  # hidden results count in no season
        standings_changed.send(Event, event=event)
    raise_revision(event.topic, Reach.EVERYBODY if is_seen else Reach.STAFF)
    if event.state == EventState.ENDED:
        raise_revision(records_topic(event.club))  # people's pages link to the reasons
    return standings


def _stamp(event: Event, values: StandingsValues, now: datetime) -> bool:
    """Check whether the public may notice the new computation. While rounds are hidden, the public time is
    that of the last public change."""
    ranks, seen = event.visible.standings, values["before_silence"]
    if not event.public_page or ranks is Ranks.NOTHING:
        return False
    if ranks is not Ranks.BEFORE_SILENCE or seen is None:
        return True
    kept = Standings.objects.filter(event=event).values_list("before_silence", flat=True).first() or {}
    since = kept.get("computed_at")
    is_another = since is None or kept != {**seen, "computed_at": since}
    seen["computed_at"] = now.isoformat() if is_another else since
    return is_another


def request_standings(event: Event) -> None:
    """Enqueue the task that recomputes the standings. The event's pages say so if it takes long. Safe to
    repeat."""
    enqueue(kind=STANDINGS, key=str(event.pk), topic=event.topic)


def request_of_club(kind: str, club_id: int) -> None:
    """Enqueue the task that adds up seasons, or ratings and records. The club's pages say so if it takes
    long. Safe to repeat."""
    enqueue(kind=kind, key=str(club_id), topic=club_topic(club_id), club_id=club_id)


@transaction.atomic
def refresh_older_standings() -> None:
    """Request standings that an older version stored incompletely, newest events first. They lack details,
    scores in charts, or who still plays in a bracket. Safe to repeat."""
    bare = Q(counted={}) & ~Q(rows=[])
    without_scores = ~Q(charts=[]) & ~Q(drawn__contains='"score"')
    plays_on = Q(told__contains='"plays_on"') | ~Q(event__state=EventState.RUNNING)
    of_brackets = Q(told__contains='"bracket"') & ~plays_on
    texts = {"drawn": Cast("charts", TextField()), "told": Cast("rows", TextField())}
    older = Standings.objects.annotate(**texts).filter(bare | without_scores | of_brackets)
    for event in Event.objects.filter(pk__in=older.values("event")).order_by("-pk"):
        request_standings(event)


@transaction.atomic
def request_all_counts() -> None:
    """Request all standings, newest events first, and all seasons, ratings and records. After a database was
    restored, pending tasks may be lost. Safe to repeat."""
    for event in Event.objects.select_related("club").order_by("-pk"):
        request_standings(event)
    for club_id in Club.objects.order_by("pk").values_list("pk", flat=True):
        for kind in CLUB_COUNTS:
            request_of_club(kind, club_id)


def _before_silence(event: Event, known: EventSnapshot) -> SeenStandings | None:
    """Compute the standings that the public sees while the results of some rounds are hidden."""
    silent_from = event.visible.silent_from
    if silent_from is None:
        return None
    counted = standings_now(event, known, until=silent_from - 1)
    return {
        "rows": counted["rows"],
        "counted": counted["counted"],
        "charts": _draw_charts(event, known.until(silent_from - 1)),
    }


def _draw_charts(event: Event, known: EventSnapshot) -> list[PlainChart]:
    """Return charts of published rounds; empty if no stage has any."""
    if not has_charts(known.basis.plan):
        return []
    open_rounds = set(event.rounds.filter(state__in=OPEN).values_list("number", flat=True))
    scores = scores_of(known)
    return charts_to_json(
        scored_stage(chart, scores)
        for chart in charts_of(*seated_of(known), open_rounds=open_rounds)
        if chart.bracket or chart.tables
    )
