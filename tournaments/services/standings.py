"""The standings, computed from the counted results and kept for whoever reads them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from jobs.services import enqueue
from live.revisions import raise_revision
from tournaments import selectors
from tournaments.charts import Contradiction, charts_of, contradictions_of
from tournaments.charts.cross_tables import TABLES
from tournaments.charts.shapes import BRACKETS
from tournaments.charts.storing import plain_charts
from tournaments.counting import Known, counted_field, draw_input_of, stage_standings
from tournaments.draws import Entrant, EntryId, Played, ReasonCode
from tournaments.draws.stages import StagePlan
from tournaments.lifecycle import OPEN
from tournaments.models import Event, Standings, Table
from tournaments.ranking import Field, rank_field
from tournaments.standings import PlainCount, key_of, plain_contradiction, plain_count, plain_row

from .locking import locked_event

Seated = tuple[StagePlan, Sequence[Entrant], Sequence[Played], list[list[EntryId]]]

BY_HAND = frozenset({ReasonCode.LOCKED.value, ReasonCode.BY_HAND.value})
"""Where the director has seated others than the bracket would: that contradicts nothing."""


@transaction.atomic
def refresh_standings(*, event_id: int) -> Standings:
    """Recomputes an event's standings from its matches, with their reasons and charts. Safe to repeat."""
    event = locked_event(event_id)
    known = selectors.known_of(event)
    field, numbers = counted_field(known), known.numbers
    standings, _ = Standings.objects.update_or_create(
        event=event,
        defaults={
            "rows": [plain_row(row, numbers) for row in rank_field(field)],
            "counted": _counted(event, field, numbers),
            **_drawn(event, known),
            "computed_at": timezone.now(),
        },
    )
    if selectors.is_in_a_season(event):
        enqueue(kind="refresh_seasons", key=str(event.club_id))
    raise_revision(event.topic)
    return standings


def _counted(event: Event, field: Field, numbers: Mapping[EntryId, int]) -> dict[str, PlainCount]:
    """What each row is made of, with what the director adjusted and why."""
    adjusted: dict[EntryId, list[dict[str, Any]]] = defaultdict(list)
    for given in event.adjustments.all():
        told = {name: getattr(given, name) for name in ("metric", "amount", "round", "reason")}
        adjusted[EntryId(given.entry_id)].append(told)
    return {
        key_of(number): plain_count(field, entry, numbers)
        | ({"adjusted": adjusted[entry]} if entry in adjusted else {})
        for entry, number in numbers.items()
    }


def _drawn(event: Event, known: Known) -> dict[str, Any]:
    """Charts of what was published, and where it contradicts them; none where no stage has any."""
    if (BRACKETS.keys() | TABLES.keys()).isdisjoint(stage.format for stage in event.plan):
        return {"charts": [], "contradictions": []}
    seated = _seated(known)
    open_rounds = set(event.rounds.filter(state__in=OPEN).values_list("number", flat=True))
    found = contradictions_of(*seated, by_hand=_by_hand(event))
    return {
        "charts": plain_charts(
            chart for chart in charts_of(*seated, open_rounds=open_rounds) if chart.bracket or chart.tables
        ),
        "contradictions": [plain_contradiction(each, known.numbers) for each in found],
    }


def contradictions_now(event: Event) -> tuple[Contradiction, ...]:
    """Where the published brackets seat somebody whom the results, as of now, do not bring there."""
    if not event.has_bracket:
        return ()
    return contradictions_of(*_seated(selectors.known_of(event)), by_hand=_by_hand(event))


def _seated(known: Known) -> Seated:
    """The plan, who takes part, what was published, and for each stage its order when it ended."""
    plan, draw = known.basis.plan, draw_input_of(known, seed=0)
    return plan, draw.entrants, draw.history, stage_standings(plan, draw, known.orders)


def _by_hand(event: Event) -> set[str]:
    """The slots of the tables that the director set."""
    tables = Table.objects.filter(round__event=event).exclude(slot="").values_list("slot", "reasons")
    return {slot for slot, reasons in tables if BY_HAND & {reason["code"] for reason in reasons}}
