"""The standings, computed from the counted results and kept for whoever reads them."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from jobs.services import enqueue
from live.revisions import raise_revision
from tournaments import selectors
from tournaments.charts import Contradiction, charts_of, contradictions_of
from tournaments.charts.storing import plain_charts
from tournaments.counting import Known
from tournaments.lifecycle import OPEN
from tournaments.models import Event, Standings
from tournaments.standings import has_charts, seated_of

from .locking import locked_event


@transaction.atomic
def refresh_standings(*, event_id: int) -> Standings:
    """Recomputes an event's standings from its matches, with their reasons and charts. Safe to repeat."""
    event = locked_event(event_id)
    known = selectors.known_of(event)
    standings, _ = Standings.objects.update_or_create(
        event=event,
        defaults={
            **selectors.standings_now(event, known),
            "charts": _drawn(event, known),
            "computed_at": timezone.now(),
        },
    )
    if selectors.is_in_a_season(event):
        enqueue(kind="refresh_seasons", key=str(event.club_id))
    raise_revision(event.topic)
    return standings


def _drawn(event: Event, known: Known) -> list[dict[str, Any]]:
    """Charts of what was published; none where no stage has any."""
    if not has_charts(known.basis.plan):
        return []
    open_rounds = set(event.rounds.filter(state__in=OPEN).values_list("number", flat=True))
    return plain_charts(
        chart
        for chart in charts_of(*seated_of(known), open_rounds=open_rounds)
        if chart.bracket or chart.tables
    )


def contradictions_now(event: Event) -> tuple[Contradiction, ...]:
    """Where the published brackets seat somebody whom the results, as of now, do not bring there."""
    if not event.has_bracket:
        return ()
    return contradictions_of(
        *seated_of(selectors.known_of(event)), by_hand=selectors.slots_set_by_hand(event)
    )
