"""Computation and storage of standings, from the results that count."""

from datetime import datetime
from typing import NotRequired, TypedDict

from django.db import transaction
from django.db.models import Q, TextField, prefetch_related_objects
from django.db.models.functions import Cast
from django.utils import timezone

from clubs.models import Club, get_club_topic
from engine.charts import add_ranks, add_scores, build_charts
from engine.charts.serialization import ChartJson, charts_to_json
from engine.results import EventSnapshot, collect_scores, rank_pools
from engine.standings import CountJson, StandingsJson, StandingsRowJson, get_chart_input, has_charts
from engine.visibility import Ranks
from jobs.services import enqueue
from live.conditional_pages import read_snapshot
from live.revisions import Reach, raise_revision
from tournaments.history.services.locking import get_event, lock_event
from tournaments.lifecycle import OPEN_STATES, EventState, RoundState
from tournaments.models import Event, Standings, get_records_topic
from tournaments.rounds.queries.event_snapshot import read_event_snapshot
from tournaments.signals import standings_changed
from tournaments.standings.queries.delays import CLUB_TASK_KINDS, STANDINGS_KIND
from tournaments.standings.queries.standings import compute_event_standings, get_computed_at


def refresh_standings(*, event_id: int) -> Standings:
    """Recompute an event's standings from its matches, with their reasons and charts. Safe to repeat.

    They are computed from a snapshot, outside the transaction that stores them. If another process stored
    some meanwhile, they are computed again. Refuses: no_such_event.
    """
    while True:
        started_at = timezone.now()  # rounds closed from now on may be missing
        with read_snapshot():
            event = get_event(event_id)
            computed_at = get_computed_at(event)
            values = compute_standings_values(event)
        stored = _store_standings(event_id, values, computed_at=started_at, replaced_computed_at=computed_at)
        if stored is not None:
            return stored


class VisibleStandings(TypedDict):
    """Public standings while the results of some rounds are hidden, and the time since when they are the
    same."""

    rows: list[StandingsRowJson]
    counted: dict[str, CountJson]
    charts: list[ChartJson]
    computed_at: NotRequired[str | None]


class StandingsValues(StandingsJson):
    """Values of a standings row, by the names of its columns."""

    charts: list[ChartJson]
    before_silence: VisibleStandings | None
    rounds: int


def compute_standings_values(event: Event) -> StandingsValues:
    """Compute the values of the standings row as of now."""
    prefetch_related_objects([event], "adjustments")
    inputs = read_event_snapshot(event)
    return {
        **compute_event_standings(event, inputs),
        "charts": _draw_charts(event, inputs),
        "before_silence": _compute_visible_standings(event, inputs),
        "rounds": event.rounds.filter(state=RoundState.CLOSED).count(),
    }


@transaction.atomic
def _store_standings(
    event_id: int, values: StandingsValues, *, computed_at: datetime, replaced_computed_at: datetime | None
) -> Standings | None:
    """Store the values; return None if others were stored since ``replaced_computed_at``."""
    event = lock_event(event_id)
    if get_computed_at(event) != replaced_computed_at:
        return None
    is_visible = _stamp_visible_change(event, values, computed_at)
    columns = {**values, "computed_at": computed_at}
    (standings,) = Standings.objects.bulk_create(  # without reading what it replaces
        [Standings(event=event, **columns)],
        update_conflicts=True,
        unique_fields=["event"],
        update_fields=list(columns),
    )
    if is_visible:  # hidden results count in no season
        standings_changed.send(Event, event=event)
    raise_revision(event.topic, Reach.EVERYBODY if is_visible else Reach.STAFF)
    if event.state == EventState.ENDED:
        raise_revision(get_records_topic(event.club))  # people's pages link to the reasons
    return standings


def _stamp_visible_change(event: Event, values: StandingsValues, now: datetime) -> bool:
    """Check whether the public may notice the new computation. While rounds are hidden, the public time is
    that of the last public change."""
    ranks, visible_standings = event.visible.standings, values["before_silence"]
    if not event.public_page or ranks is Ranks.NOTHING:
        return False
    if ranks is not Ranks.BEFORE_SILENCE or visible_standings is None:
        return True
    stored = Standings.objects.filter(event=event).values_list("before_silence", flat=True).first() or {}
    last_change = stored.get("computed_at")
    has_changed = last_change is None or stored != {**visible_standings, "computed_at": last_change}
    visible_standings["computed_at"] = now.isoformat() if has_changed else last_change
    return has_changed


def enqueue_standings(event: Event) -> None:
    """Enqueue the task that recomputes the standings. The event's pages say so if it takes long. Safe to
    repeat."""
    enqueue(kind=STANDINGS_KIND, key=str(event.pk), topic=event.topic, club_id=event.club_id)


def enqueue_club_task(kind: str, club_id: int) -> None:
    """Enqueue the task that adds up seasons, or ratings and records. The club's pages say so if it takes
    long. Safe to repeat."""
    enqueue(kind=kind, key=str(club_id), topic=get_club_topic(club_id), club_id=club_id)


@transaction.atomic
def refresh_older_standings() -> None:
    """Request standings that an older version stored incompletely, newest events first. They lack details,
    scores in charts, who still plays in a bracket, or for seasons the rounds that a later stage leaves out. Safe to
    repeat."""
    without_counts = Q(counted={}) & ~Q(rows=[])
    without_scores = ~Q(charts=[]) & ~Q(drawn__contains='"score"')
    has_bracket_state = Q(told__contains='"plays_on"') | ~Q(event__state=EventState.RUNNING)
    incomplete_brackets = Q(told__contains='"bracket"') & ~has_bracket_state
    leaves_rounds_out = Q(planned__contains='"among"') | Q(planned__contains='"none"')
    without_left_out = leaves_rounds_out & ~Q(explained__contains='"left_out"')
    columns = {"drawn": "charts", "told": "rows", "explained": "counted", "planned": "event__stages"}
    texts = {name: Cast(column, TextField()) for name, column in columns.items()}
    incomplete = without_counts | without_scores | incomplete_brackets | without_left_out
    older = Standings.objects.annotate(**texts).filter(incomplete)
    for event in Event.objects.filter(pk__in=older.values("event")).order_by("-pk"):
        enqueue_standings(event)


@transaction.atomic
def request_all_counts(club: Club | None = None) -> None:
    """Request all standings of one club or of all, newest events first, and all seasons, ratings and records.
    After a database was restored, pending tasks may be lost. Safe to repeat."""
    clubs = Club.objects.all() if club is None else Club.objects.filter(pk=club.pk)
    for event in Event.objects.filter(club__in=clubs).select_related("club").order_by("-pk"):
        enqueue_standings(event)
    for club_id in clubs.order_by("pk").values_list("pk", flat=True):
        for kind in CLUB_TASK_KINDS:
            enqueue_club_task(kind, club_id)


def _compute_visible_standings(event: Event, inputs: EventSnapshot) -> VisibleStandings | None:
    """Compute the standings that the public sees while the results of some rounds are hidden."""
    unranked_from = event.visible.unranked_from
    if unranked_from is None:
        return None
    visible_rows = compute_event_standings(event, inputs, last_round=unranked_from - 1)
    return {
        "rows": visible_rows["rows"],
        "counted": visible_rows["counted"],
        "charts": _draw_charts(event, inputs.truncate(unranked_from - 1)),
    }


def _draw_charts(event: Event, inputs: EventSnapshot) -> list[ChartJson]:
    """Return charts of published rounds; empty if no stage has any."""
    if not has_charts(inputs.basis.plan):
        return []
    open_rounds = set(event.rounds.filter(state__in=OPEN_STATES).values_list("number", flat=True))
    scores, ranks = collect_scores(inputs), rank_pools(inputs)
    return charts_to_json(
        add_ranks(add_scores(chart, scores), ranks.get(chart.stage, {}))
        for chart in build_charts(*get_chart_input(inputs), open_rounds=open_rounds)
        if chart.bracket or chart.tables
    )
