"""Nights that a person has played with the club, as everybody may see them."""

from dataclasses import dataclass

from clubs.models import Person
from tournaments.entries.queries.entries import entries_of_person
from tournaments.models import Event
from tournaments.public.queries.own_page import nights_of_person
from tournaments.standings.presenters import public_snapshot

MOST_NIGHTS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnNight:
    """A night, and the person's ``rank`` among ``total``; None for a person in no entry, such as a
    substitute."""

    event: Event
    rank: int | None
    total: int


def own_nights(event: Event, person: Person) -> list[OwnNight]:
    """List the person's last nights with the club, newest first, this event among them; of each only what is
    released. Two queries, and one for each night."""
    nights = nights_of_person(event, person)[:MOST_NIGHTS]
    entries = entries_of_person(person.pk, [night.pk for night in nights])
    return [_night(night, entries.get(night.pk)) for night in nights]


def _night(night: Event, entry: int | None) -> OwnNight:
    rows = public_snapshot(night).rows if entry is not None else ()
    rank = next((row["rank"] for row in rows if row["entry"] == entry), None)
    return OwnNight(event=night, rank=rank, total=len(rows))
