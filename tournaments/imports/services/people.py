"""People of an import: those whom the club knows, and new ones."""

from collections.abc import Mapping, Sequence
from copy import copy

from clubs.models import Club, Person
from clubs.services.changes import validate_full_name
from errors import Refusal
from jobs.models import LongWrite
from web import names

MatchedIds = Mapping[int, int]
"""People whom the club knows already: the place in a list, from 1, and the key."""


def build_people(club: Club, names_listed: Sequence[str], matched_ids: MatchedIds, *, are_guests: bool) -> list[Person]:
    """Return the people of these names, in order; new ones have no key yet.

    Refuses: no_such_person, same_person_twice, name_required, name_too_long, strange_character.
    """
    people_by_id = club.people.filter(anonymized_at=None).in_bulk(set(matched_ids.values()))
    for number, pk in matched_ids.items():
        if pk not in people_by_id or not 1 <= number <= len(names_listed):
            raise Refusal("no_such_person", field=f"person.{number}")
    if len(people_by_id) < len(matched_ids):
        pks = list(matched_ids.values())
        repeated_id = next(pk for pk in pks if pks.count(pk) > 1)
        number = max(number for number, pk in matched_ids.items() if pk == repeated_id)
        raise Refusal("same_person_twice", field=f"person.{number}", name=people_by_id[repeated_id].name)
    return [
        people_by_id[matched_ids[number]] if number in matched_ids else _build_person(club, name, is_guest=are_guests)
        for number, name in enumerate(names_listed, start=1)
    ]


def add_people(people: Sequence[Person], long_write: LongWrite) -> None:
    """Add the new people, as a piece. The long write stores the keys of all people, in order, as ``listed``, and those
    of the new ones as ``people``."""
    new_people = Person.objects.bulk_create([copy(person) for person in people if person.pk is None])
    new = iter(new_people)
    person_ids = [person.pk or next(new).pk for person in people]
    long_write.state["listed"] = [*long_write.state.get("listed", ()), *person_ids]
    long_write.state["people"] = [*long_write.state.get("people", ()), *(person.pk for person in new_people)]


def _build_person(club: Club, name: str, *, is_guest: bool) -> Person:
    name = validate_full_name(name, field="file")
    return Person(club=club, name=name, folded_name=names.fold_name(name), is_guest=is_guest)
