"""People of an event whose personal page its pages may link to."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.visibility import Names
from tournaments.events.presenters.names import build_public_person_formatter
from tournaments.models import Entry, Event
from tournaments.records.queries import find_people_with_pages


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonLink:
    """A person with a page of their own, with their public name."""

    name: str
    pk: int


def filter_people_with_pages(event: Event, people: Iterable[int]) -> frozenset[int]:
    """Return which of these people have a page that the event may link to. Empty where the event does not use
    their usual public names. One query, or none."""
    if event.visible.names is not Names.AGREED:
        return frozenset()
    return find_people_with_pages(event.club, people)


def list_person_links(event: Event, entrants: Iterable[Entry], number: int) -> list[PersonLink]:
    """List the players of this entry who have such a page. One query, or none."""
    players = [person for entry in entrants if entry.number == number for person in entry.players]
    ids_with_page, format_person = (
        filter_people_with_pages(event, [person.pk for person in players]),
        build_public_person_formatter(event),
    )
    return [PersonLink(name=format_person(person), pk=person.pk) for person in players if person.pk in ids_with_page]
