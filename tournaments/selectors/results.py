"""Counted results, and the standings as last computed."""

from datetime import datetime
from typing import Any

from tournaments.counting import counted_field
from tournaments.models import Event, Standings
from tournaments.ranking import Row, rank_field

from .played import known_of


def standings_of(event: Event) -> list[dict[str, Any]]:
    """The rows as last computed, best first; empty before the first result. One query."""
    return Standings.objects.filter(event=event).values_list("rows", flat=True).first() or []


def standings_computed_at(event: Event) -> datetime | None:
    """When the standings were last computed. One query."""
    return Standings.objects.filter(event=event).values_list("computed_at", flat=True).first()


def contradictions_of(event: Event) -> list[dict[str, Any]]:
    """Where the bracket seats somebody whom the results do not bring there, as last found. One query."""
    found = Standings.objects.filter(event=event).values_list("contradictions", flat=True).first()
    return found or []


def ranked(event: Event) -> tuple[Row, ...]:
    """The entries by the rules of the event, best first, as of now. Three queries; four with stages."""
    return rank_field(counted_field(known_of(event)))
