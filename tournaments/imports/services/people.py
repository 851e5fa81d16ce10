"""People of an import: those whom the club knows, and new ones."""

from collections.abc import Mapping, Sequence
from copy import copy

from clubs.models import Club, Person
from clubs.services.validators import checked_full_name
from errors import Refusal
from jobs.models import Course
from web import names

Known = Mapping[int, int]
"""People whom the club knows already: the place in a list, from 1, and the key."""


def people_of_list(club: Club, listed: Sequence[str], known: Known, *, are_guests: bool) -> list[Person]:
    """Return the people of these names, in order; new ones have no key yet.

    Refuses: no_such_person, same_person_twice, name_required, name_too_long, strange_character.
    """
    found = club.people.filter(anonymized_at=None).in_bulk(set(known.values()))
    for number, pk in known.items():
        if pk not in found or not 1 <= number <= len(listed):
            raise Refusal("no_such_person", field=f"person.{number}")
    if len(found) < len(known):
        pks = list(known.values())
        twice = next(pk for pk in pks if pks.count(pk) > 1)
        number = max(number for number, pk in known.items() if pk == twice)
        raise Refusal("same_person_twice", field=f"person.{number}", name=found[twice].name)
    return [
        found[known[number]] if number in known else _new_person(club, name, is_guest=are_guests)
        for number, name in enumerate(listed, start=1)
    ]


def add_people(people: Sequence[Person], course: Course) -> None:
    """Add the new people, as a piece. ``listed`` keeps the keys of all, in order, ``people`` those of the new
    ones."""
    added = Person.objects.bulk_create([copy(person) for person in people if person.pk is None])
    new = iter(added)
    listed = [person.pk or next(new).pk for person in people]
    course.kept["listed"] = [*course.kept.get("listed", ()), *listed]
    course.kept["people"] = [*course.kept.get("people", ()), *(person.pk for person in added)]


def _new_person(club: Club, name: str, *, is_guest: bool) -> Person:
    name = checked_full_name(name, field="file")
    return Person(club=club, name=name, folded_name=names.fold_name(name), is_guest=is_guest)
