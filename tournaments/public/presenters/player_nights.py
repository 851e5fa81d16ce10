"""Nights that a person has played with the club, as everybody may see them."""

from dataclasses import dataclass

from clubs.models import Person
from tournaments.entries.queries.entries import map_entry_numbers
from tournaments.models import Event
from tournaments.public.queries.player_page import select_player_nights
from tournaments.standings.presenters import get_public_snapshot

MAX_NIGHTS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerNight:
    """A night, and the person's ``rank`` among ``total``; None for a person in no entry, such as a
    substitute."""

    event: Event
    rank: int | None
    total: int


def list_player_nights(event: Event, person: Person) -> list[PlayerNight]:
    """List the person's last nights with the club, newest first, this event among them; of each only what is
    released. Two queries, and one for each night."""
    nights = select_player_nights(event, person)[:MAX_NIGHTS]
    entries = map_entry_numbers(person.pk, [night.pk for night in nights])
    return [_build_night(night, entries.get(night.pk)) for night in nights]


def _build_night(night: Event, entry: int | None) -> PlayerNight:
    rows = get_public_snapshot(night).rows if entry is not None else ()
    rank = next((row["rank"] for row in rows if row["entry"] == entry), None)
    return PlayerNight(event=night, rank=rank, total=len(rows))
