"""Imports of people from a list, in pieces, with one line in the history."""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from django.db.models import PROTECT, Exists, Model, OuterRef, QuerySet
from django.db.models.fields.reverse_related import ForeignObjectRel

from clubs.audit.log import NOBODY, Actor, actor_from_json, actor_to_json
from clubs.models import Club, ClubAction, Family, Person
from clubs.name_matching import Likeness
from clubs.people import compare_with_people, families_of, labels_of, other_contacts
from clubs.people_import import ListedPerson, PeopleList, read_people
from errors import Refusal
from jobs.models import Course, Job
from jobs.pieces import (
    ROWS,
    Piece,
    Progress,
    begun_course,
    course_of,
    end_course,
    in_portions,
    nobody_watches,
    rollback_on_failure,
    take_back_course,
    write_in_pieces,
)
from jobs.running import Cancelled
from jobs.services import enqueue
from web import names
from web.sealing import are_contacts_sealed, open_contact, seal_contact
from web.sheets import Layout
from web.spellings import Spellings

from .changes import ClubChange
from .people import checked_labels
from .validators import checked_name, row_or_refuse

IMPORT = "import_people"
"""The kind of the import's jobs."""
LARGE = 300
"""From this number of people on, a background task adds them."""


def import_people(
    *,
    club_id: int,
    text: str,
    file: str = "",
    layout: Layout | None = None,
    also: Collection[int] = (),
    is_respelled: bool = False,
    takes_contacts: bool = False,
    by: Actor = NOBODY,
) -> int:
    """Import the people of a list who are new to the club, and return how many. With a bad
    line, nobody is added.

    ``also`` are the keys of people to add although they resemble somebody. ``is_respelled`` changes names in
    capitals to their usual spelling. With ``takes_contacts``, known people get the telephone or e-mail of the
    list. Safe to repeat with the same key.

    Refuses: no_such_club; list_refused, with every ``refusals`` of ``read_people``;
    nobody_listed, nobody_new.
    """
    before = _added_before(by)
    if before is not None:
        return before
    return _write_people(
        _begin_import(
            club_id, text, file, layout, also, by, is_respelled=is_respelled, takes_contacts=takes_contacts
        )
    )


def bring_in_people(
    *,
    club_id: int,
    text: str,
    file: str = "",
    layout: Layout | None = None,
    also: Collection[int] = (),
    is_respelled: bool = False,
    takes_contacts: bool = False,
    by: Actor = NOBODY,
) -> int | Job:
    """Import people for a form; return the number added or, for a long list, the job. Safe to
    repeat with the same key."""
    before = _added_before(by)
    if before is not None:
        return before
    course = _begin_import(
        club_id, text, file, layout, also, by, is_respelled=is_respelled, takes_contacts=takes_contacts
    )
    if len(course.asked["lines"]) + len(course.asked["contacts"]) < LARGE:
        return _write_people(course)
    return enqueue(kind=IMPORT, key=course.key, topic=course.topic, club_id=club_id)


def import_asked_people(key: str, progress: Progress) -> Club | None:
    """Do the import of that key, and return its club; None if it is already done. Safe to repeat."""
    course = course_of(IMPORT, key)
    if course is None:
        return None
    _write_people(course, progress)
    return Club.objects.get(pk=course.asked["club"])


def read_people_list(club: Club, text: str, *, file: str, layout: Layout | None = None) -> PeopleList:
    """Parse the list, with families and groups spelled as in the club, or as they occur first. Two queries.
    Refuses: list_refused, nobody_listed."""
    listed = read_people(text, file=file, layout=layout)
    if listed.refusals:
        raise Refusal("list_refused", field="file", refusals=listed.refusals)
    if not listed.people:
        raise Refusal("nobody_listed", field="file")
    families, groups = Spellings(family.name for family in families_of(club)), Spellings(labels_of(club))
    people = tuple(
        replace(one, family=families.unify(one.family), labels=tuple(map(groups.unify, one.labels)))
        for one in listed.people
    )
    return replace(listed, people=people, merged=(*families.merged.items(), *groups.merged.items()))


def imports_topic(club: Club) -> str:
    """Return the topic of the club's imports in progress."""
    return f"bringing-in:{club.pk}"


def take_back_people(course: Course) -> None:
    """Delete the people that were added, except those who have done something in the club
    since. Safe to repeat."""
    take_back_course(course, _rows_of_course)


def without_traces(people: QuerySet[Person]) -> QuerySet[Person]:
    """Return the people who have done nothing in the club: no protected row points to them."""
    for relation in Person._meta.get_fields(include_hidden=True):
        if isinstance(relation, ForeignObjectRel) and relation.on_delete is PROTECT:
            model: type[Model] = relation.field.model
            there = model._default_manager.filter(**{relation.field.name: OuterRef("pk")})
            people = people.exclude(Exists(there))
    return people


def _added_before(by: Actor) -> int | None:
    """Return how many people the same form added; None if it added none."""
    action = None if by.key is None else ClubAction.objects.filter(key=by.key).first()
    return None if action is None else int(action.details["count"])


def _begin_import(
    club_id: int,
    text: str,
    file: str,
    layout: Layout | None,
    also: Collection[int],
    by: Actor,
    *,
    is_respelled: bool,
    takes_contacts: bool,
) -> Course:
    """Begin the import, and settle whom to add: people added by it are known to the club later."""
    text, file = text.replace("\0", " "), names.clean_text(file)  # PostgreSQL stores no NUL
    club = row_or_refuse(Club.objects.all(), club_id, otherwise="no_such_club")
    listed = read_people_list(club, text, file=file, layout=layout)
    alike = compare_with_people(club, listed.people)
    new = {line for line, match in alike.items() if match.likeness == Likeness.NEW}.union(also)
    lines = [one.key for one in listed.people if one.key in new]
    there = [one for one in listed.people if one.key not in new] if takes_contacts else []
    contacts = {person.pk: contact for person, contact in other_contacts(club, there, alike)}
    said = hashlib.sha256(repr((club_id, text, layout, lines, is_respelled, contacts)).encode()).hexdigest()
    begun = course_of(IMPORT, str(by.key or said))
    if begun is not None and begun.done:
        return begun
    if not lines and not contacts:
        raise Refusal("nobody_new", field="file")
    return begun_course(
        kind=IMPORT,
        key=str(by.key or said),
        asked={
            "club": club_id,
            "text": _as_stored(text),
            "file": file,
            "lines": lines,
            "layout": None if layout is None else [list(layout.fields), layout.has_headings],
            "by": actor_to_json(by),
            "is_respelled": is_respelled,
            "contacts": {str(pk): _as_stored(contact) for pk, contact in contacts.items()},
        },
        topic=imports_topic(club),
        take_back=take_back_people,
    )


def _as_stored(text: str) -> str:
    """Seal a text that contains telephones, if contact data are sealed. ``open_contact`` opens it."""
    return seal_contact(text) if are_contacts_sealed() else text


def _write_people(course: Course, progress: Progress = nobody_watches) -> int:
    asked, by = course.asked, actor_from_json(course.asked["by"])
    club, lines = Club.objects.get(pk=asked["club"]), set(asked["lines"])
    layout = None
    if asked.get("layout") is not None:
        fields, has_headings = asked["layout"]
        layout = Layout(fields=tuple(fields), has_headings=has_headings)
    listed = read_people_list(club, open_contact(asked["text"]), file=asked["file"], layout=layout)
    people = [one for one in listed.people if one.key in lines]
    if asked.get("is_respelled"):
        people = [replace(one, name=names.usual_spelling(one.name)) for one in people]
    try:
        with rollback_on_failure(course, take_back_people):
            write_in_pieces(course, list(_pieces(club, people)), progress=progress)
            end_course(course, partial(_keep_line, club, by, _rows_added(club, course)))
    except Cancelled:
        if _added_before(by) is None:
            raise
    return len(lines)


def _pieces(club: Club, people: Sequence[ListedPerson]) -> Iterator[Piece]:
    for some in in_portions(sorted({one.family for one in people if one.family})):
        yield partial(_add_families, club, some)
    for listed in in_portions(people, most=5 * ROWS):
        yield partial(_add_people, club, listed)


def _add_families(club: Club, wanted: Iterable[str], course: Course) -> None:
    """Add the missing families, and note the family of each ``group_key``."""
    known = {names.group_key(family.name): family.pk for family in club.families.all()}
    for name in wanted:
        key = names.group_key(name)
        if key not in known:
            family = Family.objects.create(club=club, name=checked_name(name, field="family"))
            known[key] = family.pk
            course.kept.setdefault("new_families", []).append(family.pk)
        course.kept.setdefault("families", {})[key] = known[key]


def _add_people(club: Club, listed: Iterable[ListedPerson], course: Course) -> None:
    families = course.kept.get("families", {})
    added = Person.objects.bulk_create(
        Person(
            club=club,
            name=one.name,
            folded_name=names.fold_name(one.name),
            contact=one.contact,
            is_guest=one.is_guest,
            family_id=families.get(names.group_key(one.family)),
            labels=checked_labels(one.labels),
        )
        for one in listed
    )
    course.kept.setdefault("people", []).extend(person.pk for person in added)


def _rows_added(club: Club, course: Course) -> list[Family | Person]:
    """Return all rows that were added, for the line in the history."""
    added = course.kept.get("people", ())
    people = club.people.in_bulk(added)
    return [
        *club.families.filter(pk__in=course.kept.get("new_families", ())).order_by("pk"),
        *(people[pk] for pk in added if pk in people),
    ]


def _keep_line(club: Club, by: Actor, added: Iterable[Any], course: Course) -> None:
    change = ClubChange(club.pk, "import_people", by)
    change.note_added(added)
    contacts = course.asked.get("contacts", {})
    for person in change.club.people.filter(pk__in=map(int, contacts), anonymized_at=None):
        change.alter(person, contact=open_contact(contacts[str(person.pk)]))
    details: dict[str, Any] = {"contacts": len(contacts)} if contacts else {}
    change.record(count=len(course.kept.get("people", ())), file=course.asked["file"], **details)


def _rows_of_course(course: Course) -> Iterator[QuerySet[Any]]:
    yield without_traces(Person.objects.filter(pk__in=course.kept.get("people", ())))
    yield Family.objects.filter(pk__in=course.kept.get("new_families", ()), people=None)
