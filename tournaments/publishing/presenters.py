"""Presenters of publication: what an organizer sees before publishing."""

from collections.abc import Sequence
from typing import Any

from engine.results import list_upcoming_slots
from tournaments.entries.queries.entries import get_entries
from tournaments.events.presenters.names import build_full_entry_formatter
from tournaments.lifecycle import OPEN_STATES, EventState
from tournaments.models import Entry, Event, Round
from tournaments.rounds.presenters.rounds import count_planned_rounds
from tournaments.rounds.queries.event_snapshot import read_event_snapshot
from tournaments.rounds.queries.rounds import get_published_rounds
from tournaments.standings.presenters import get_final_snapshot
from tournaments.standings.presenters.publication import (
    build_publication,
    build_rank_corrections,
)


def build_publishing_view(event: Event) -> dict[str, Any]:
    """Present the page: the open round, the next one by the plan, whether there is anything to publish, and the ranks
    that differ from the published ones.

    Five queries; two more once final standings are published. Six more while rounds of the plan are left.
    """
    rounds = list(get_published_rounds(event))
    entries = get_entries(event)
    final = get_final_snapshot(event)
    publication = build_publication(event, final, entries)
    changes = None if publication is None else publication.changes
    format_entry = build_full_entry_formatter(entries)
    names = {row.number: format_entry(row) for row in entries}
    return {
        "publication": publication,
        "open_round": next((row.number for row in rounds if row.state in OPEN_STATES), None),
        "next_round": _find_next_round(event, rounds, entries),
        "has_results": bool(rounds),
        "rank_corrections": build_rank_corrections(() if changes is None else changes.ranks, names),
    }


def _find_next_round(event: Event, rounds: Sequence[Round], entries: Sequence[Entry]) -> int | None:
    """Return the next planned round. None if the event is over, nothing is left to draw, or rounds have no
    limit."""
    last_round = rounds[-1].number if rounds else 0
    if event.state != EventState.RUNNING or not last_round or count_planned_rounds(event, entries) is None:
        return None
    return last_round + 1 if list_upcoming_slots(read_event_snapshot(event)) else None
