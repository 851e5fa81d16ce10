"""Whom a club knows."""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import islice

from django.db.models import Q, QuerySet

from clubs.models import Club, Person
from clubs.people import people_named
from tournaments.interclub.queries import at_home_in
from tournaments.models import Entry, Event

from .entries import entries_of

MOST_OFFERED = 60
"""As many people, or pairs, as a page offers; a search finds the others."""

MOST_RECENT = 1_000
"""As many entries of the last events are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPeople:
    """Those who do not take part yet, who came to the last events first; ``pairs`` were an entry together.

    ``are_more``: a search would find others.
    """

    people: tuple[Person, ...]
    pairs: tuple[tuple[Person, Person], ...]
    are_more: bool


VISITORS = Q(is_guest=True, at_home__isnull=False)
"""Who came with another club: offered only to whoever looks for them by name."""


def known_people(event: Event, search: str = "") -> KnownPeople:
    """Those who still come, and whose names are searched for. At most four queries."""
    here = {person.pk for entry in entries_of(event) for person in entry.players}
    people = Person.objects.filter(club=event.club_id, is_active=True)
    people = people if search else people.exclude(VISITORS)
    return _offered(event, event.club_id, people, here, search)


def known_people_of_guest(event: Event, club: Club, search: str = "") -> KnownPeople:
    """The same for a club that is invited, of its own people. At most four queries."""
    people = Person.objects.filter(club=club, is_active=True).exclude(VISITORS)
    return _offered(event, club.pk, people, set(at_home_in(event, club).values()), search)


def _offered(
    event: Event, club_id: int, people: QuerySet[Person], here: Collection[int], search: str
) -> KnownPeople:
    entries = Entry.objects.filter(event__club=club_id).exclude(event=event)
    recent = entries.order_by("-event__held_on", "-event_id", "number").values_list("player_1", "player_2")
    together = list(dict.fromkeys(recent[:MOST_RECENT]))
    came = list(dict.fromkeys(pk for pair in together for pk in pair if pk is not None))
    found = people_named(people, search).exclude(pk__in=here)
    by_id = {person.pk: person for person in found.filter(pk__in=came)}
    offered = [by_id[pk] for pk in came if pk in by_id]
    if len(offered) <= MOST_OFFERED:
        offered += found.exclude(pk__in=came).order_by("folded_name", "pk")[: MOST_OFFERED + 1]
    pairs = (
        (by_id[one], by_id[other])
        for one, other in together
        if event.entry_size == 2 and one in by_id and other in by_id
    )
    return KnownPeople(
        people=tuple(offered[:MOST_OFFERED]),
        pairs=tuple(islice(pairs, MOST_OFFERED)),
        are_more=len(offered) > MOST_OFFERED,
    )
