"""Changes of the people in a club."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import Club, ClubAction, Family, Person
from clubs.name_matching import KnownNames, longest_word
from clubs.people_import import CONTACT_LENGTH, LABEL_LENGTH, MOST_LABELS, labels_in
from errors import Refusal
from web import names

from .changes import ClubChange
from .validators import checked_full_name, checked_name, row_or_refuse


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonDetails:
    """The details of a person. ``family`` is a family's name; an unknown name creates a family."""

    name: str
    contact: str = ""
    is_guest: bool = False
    is_active: bool = True
    shows_full_name: bool = False
    family: str = ""
    labels: tuple[str, ...] = ()
    is_rated: bool = True
    is_hidden: bool = False


@transaction.atomic
def add_person(
    *, club_id: int, details: PersonDetails, is_namesake: bool = False, by: Actor = NOBODY
) -> Person:
    """Add a person to a club. Set ``is_namesake`` if the club already has another person of this name. Safe
    to repeat with the same idempotency key.

    Refuses: name_known, and what ``_check_details`` refuses.
    """
    change = ClubChange(club_id, "add_person", by)
    if change.is_repeat:
        return _done_before(change)
    values = _check_details(details)
    if not is_namesake:
        _check_unknown(change.club, values["name"])
    person = Person(club=change.club, family=_family(change, details.family), **values)
    change.add(person)
    change.record(person=person.pk, name=person.name)
    return person


@transaction.atomic
def change_person(
    *, club_id: int, person_id: int, details: PersonDetails, is_namesake: bool = False, by: Actor = NOBODY
) -> Person:
    """Update a person's details. A family without members is deleted. Safe to repeat.

    Refuses: no_such_person, person_anonymized, name_known, and what ``_check_details`` refuses.
    """
    change = ClubChange(club_id, "change_person", by)
    if change.is_repeat:
        return _done_before(change)
    person = get_person(change.club, person_id)
    check_not_anonymized(person)
    values = _check_details(details)
    if not is_namesake and values["folded_name"] != person.folded_name:
        _check_unknown(change.club, values["name"], but=person.pk)
    left = person.family
    change.alter(person, family=_family(change, details.family), **values)
    if left is not None and not left.people.exists():
        change.remove(left)
    if change.rows:
        change.record(person=person.pk, name=person.name)
    return person


@transaction.atomic
def correct_name(*, club_id: int, person_id: int, name: str, by: Actor = NOBODY) -> Person:
    """Correct the spelling of a person's name, which their events show at once. Safe to repeat.

    Refuses: no_such_person, person_anonymized, name_known, name_required, name_too_long, strange_character.
    """
    change = ClubChange(club_id, "correct_name", by)
    if change.is_repeat:
        return _done_before(change)
    person = get_person(change.club, person_id)
    check_not_anonymized(person)
    before, after = person.name, checked_full_name(name, field="name")
    if names.fold_name(after) != person.folded_name:
        _check_unknown(change.club, after, but=person.pk)
    change.alter(person, name=after, folded_name=names.fold_name(after))
    if change.rows:
        change.record(person=person.pk, name=after, before=before)
    return person


@transaction.atomic
def find_or_add_people(
    *,
    club: Club,
    full_names: Iterable[str],
    are_guests: bool = False,
    identities: Mapping[str, int | None] = MappingProxyType({}),
) -> list[Person]:
    """Return one person per name, in order: known people by that name, or new ones, optionally guests.
    ``identities`` says for a folded name who is meant: a person's id, or None for a new person.

    A name that occurs twice in the list is two people. Refuses: name_required, name_too_long, no_such_person.
    """
    people = find_people(club=club, full_names=full_names, are_guests=are_guests, identities=identities)
    save_new_people(people)
    return people


def find_people(
    *,
    club: Club,
    full_names: Iterable[str],
    are_guests: bool = False,
    identities: Mapping[str, int | None] = MappingProxyType({}),
) -> list[Person]:
    """Return the people of ``find_or_add_people`` without saving new ones. Two queries. Refuses:
    name_required, name_too_long, no_such_person."""
    wanted = [checked_name(names.clean_name(name), field="name") for name in full_names]
    folded = [names.fold_name(name) for name in wanted]
    known: dict[str, list[Person]] = defaultdict(list)
    for person in club.people.filter(folded_name__in=set(folded), anonymized_at=None).order_by("-pk"):
        known[person.folded_name].append(person)
    known |= _people_meant(club, {name: identities[name] for name in set(folded) & identities.keys()})
    return [
        known[folded_name].pop()
        if known[folded_name]
        else Person(club=club, name=name, folded_name=folded_name, is_guest=are_guests)
        for name, folded_name in zip(wanted, folded, strict=True)
    ]


def save_found_people(
    *, club: Club, people: Sequence[Person], identities: Mapping[str, int | None] = MappingProxyType({})
) -> bool:
    """Save the new people of ``find_people``. Return False if the result would differ now, because people
    were added or removed. A name in ``identities`` stays new in any case. Three queries."""
    found = {person.pk for person in people if person.pk is not None}
    asked = {person.folded_name for person in people if person.pk is None} - identities.keys()
    still = club.people.filter(pk__in=found, anonymized_at=None).count()
    come = club.people.filter(folded_name__in=asked, anonymized_at=None).exclude(pk__in=found)
    if still < len(found) or come.exists():
        return False
    save_new_people(people)
    return True


def save_new_people(people: Iterable[Person]) -> None:
    """Save the people of ``find_people`` that are new."""
    Person.objects.bulk_create(person for person in people if person.pk is None)


def _people_meant(club: Club, identities: Mapping[str, int | None]) -> dict[str, list[Person]]:
    """Return the people whom ``identities`` means, by folded name. Refuses: no_such_person."""
    wanted = {pk for pk in identities.values() if pk is not None}
    people = club.people.filter(anonymized_at=None).in_bulk(wanted)
    if len(people) < len(wanted):
        raise Refusal("no_such_person")
    return {name: [] if pk is None else [people[pk]] for name, pk in identities.items()}


def get_person(club: Club, person_id: int) -> Person:
    """Return the person with this id. Refuses: no_such_person."""
    return row_or_refuse(club.people.select_related("family"), person_id, otherwise="no_such_person")


def check_not_anonymized(person: Person) -> None:
    """Check that the person was not erased. Refuses: person_anonymized."""
    if person.anonymized_at is not None:
        raise Refusal("person_anonymized", name=person.name)


def _check_details(details: PersonDetails) -> dict[str, Any]:
    """Return the values for the row, without the family.

    Refuses: name_required, name_too_long, strange_character, contact_too_long, label_too_long,
    too_many_labels.
    """
    name = checked_full_name(details.name, field="name")
    contact = names.clean_text(details.contact)
    if len(contact) > CONTACT_LENGTH:
        raise Refusal("contact_too_long", field="contact", most=CONTACT_LENGTH)
    return {
        "name": name,
        "folded_name": names.fold_name(name),
        "contact": contact,
        "is_guest": details.is_guest,
        "is_active": details.is_active,
        "shows_full_name": details.shows_full_name,
        "labels": checked_labels(details.labels),
        "is_rated": details.is_rated,
        "is_hidden": details.is_hidden,
    }


def checked_labels(labels: Iterable[str]) -> list[str]:
    """Return the labels without duplicates, in the spelling of the last one. Refuses: label_too_long,
    too_many_labels, strange_character."""
    cleaned = [names.checked_title(label, field="label") for each in labels for label in labels_in(each)]
    kept = names.one_spelling(reversed(cleaned))
    if any(len(label) > LABEL_LENGTH for label in kept.values()):
        raise Refusal("label_too_long", field="label", most=LABEL_LENGTH)
    if len(kept) > MOST_LABELS:
        raise Refusal("too_many_labels", field="label", most=MOST_LABELS)
    return sorted(kept.values(), key=names.fold_name)


def _family(change: ClubChange, name: str) -> Family | None:
    """Return the club's family of that name in any spelling, or add one; None without a name.

    Refuses: name_too_long.
    """
    if not names.clean_text(name):
        return None
    name = checked_name(name, field="family")
    for family in change.club.families.all():
        if names.group_key(family.name) == names.group_key(name):
            return family
    family = Family(club=change.club, name=name)
    change.add(family)
    return family


def _check_unknown(club: Club, name: str, *, but: int = 0) -> None:
    """Check that no other person has this name in any spelling.

    Refuses: name_known.
    """
    some = club.people.filter(folded_name__contains=longest_word(name)).exclude(pk=but)
    others = dict(some.order_by("pk").values_list("pk", "name"))
    alike = KnownNames(others.items()).spelled_like(name)
    if alike:
        raise Refusal("name_known", field="name", name=others[alike[0]], person=alike[0])


def _done_before(change: ClubChange) -> Person:
    """Return the person that the same form added or changed. Refuses: no_such_person, if that
    was undone since."""
    known = ClubAction.objects.get(key=change.by.key)
    return get_person(change.club, known.details.get("person", 0))
