"""Identification of the players named in entries: people of the club, or somebody new."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from clubs.models import Person
from clubs.services import find_people
from errors import Refusal
from tournaments.entries.entry_import import ListedEntry, is_of_others
from tournaments.entries.queries.entries import people_taking_part
from tournaments.models import Event

Identities = Mapping[str, int | None]
"""The person meant by each folded name: the id of a person of the club, or None for somebody new. A name that
is absent means the person whom the club knows by it."""

AS_KNOWN: Identities = MappingProxyType({})


def people_of(
    event: Event, listed: Mapping[int, ListedEntry], *, are_guests: bool, identities: Identities
) -> dict[int, list[Person]]:
    """Return the people of each entry, new ones not saved. Players of another club's team are guests."""
    people: dict[int, list[Person]] = {}
    for of_others in (False, True):
        alike = {
            number: entry
            for number, entry in listed.items()
            if is_of_others(entry.team, event.club.name) is of_others
        }
        found = iter(
            find_people(
                club=event.club,
                full_names=[name for entry in alike.values() for name in entry.players],
                are_guests=are_guests or of_others,
                identities=identities,
            )
        )
        people |= {number: [next(found) for _ in entry.players] for number, entry in alike.items()}
    return people


def check_apart(event: Event, people: Sequence[Person], *, field: str) -> None:
    """Check that no person is entered twice, under whatever names. Refuses: entered_twice."""
    here = people_taking_part(event)
    for place, person in enumerate(people):
        if person.pk in here or person in people[:place]:
            raise Refusal("entered_twice", field=field, name=person.name, line=None, first=0)
