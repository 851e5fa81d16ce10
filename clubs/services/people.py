"""Changes of the people in a club."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import Club, ClubAction, Family, Person
from clubs.name_matching import NameIndex, find_longest_word
from clubs.people_import import CONTACT_LENGTH, LABEL_LENGTH, MAX_LABELS, parse_labels
from errors import Refusal
from web import names

from .changes import ClubChange, get_row, validate_full_name, validate_name


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
def add_person(*, club_id: int, details: PersonDetails, is_namesake: bool = False, by: Actor = NOBODY) -> Person:
    """Add a person to a club. Set ``is_namesake`` if the club already has another person of this name. Safe
    to repeat with the same idempotency key.

    Refuses: name_known, and what ``_check_details`` refuses.
    """
    change = ClubChange(club_id, "add_person", by)
    if change.is_repeat:
        return _get_earlier_person(change)
    values = _check_details(details)
    if not is_namesake:
        _check_no_namesake(change.club, values["name"])
    person = Person(club=change.club, family=_get_or_add_family(change, details.family), **values)
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
        return _get_earlier_person(change)
    person = get_person(change.club, person_id)
    check_not_anonymized(person)
    values = _check_details(details)
    if not is_namesake and values["folded_name"] != person.folded_name:
        _check_no_namesake(change.club, values["name"], excluded_id=person.pk)
    old_family = person.family
    change.update(person, family=_get_or_add_family(change, details.family), **values)
    if old_family is not None and not old_family.people.exists():
        change.remove(old_family)
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
        return _get_earlier_person(change)
    person = get_person(change.club, person_id)
    check_not_anonymized(person)
    before, after = person.name, validate_full_name(name, field="name")
    if names.fold_name(after) != person.folded_name:
        _check_no_namesake(change.club, after, excluded_id=person.pk)
    change.update(person, name=after, folded_name=names.fold_name(after))
    if change.rows:
        change.record(person=person.pk, name=after, before=before)
    return person


@transaction.atomic
def find_or_add_people(
    *,
    club: Club,
    full_names: Iterable[str],
    is_guest: bool = False,
    identities: Mapping[str, int | None] = MappingProxyType({}),
) -> list[Person]:
    """Return one person per name, in order: known people by that name, or new ones, optionally guests.
    ``identities`` says for a folded name who is meant: a person's id, or None for a new person.

    A name that occurs twice in the list is two people. Refuses: name_required, name_too_long, no_such_person.
    """
    people = find_people(club=club, full_names=full_names, is_guest=is_guest, identities=identities)
    save_new_people(people)
    return people


def find_people(
    *,
    club: Club,
    full_names: Iterable[str],
    is_guest: bool = False,
    identities: Mapping[str, int | None] = MappingProxyType({}),
) -> list[Person]:
    """Return the people of ``find_or_add_people`` without saving new ones. Two queries. Refuses:
    name_required, name_too_long, no_such_person."""
    cleaned_names = [validate_name(names.clean_name(name), field="name") for name in full_names]
    folded_names = [names.fold_name(name) for name in cleaned_names]
    people_by_name: dict[str, list[Person]] = defaultdict(list)
    for person in club.people.filter(folded_name__in=set(folded_names), anonymized_at=None).order_by("-pk"):
        people_by_name[person.folded_name].append(person)
    people_by_name |= _get_identified_people(
        club, {name: identities[name] for name in set(folded_names) & identities.keys()}
    )
    return [
        people_by_name[folded_name].pop()
        if people_by_name[folded_name]
        else Person(club=club, name=name, folded_name=folded_name, is_guest=is_guest)
        for name, folded_name in zip(cleaned_names, folded_names, strict=True)
    ]


def save_found_people(
    *, club: Club, people: Sequence[Person], identities: Mapping[str, int | None] = MappingProxyType({})
) -> bool:
    """Save the new people of ``find_people``. Return False if the result would differ now, because people
    were added or removed. A name in ``identities`` stays new in any case. Three queries."""
    found = {person.pk for person in people if person.pk is not None}
    new_names = {person.folded_name for person in people if person.pk is None} - identities.keys()
    remaining_count = club.people.filter(pk__in=found, anonymized_at=None).count()
    added_meanwhile = club.people.filter(folded_name__in=new_names, anonymized_at=None).exclude(pk__in=found)
    if remaining_count < len(found) or added_meanwhile.exists():
        return False
    save_new_people(people)
    return True


def save_new_people(people: Iterable[Person]) -> None:
    """Save the people of ``find_people`` that are new."""
    Person.objects.bulk_create(person for person in people if person.pk is None)


def _get_identified_people(club: Club, identities: Mapping[str, int | None]) -> dict[str, list[Person]]:
    """Return the people whom ``identities`` means, by folded name. Refuses: no_such_person."""
    person_ids = {pk for pk in identities.values() if pk is not None}
    people = club.people.filter(anonymized_at=None).in_bulk(person_ids)
    if len(people) < len(person_ids):
        raise Refusal("no_such_person")
    return {name: [] if pk is None else [people[pk]] for name, pk in identities.items()}


def get_person(club: Club, person_id: int) -> Person:
    """Return the person with this id. Refuses: no_such_person."""
    return get_row(club.people.select_related("family"), person_id, refusal_code="no_such_person")


def check_not_anonymized(person: Person) -> None:
    """Check that the person was not erased. Refuses: person_anonymized."""
    if person.anonymized_at is not None:
        raise Refusal("person_anonymized", name=person.name)


def _check_details(details: PersonDetails) -> dict[str, Any]:
    """Return the values for the row, without the family.

    Refuses: name_required, name_too_long, strange_character, contact_too_long, label_too_long,
    too_many_labels.
    """
    name = validate_full_name(details.name, field="name")
    contact = names.clean_text(details.contact)
    if len(contact) > CONTACT_LENGTH:
        raise Refusal("contact_too_long", field="contact", most=CONTACT_LENGTH)
    values = asdict(details) | {
        "name": name,
        "folded_name": names.fold_name(name),
        "contact": contact,
        "labels": validate_labels(details.labels),
    }
    del values["family"]
    return values


def validate_labels(labels: Iterable[str]) -> list[str]:
    """Return the labels without duplicates, in the spelling of the last one. Refuses: label_too_long,
    too_many_labels, strange_character."""
    clean_labels = [names.validate_title(label, field="label") for each in labels for label in parse_labels(each)]
    unique_labels = names.unify_spellings(reversed(clean_labels))
    if any(len(label) > LABEL_LENGTH for label in unique_labels.values()):
        raise Refusal("label_too_long", field="label", most=LABEL_LENGTH)
    if len(unique_labels) > MAX_LABELS:
        raise Refusal("too_many_labels", field="label", most=MAX_LABELS)
    return sorted(unique_labels.values(), key=names.fold_name)


def _get_or_add_family(change: ClubChange, name: str) -> Family | None:
    """Return the club's family of that name in any spelling, or add one; None without a name.

    Refuses: name_too_long.
    """
    if not names.clean_text(name):
        return None
    name = validate_name(name, field="family")
    for family in change.club.families.all():
        if names.get_group_key(family.name) == names.get_group_key(name):
            return family
    family = Family(club=change.club, name=name)
    change.add(family)
    return family


def _check_no_namesake(club: Club, name: str, *, excluded_id: int = 0) -> None:
    """Check that no other person has this name in any spelling.

    Refuses: name_known.
    """
    candidates = club.people.filter(folded_name__contains=find_longest_word(name)).exclude(pk=excluded_id)
    others = dict(candidates.order_by("pk").values_list("pk", "name"))
    namesakes = NameIndex(others.items()).find_same_spelling(name)
    if namesakes:
        raise Refusal("name_known", field="name", name=others[namesakes[0]], person=namesakes[0])


def _get_earlier_person(change: ClubChange) -> Person:
    """Return the person that the same form added or changed. Refuses: no_such_person, if that
    was undone since."""
    earlier = ClubAction.objects.get(key=change.by.key)
    return get_person(change.club, earlier.details.get("person", 0))
