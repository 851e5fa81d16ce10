"""Imports of people from a list, in pieces, with one line in the history."""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from django.db.models import PROTECT, Exists, Model, OuterRef, QuerySet
from django.db.models.fields.reverse_related import ForeignObjectRel

from clubs.audit.log import NOBODY, Actor, deserialize_actor, serialize_actor
from clubs.models import Club, ClubAction, Family, Person
from clubs.name_matching import MatchKind
from clubs.people import find_different_contacts, list_families, list_labels, match_with_people
from clubs.people_import import ListedPerson, PeopleList, parse_people
from engine.json_values import read_value
from errors import Refusal
from jobs.models import Job, LongWrite
from jobs.pieces import (
    ROWS_PER_PIECE,
    Piece,
    Progress,
    end_long_write,
    find_long_write,
    get_or_create_long_write,
    ignore_progress,
    rollback_on_failure,
    run_pieces,
    split_into_portions,
    undo_long_write,
)
from jobs.registry import JobCancelledError
from jobs.services import enqueue
from web import names
from web.sealing import decrypt_contact, encrypt_contact, encrypts_contacts
from web.sheets.columns import Layout
from web.spellings import SpellingIndex

from .changes import ClubChange, get_row, validate_name
from .people import validate_labels

IMPORT = "import_people"
"""The kind of the import's jobs."""
LARGE = 300
"""From this number of people on, a background task adds them."""


def start_people_import(
    *,
    club_id: int,
    text: str,
    file: str = "",
    layout: Layout | None = None,
    forced_keys: Collection[int] = (),
    normalizes_names: bool = False,
    updates_contacts: bool = False,
    by: Actor = NOBODY,
) -> int | Job:
    """Import the people of a list who are new to the club; return how many or, for a long list, the job. With a
    bad line, nobody is added.

    ``forced_keys`` are the keys of people to add although they resemble somebody. ``normalizes_names`` changes
    names in capitals to their usual spelling. With ``updates_contacts``, known people get the telephone or e-mail
    of the list. Safe to repeat with the same key.

    Refuses: no_such_club; list_refused, with the ``refusals`` of ``parse_people``; nobody_listed, nobody_new.
    """
    earlier_count = _find_earlier_count(by)
    if earlier_count is not None:
        return earlier_count
    long_write = _begin_import(
        club_id,
        text,
        file,
        layout,
        forced_keys,
        by,
        normalizes_names=normalizes_names,
        updates_contacts=updates_contacts,
    )
    if len(long_write.request["lines"]) + len(long_write.request["contacts"]) < LARGE:
        return _run_import(long_write)
    return enqueue(kind=IMPORT, key=long_write.key, topic=long_write.topic, club_id=club_id)


def run_people_import(key: str, progress: Progress) -> Club | None:
    """Do the import of that key, and return its club; None if it is already done. Safe to repeat."""
    long_write = find_long_write(IMPORT, key)
    if long_write is None:
        return None
    _run_import(long_write, progress)
    return Club.objects.get(pk=long_write.request["club"])


def parse_people_list(club: Club, text: str, *, file: str, layout: Layout | None = None) -> PeopleList:
    """Parse the list, with families and groups spelled as in the club, or as they occur first. Two queries.
    Refuses: list_refused, nobody_listed."""
    parsed = parse_people(text, file=file, layout=layout)
    if parsed.refusals:
        raise Refusal("list_refused", field="file", refusals=parsed.refusals)
    if not parsed.people:
        raise Refusal("nobody_listed", field="file")
    families, groups = SpellingIndex(family.name for family in list_families(club)), SpellingIndex(list_labels(club))
    people = tuple(
        replace(one, family=families.unify(one.family), labels=tuple(map(groups.unify, one.labels)))
        for one in parsed.people
    )
    return replace(parsed, people=people, merged=(*families.merged.items(), *groups.merged.items()))


def get_imports_topic(club: Club) -> str:
    """Return the topic of the club's imports in progress."""
    return f"bringing-in:{club.pk}"


def undo_people_import(long_write: LongWrite) -> None:
    """Delete the people that were added, except those who have done something in the club
    since. Safe to repeat."""
    undo_long_write(long_write, _query_added_rows)


def filter_unused_people(people: QuerySet[Person]) -> QuerySet[Person]:
    """Return the people who have done nothing in the club: no protected row points to them."""
    for relation in Person._meta.get_fields(include_hidden=True):
        if isinstance(relation, ForeignObjectRel) and relation.on_delete is PROTECT:
            model: type[Model] = relation.field.model
            related_rows = model._default_manager.filter(**{relation.field.name: OuterRef("pk")})
            people = people.exclude(Exists(related_rows))
    return people


def _find_earlier_count(by: Actor) -> int | None:
    """Return how many people the same form added; None if it added none."""
    action = None if by.key is None else ClubAction.objects.filter(key=by.key).first()
    return None if action is None else int(action.details["count"])


def _begin_import(
    club_id: int,
    text: str,
    file: str,
    layout: Layout | None,
    forced_keys: Collection[int],
    by: Actor,
    *,
    normalizes_names: bool,
    updates_contacts: bool,
) -> LongWrite:
    """Begin the import, and settle whom to add: people added by it are known to the club later."""
    text, file = text.replace("\0", " "), names.clean_text(file)  # PostgreSQL stores no NUL
    club = get_row(Club.objects.all(), club_id, refusal_code="no_such_club")
    parsed = parse_people_list(club, text, file=file, layout=layout)
    matches = match_with_people(club, parsed.people)
    new = {line for line, match in matches.items() if match.likeness == MatchKind.NEW}.union(forced_keys)
    lines = [one.key for one in parsed.people if one.key in new]
    known_people = [one for one in parsed.people if one.key not in new] if updates_contacts else []
    contacts = {person.pk: contact for person, contact in find_different_contacts(club, known_people, matches)}
    request_digest = hashlib.sha256(
        repr((club_id, text, layout, lines, normalizes_names, contacts)).encode()
    ).hexdigest()
    long_write = find_long_write(IMPORT, str(by.key or request_digest))
    if long_write is not None and long_write.done:
        return long_write
    if not lines and not contacts:
        raise Refusal("nobody_new", field="file")
    return get_or_create_long_write(
        kind=IMPORT,
        key=str(by.key or request_digest),
        request={
            "club": club_id,
            "text": _seal_text(text),
            "file": file,
            "lines": lines,
            "layout": None if layout is None else [list(layout.fields), layout.has_headings],
            "by": serialize_actor(by),
            "is_respelled": normalizes_names,
            "contacts": {str(pk): _seal_text(contact) for pk, contact in contacts.items()},
        },
        topic=get_imports_topic(club),
        undo=undo_people_import,
    )


def _seal_text(text: str) -> str:
    """Encrypt a text with telephones, if contact data are encrypted. ``decrypt_contact`` decrypts it."""
    return encrypt_contact(text) if encrypts_contacts() else text


def _run_import(long_write: LongWrite, progress: Progress = ignore_progress) -> int:
    request, by = long_write.request, deserialize_actor(long_write.request["by"])
    club, lines = Club.objects.get(pk=request["club"]), set(request["lines"])
    layout = read_value(Layout | None, request.get("layout"))
    parsed = parse_people_list(club, decrypt_contact(request["text"]), file=request["file"], layout=layout)
    people = [one for one in parsed.people if one.key in lines]
    if request.get("is_respelled"):
        people = [replace(one, name=names.normalize_capitals(one.name)) for one in people]
    try:
        with rollback_on_failure(long_write, undo_people_import):
            run_pieces(long_write, list(_list_pieces(club, people)), progress=progress)
            end_long_write(long_write, partial(_record_action, club, by, _list_added_rows(club, long_write)))
    except JobCancelledError:
        if _find_earlier_count(by) is None:
            raise
    return len(lines)


def _list_pieces(club: Club, people: Sequence[ListedPerson]) -> Iterator[Piece]:
    for family_names in split_into_portions(sorted({one.family for one in people if one.family})):
        yield partial(_add_families, club, family_names)
    for listed in split_into_portions(people, max_weight=5 * ROWS_PER_PIECE):
        yield partial(_add_people, club, listed)


def _add_families(club: Club, family_names: Iterable[str], long_write: LongWrite) -> None:
    """Add the missing families, and note each family by its key (``get_group_key``)."""
    family_ids = {names.get_group_key(family.name): family.pk for family in club.families.all()}
    for name in family_names:
        key = names.get_group_key(name)
        if key not in family_ids:
            family = Family.objects.create(club=club, name=validate_name(name, field="family"))
            family_ids[key] = family.pk
            long_write.state.setdefault("new_families", []).append(family.pk)
        long_write.state.setdefault("families", {})[key] = family_ids[key]


def _add_people(club: Club, listed_people: Iterable[ListedPerson], long_write: LongWrite) -> None:
    families = long_write.state.get("families", {})
    added = Person.objects.bulk_create(
        Person(
            club=club,
            name=one.name,
            folded_name=names.fold_name(one.name),
            contact=one.contact,
            is_guest=one.is_guest,
            family_id=families.get(names.get_group_key(one.family)),
            labels=validate_labels(one.labels),
        )
        for one in listed_people
    )
    long_write.state.setdefault("people", []).extend(person.pk for person in added)


def _list_added_rows(club: Club, long_write: LongWrite) -> list[Family | Person]:
    """Return all rows that were added, for the line in the history."""
    added = long_write.state.get("people", ())
    people = club.people.in_bulk(added)
    return [
        *club.families.filter(pk__in=long_write.state.get("new_families", ())).order_by("pk"),
        *(people[pk] for pk in added if pk in people),
    ]


def _record_action(club: Club, by: Actor, added: Iterable[Any], long_write: LongWrite) -> None:
    change = ClubChange(club.pk, "import_people", by)
    change.record_added(added)
    contacts = long_write.request.get("contacts", {})
    for person in change.club.people.filter(pk__in=map(int, contacts), anonymized_at=None):
        change.update(person, contact=decrypt_contact(contacts[str(person.pk)]))
    details: dict[str, Any] = {"contacts": len(contacts)} if contacts else {}
    change.record(count=len(long_write.state.get("people", ())), file=long_write.request["file"], **details)


def _query_added_rows(long_write: LongWrite) -> Iterator[QuerySet[Any]]:
    yield filter_unused_people(Person.objects.filter(pk__in=long_write.state.get("people", ())))
    yield Family.objects.filter(pk__in=long_write.state.get("new_families", ()), people=None)
