"""People of a mirrored event: matched once, as in an import, and kept from then on."""

from collections.abc import Mapping, Sequence
from typing import Any

from clubs.models import Club, Person
from tournaments.imports.queries.events import get_matched_ids, match_people
from tournaments.models import Mirror
from web.names import fold_name


def match_snapshot_people(mirror: Mirror, club: Club, names: Sequence[str], records: Sequence[Any]) -> list[int]:
    """Return the keys of the people here, in the order of the file. A person new to the mirror is the one
    that this installation told the other of, or the club's person of that name if there is no doubt, or else
    somebody new. ``mirror.people`` records the matches.

    People who came with the mirror take over the name and the privacy choices from the leader. A person
    hidden or erased by this club stays so.
    """
    known_people = _get_people_by_remote_id(club, mirror.people)
    returned = {
        str(record["id"]): {"person": record["yours"], "came": False}
        for record in records
        if record["yours"] is not None and str(record["id"]) not in known_people
    }
    mirror.people |= returned
    known_people |= _get_people_by_remote_id(club, returned)
    new = [place for place, record in enumerate(records) if str(record["id"]) not in known_people]
    taken_ids = {person.pk for person in known_people.values()}
    matches = get_matched_ids(match_people(club, [names[place] for place in new]))
    candidates = club.people.exclude(pk__in=taken_ids).in_bulk(matches.values())
    for number, place in enumerate(new, start=1):
        name, person = str(records[place]["id"]), candidates.pop(matches.get(number, 0), None)
        mirror.people[name] = {"came": person is None}
        known_people[name] = person or Person(club=club, is_guest=records[place]["is_guest"])
    keys: list[int] = []
    for place, record in enumerate(records):
        name = str(record["id"])
        if mirror.people[name]["came"]:
            _update_person(known_people[name], names[place], record)
        mirror.people[name]["person"] = known_people[name].pk
        keys.append(known_people[name].pk)
    return keys


def _get_people_by_remote_id(club: Club, records: Mapping[str, Any]) -> dict[str, Person]:
    """Return the people by these ids, following merges since."""
    people = club.people.in_bulk([record["person"] for record in records.values()])
    if len(people) < len(records):
        merged = club.people.exclude(merged_ids=[])
        people |= {pk: person for person in merged for pk in person.merged_ids if pk not in people}
    return {name: people[record["person"]] for name, record in records.items() if record["person"] in people}


def _update_person(person: Person, name: str, record: Any) -> None:
    if person.anonymized_at is not None:
        return
    values = {
        "name": name,
        "folded_name": fold_name(name),
        "shows_full_name": record["shows_full_name"],
        "is_hidden": person.is_hidden or record["is_hidden"],
    }
    if person.pk is None or any(getattr(person, field) != value for field, value in values.items()):
        for field, value in values.items():
            setattr(person, field, value)
        person.save()
