"""Identification of the players named in entries: people of the club, or somebody new."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from clubs.models import Person
from clubs.services.people import find_people
from errors import Refusal
from tournaments.entries.entry_import.values import ListedEntry, is_guest_team
from tournaments.entries.queries.entries import people_taking_part
from tournaments.models import Event

Identities = Mapping[str, int | None]
"""The person meant by each folded name: the id of a person of the club, or None for somebody new. A name that
is absent means the person whom the club knows by it."""

NO_IDENTITIES: Identities = MappingProxyType({})


def identify_people(
    event: Event, entries_by_number: Mapping[int, ListedEntry], *, is_guest: bool, identities: Identities
) -> dict[int, list[Person]]:
    """Return the people of each entry, new ones not saved. Players of another club's team are guests."""
    people: dict[int, list[Person]] = {}
    for is_other_club in (False, True):
        matching_entries = {
            number: entry
            for number, entry in entries_by_number.items()
            if is_guest_team(entry.team, event.club.name) is is_other_club
        }
        found = iter(
            find_people(
                club=event.club,
                full_names=[name for entry in matching_entries.values() for name in entry.players],
                is_guest=is_guest or is_other_club,
                identities=identities,
            )
        )
        people |= {number: [next(found) for _ in entry.players] for number, entry in matching_entries.items()}
    return people


def check_not_entered_twice(event: Event, people: Sequence[Person], *, field: str) -> None:
    """Check that no person is entered twice, under whatever names. Refuses: entered_twice."""
    participant_ids = people_taking_part(event)
    for place, person in enumerate(people):
        if person.pk in participant_ids or person in people[:place]:
            raise Refusal("entered_twice", field=field, name=person.name, line=None, first=0)
