"""Who of the people of an event have a page that its own pages may lead to."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.visibility import Names
from tournaments.events.presenters.names import public_naming
from tournaments.models import Entry, Event
from tournaments.records.queries import people_with_a_page


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonLink:
    """Somebody with a page of their own, as everybody may call them."""

    name: str
    pk: int


def person_pages(event: Event, people: Iterable[int]) -> frozenset[int]:
    """Who of these people have a page that the event may lead to: where it names them as elsewhere. One
    query, or none."""
    if event.visible.names is not Names.AGREED:
        return frozenset()
    return people_with_a_page(event.club, people)


def people_with_pages(event: Event, entrants: Iterable[Entry], number: int) -> list[PersonLink]:
    """The players of the entry of that number who have such a page. One query, or none."""
    players = [person for entry in entrants if entry.number == number for person in entry.players]
    there, named = person_pages(event, [person.pk for person in players]), public_naming(event)
    return [PersonLink(name=named(person), pk=person.pk) for person in players if person.pk in there]
