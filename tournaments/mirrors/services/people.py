"""People of a mirrored event: matched once, as in an import, and kept from then on."""

from collections.abc import Mapping, Sequence
from typing import Any

from clubs.models import Club, Person
from tournaments.imports.queries.events import people_in_file, those_there
from tournaments.models import Mirror
from web.names import fold_name


def people_of_snapshot(mirror: Mirror, club: Club, names: Sequence[str], told: Sequence[Any]) -> list[int]:
    """Return the keys of the people here, in the order of the file. A person new to the mirror is the one
    that this installation told the other of, or the club's person of that name if there is no doubt, or else
    somebody new. ``mirror.people`` records the matches.

    People who came with the mirror take over the name and the privacy choices from the leader. A person
    hidden or erased by this club stays so.
    """
    known = _people_by_id(club, mirror.people)
    back = {
        str(each["id"]): {"person": each["yours"], "came": False}
        for each in told
        if each["yours"] is not None and str(each["id"]) not in known
    }
    mirror.people |= back
    known |= _people_by_id(club, back)
    new = [place for place, each in enumerate(told) if str(each["id"]) not in known]
    taken = {person.pk for person in known.values()}
    found = those_there(people_in_file(club, [names[place] for place in new]))
    there = club.people.exclude(pk__in=taken).in_bulk(found.values())
    for number, place in enumerate(new, start=1):
        name, person = str(told[place]["id"]), there.pop(found.get(number, 0), None)
        mirror.people[name] = {"came": person is None}
        known[name] = person or Person(club=club, is_guest=told[place]["is_guest"])
    keys: list[int] = []
    for place, each in enumerate(told):
        name = str(each["id"])
        if mirror.people[name]["came"]:
            _follow(known[name], names[place], each)
        mirror.people[name]["person"] = known[name].pk
        keys.append(known[name].pk)
    return keys


def _people_by_id(club: Club, kept: Mapping[str, Any]) -> dict[str, Person]:
    """Return the people by these ids, following merges since."""
    people = club.people.in_bulk([each["person"] for each in kept.values()])
    if len(people) < len(kept):
        merged = club.people.exclude(merged_ids=[])
        people |= {pk: person for person in merged for pk in person.merged_ids if pk not in people}
    return {name: people[each["person"]] for name, each in kept.items() if each["person"] in people}


def _follow(person: Person, name: str, told: Any) -> None:
    if person.anonymized_at is not None:
        return
    now = {
        "name": name,
        "folded_name": fold_name(name),
        "shows_full_name": told["shows_full_name"],
        "is_hidden": person.is_hidden or told["is_hidden"],
    }
    if person.pk is None or any(getattr(person, field) != value for field, value in now.items()):
        for field, value in now.items():
            setattr(person, field, value)
        person.save()
