"""Presenters of publication: what an organizer sees before publishing."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.results import slots_ahead
from tournaments.entries.queries.entries import entries_of
from tournaments.events.presenters.names import entries_named_in_full
from tournaments.lifecycle import OPEN, EventState
from tournaments.models import Entry, Event, Round
from tournaments.rounds.presenters.rounds import planned_rounds
from tournaments.rounds.queries.event_snapshot import event_snapshot
from tournaments.rounds.queries.rounds import rounds_of
from tournaments.standings.presenters import final_snapshot
from tournaments.standings.presenters.publication import (
    Publication,
    RankCorrection,
    named_moves,
    publication_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishingView:
    """Facts that an organizer sees before publishing.

    ``open_round`` is not closed yet; ``next_round`` is still to be played by the event's plan.
    ``has_results`` if there is anything to publish; ``moved`` are ranks that differ from the published ones.
    """

    publication: Publication | None
    open_round: int | None
    next_round: int | None
    has_results: bool
    moved: tuple[RankCorrection, ...]


def publishing_view(event: Event) -> PublishingView:
    """Present the page. Five queries; two more once final standings are published. Six more while rounds of
    the plan are left."""
    rounds = list(rounds_of(event))
    entries = entries_of(event)
    final = final_snapshot(event)
    publication = publication_of(event, final, entries)
    changes = None if publication is None else publication.changes
    named = entries_named_in_full(entries)
    names = {one.number: named(one) for one in entries}
    return PublishingView(
        publication=publication,
        open_round=next((one.number for one in rounds if one.state in OPEN), None),
        next_round=_round_ahead(event, rounds, entries),
        has_results=bool(rounds),
        moved=named_moves(() if changes is None else changes.ranks, names),
    )


def _round_ahead(event: Event, rounds: Sequence[Round], entries: Sequence[Entry]) -> int | None:
    """Return the next planned round. None if the event is over, nothing is left to draw, or rounds have no
    limit."""
    planned = planned_rounds(event, entries)
    last = rounds[-1].number if rounds else 0
    if event.state != EventState.RUNNING or planned is None or not 0 < last < planned:
        return None
    return last + 1 if slots_ahead(event_snapshot(event)) else None
