"""Signal receivers that react when an event or one of its matches changes."""

from collections.abc import Mapping
from typing import Any

from django.dispatch import receiver

from live.news import public_change
from scoring.models import Match
from scoring.signals import match_changed
from tournaments.lifecycle import EventState, RoundState
from tournaments.models import NO_RESULT, Action, Event, Table
from tournaments.rounds.queries.rounds import list_side_numbers
from tournaments.signals import EventDifference, ended_event_corrected, event_changed

from .services import enqueue_standings


@receiver(event_changed)
def request_event_standings(*, difference: EventDifference, **_: Any) -> None:
    """Request new standings and tell other systems, unless only drafts changed."""
    if difference.needs_notification:
        _notify_change(difference.event)


@receiver(match_changed)
def request_match_standings(*, match: Match, result_changed: bool, before: Mapping[str, Any] | None, **_: Any) -> None:
    """Request new standings when a result changes: one task for several changes close together. A change
    after the round was closed is recorded as a correction in the event's history. Changes after
    the event has ended are passed on, even if only hands changed."""
    is_over = match.closed_at is not None and match.card.closed_at is not None  # both the round and the event
    if not result_changed and not is_over:
        return
    table = Table.objects.select_related("round__event").filter(match=match).first()
    if table is None or table.round.event.is_arriving:
        return
    if result_changed:
        _notify_change(table.round.event)
    if table.round.event.state == EventState.ENDED:
        ended_event_corrected.send(Event, event=table.round.event)
    if result_changed and table.round.state == RoundState.CLOSED:
        _record_correction(match, table, before)


def _notify_change(event: Event) -> None:
    enqueue_standings(event)
    public_change.send(Event, topic=event.topic, club_id=event.club_id)


def _record_correction(match: Match, table: Table, previous_summary: Mapping[str, Any] | None) -> None:
    """Record a correction in the history. The hands have their own undo, in the log of the match."""
    mark = match.marks.select_related("account").order_by("-pk").first()
    current_summary = match.summary if match.is_over else None
    Action.objects.create(
        event_id=table.round.event_id,
        kind="correct_result",
        details={
            "round": table.round.number,
            "table": table.number,
            "sides": list_side_numbers(table),
            "before": _format_score(previous_summary),
            "after": _format_score(current_summary),
        },
        changes={},
        reason=mark.reason if mark is not None else "",
        account=mark.account if mark is not None else None,
    )


def _format_score(summary: Mapping[str, Any] | None) -> str:
    """Return the score, ``32–12``; a dash without a result."""
    return NO_RESULT if summary is None else "–".join(str(points) for points in summary["points"])
