"""Adding, admitting and removing entries."""

from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import Any, Unpack

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor
from clubs.models import Person
from clubs.services.people import find_or_add_people, save_new_people
from errors import Refusal, get_or_refuse
from tournaments.entries.entry_import.values import ENTRY_FIELDS, ListedEntry, check_names, check_not_entered
from tournaments.entries.queries.entries import (
    entry_numbered,
    last_published_round,
    names_taken,
    players_key,
    withdrawn_entries,
)
from tournaments.events.services.lifecycle import check_not_ended, check_preparing
from tournaments.history.services.changes import Change
from tournaments.lifecycle import EventState
from tournaments.models import Action, Entry, Event
from web.names import clean_text, fold_name

from .descriptions import Description, clean_description
from .identities import NO_IDENTITIES, Identities, check_not_entered_twice, identify_people
from .teams import mark_guests
from .waiting_list import count_free_places, fill_places

PLAYER_FIELDS = ("player_1", "player_2")


@transaction.atomic
def add_known_people(*, event_id: int, people: Sequence[Sequence[int]], by: Actor = NOBODY) -> list[Entry]:
    """Add an entry for each group of people of the club, by their ids. Safe to repeat.

    Refuses: nobody_chosen, tick_two, no_such_person, entered_twice, event_started.
    """
    change = Change(event_id, "add_entries", by)
    if change.is_repeat:
        return get_repeated_entries(change)
    event = change.event
    check_preparing(event, field="people")
    if not people:
        raise Refusal("nobody_chosen", field="people")
    if any(len(group) != event.entry_size for group in people):
        raise Refusal("tick_two", field="people")
    person_ids = list(chain.from_iterable(people))
    known_people = Person.objects.filter(club=event.club_id).in_bulk(person_ids)
    if any(pk not in known_people for pk in person_ids):
        raise Refusal("no_such_person", field="people")
    check_not_entered_twice(event, [known_people[pk] for pk in person_ids], field="people")
    number = get_next_number(event)
    rows = [
        Entry(event=event, number=number + place, **build_player_fields([known_people[pk] for pk in group]))
        for place, group in enumerate(people)
    ]
    return save_entries(change, rows)


@transaction.atomic
def add_entries(*, event_id: int, entries: Mapping[int, Sequence[str]], by: Actor = NOBODY) -> list[Entry]:
    """Add entries, given as numbers with their players' names. Safe to repeat with the same key.

    Refuses: event_started.
    """
    change = Change(event_id, "add_entries", by)
    if change.is_repeat:
        return get_repeated_entries(change)
    check_preparing(change.event, field="entries")
    entries_by_number = {number: ListedEntry(players=tuple(players)) for number, players in entries.items()}
    return _add_listed_entries(change, entries_by_number)


@transaction.atomic
def add_entry(
    *,
    event_id: int,
    players: Sequence[str],
    is_present: bool = False,
    identities: Identities = NO_IDENTITIES,
    by: Actor = NOBODY,
    **description: Unpack[Description],
) -> list[Entry]:
    """Add an entry by the names of its players, with its details. A late entry plays from the next round.
    Safe to repeat with the same idempotency key.

    Refuses: event_ended, no_such_person, entered_twice, and what ``clean_players`` and
    ``clean_description`` refuse.
    """
    change = Change(event_id, "add_entry", by)
    if change.is_repeat:
        return get_repeated_entries(change)
    event = change.event
    check_not_ended(event, field=PLAYER_FIELDS[0])
    entry = create_entry(
        change,
        clean_players(event, players),
        is_guest=is_present,
        identities=identities,
        field=PLAYER_FIELDS[0],
        arrives=last_published_round(event) + 1,
        present_at=timezone.now() if is_present else None,
        **clean_description(event, description),
    )
    mark_guests(change, [entry])
    return [entry]


@transaction.atomic
def enter_people(*, event_id: int, people: Sequence[int], guest: str = "", by: Actor = NOBODY) -> list[Entry]:
    """Enter people of the club who have just arrived, by their ids, as one entry that is checked in.
    ``guest`` names a partner from outside the club. A late entry plays from the next round. Safe to repeat
    with the same idempotency key.

    Refuses: event_ended, no_such_person, tick_two, strange_character, name_too_long, has_withdrawn,
    is_disqualified, entered_twice.
    """
    change = Change(event_id, "add_entry", by)
    if change.is_repeat:
        return get_repeated_entries(change)
    event = change.event
    check_not_ended(event, field="people")
    known_people = Person.objects.filter(club=event.club_id).in_bulk(people)
    if len(known_people) < len(people):
        raise Refusal("no_such_person", field="people")
    arrivals = [known_people[pk] for pk in people]
    partner = [("guest", clean_text(guest))] if clean_text(guest) else []
    if len(arrivals) + len(partner) != event.entry_size:
        raise Refusal("tick_two", field="people")
    player_names = [*(person.name for person in arrivals), *(name for _, name in partner)]
    check_not_withdrawn(event, player_names, field="people")
    check_not_entered_twice(event, arrivals, field="people")
    if partner:
        check_names(partner)
        taken_names = [*names_taken(event), *(person.name for person in arrivals)]
        check_not_entered(partner, seen_names=dict.fromkeys(map(fold_name, taken_names), 0), line=1)
        arrivals += find_or_add_people(club=event.club, full_names=[guest], is_guest=True)
    entry = Entry(
        event=event,
        number=get_next_number(event),
        arrives=last_published_round(event) + 1,
        present_at=timezone.now(),
        **build_player_fields(arrivals),
    )
    return save_entries(change, [entry])


@transaction.atomic
def admit_entry(*, event_id: int, number: int, by: Actor = NOBODY) -> Entry:
    """Admit an entry from the waiting list, even beyond the limit. After the start it plays from the next
    round. Safe to repeat.

    Refuses: no_such_entry_now, has_no_partner.
    """
    change = Change(event_id, "let_in", by)
    entry = get_entry(change.event, number)
    if entry.looks_for_partner:
        raise Refusal("has_no_partner")
    if entry.is_waiting:
        change.update(entry, is_waiting=False, arrives=last_published_round(change.event) + 1)
        change.record(entry=number)
    return entry


@transaction.atomic
def remove_entry(*, event_id: int, number: int, by: Actor = NOBODY) -> None:
    """Remove an entry from the list. The others keep their numbers, and the first on the waiting list gets
    the place.

    Safe to repeat. Refuses: event_started, but for those who wait.
    """
    change = Change(event_id, "remove_entry", by)
    event = change.event
    entry = entry_numbered(event, number)
    if change.is_repeat or (entry is None and event.state == EventState.PREPARING):
        return
    if entry is None or not entry.is_waiting:
        check_preparing(event, field="entries")
    assert entry is not None, "before the start it was looked for, and after it only who waits is removed"
    remove_entry_rows(change, entry)


def remove_entry_rows(change: Change, entry: Entry, **details: Any) -> None:
    """Remove an entry that never had a seat; before the start, the waiting list fills its place.

    People created only by its sign-up, with a namesake in the club, are removed too. ``details`` go into the
    history.
    """
    names, number = str(entry), entry.number
    for adjustment in entry.adjustments.all():
        change.remove(adjustment)
    change.remove(entry)
    for person in list_sign_up_people(entry, entry.players):
        change.remove(person)
    admitted_numbers = fill_places(change) if change.event.state == EventState.PREPARING else []
    change.record(entry=number, names=names, let_in=admitted_numbers, **details)


def list_sign_up_people(entry: Entry, players: Sequence[Person]) -> list[Person]:
    """Return those of the ``players``, already out of the entry, who were created only for its sign-up. Two
    queries at most for each."""
    signed_up_at = entry.signed_up_at
    if signed_up_at is None:
        return []
    new = [person for person in players if person.is_guest and person.added_at >= signed_up_at]
    return [
        person
        for person in new
        if not person.seats.exists()
        and not Entry.objects.filter(Q(player_1=person) | Q(player_2=person)).exists()
        and Person.objects.filter(club=person.club_id, folded_name=person.folded_name).count() > 1
    ]


def clean_players(event: Event, players: Sequence[str], *, size: int = 0) -> tuple[str, ...]:
    """Clean and check the names of one entry, of ``size`` players or of the event's number. Fields are those
    of ``PLAYER_FIELDS``.

    Refuses: name_required, strange_character, name_too_long, has_withdrawn, is_disqualified, entered_twice,
    same_name_twice.
    """
    names_by_field = list(
        zip(PLAYER_FIELDS[: size or event.entry_size], map(clean_text, [*players, "", ""]), strict=False)
    )
    for field, name in names_by_field:
        if not name:
            raise Refusal("name_required", field=field)
    check_names(names_by_field)
    check_not_withdrawn(event, [name for _, name in names_by_field], field=PLAYER_FIELDS[0])
    check_not_entered(names_by_field, seen_names=map_taken_names(event), line=1)
    return tuple(name for _, name in names_by_field)


def check_not_withdrawn(event: Event, names: Sequence[str], *, field: str) -> None:
    """Check that these players have not withdrawn: to return, they take up their old entry. Refuses:
    has_withdrawn, is_disqualified."""
    entry = withdrawn_entries(event).get(players_key(names))
    if entry is not None:
        raise Refusal(
            "is_disqualified" if entry.disqualification else "has_withdrawn",
            field=field,
            entry=entry.number,
            names=[person.name for person in entry.players],
        )


def map_taken_names(event: Event, *, excluded_ids: Collection[int] = ()) -> dict[str, int]:
    """Return the names of all players who take part or wait, as ``check_not_entered`` needs them, except in the
    entries of ``excluded_ids``."""
    return {fold_name(name): 0 for name in names_taken(event, excluded_ids=excluded_ids)}


def get_entry(event: Event, number: int) -> Entry:
    """Return the entry with this number. Refuses: no_such_entry_now."""
    return get_or_refuse(entry_numbered(event, number), "no_such_entry_now", entry=number)


def create_entry(change: Change, players: Sequence[str], **values: Any) -> Entry:
    """Add an entry at the end of the list, with ``values`` as ``build_entries`` takes them. It waits if all places
    are taken."""
    entries_by_number = {get_next_number(change.event): ListedEntry(players=tuple(players))}
    return _add_listed_entries(change, entries_by_number, **values)[0]


def get_repeated_entries(change: Change) -> list[Entry]:
    """Return the entries that an earlier submission of the same form added, if they still exist."""
    action = Action.objects.get(key=change.by.key)
    return list(change.event.entries.filter(pk__in=action.details.get("ids", ())))


def _add_listed_entries(change: Change, entries_by_number: Mapping[int, ListedEntry], **values: Any) -> list[Entry]:
    rows = build_entries(change.event, entries_by_number, **values)
    save_new_people(person for entry in rows for person in entry.players)
    return save_entries(change, rows)


def save_entries(change: Change, rows: Sequence[Entry], **details: Any) -> list[Entry]:
    """Save new entries; those beyond the number of places wait. ``details`` go into the history."""
    free_places = count_free_places(change.event)
    if free_places is not None and change.event.state == EventState.PREPARING:
        for entry in [entry for entry in rows if not entry.is_waiting][free_places:]:
            entry.is_waiting = True
    change.add_all(rows)
    change.record(entries=[entry.number for entry in rows], ids=[entry.pk for entry in rows], **details)
    return list(rows)


def build_entries(
    event: Event,
    entries_by_number: Mapping[int, ListedEntry],
    *,
    is_guest: bool = False,
    identities: Identities = NO_IDENTITIES,
    field: str = "entries",
    **values: object,
) -> list[Entry]:
    """Build the entries, and the people that the club does not know yet, without saving. Refuses:
    no_such_person, entered_twice, of the ``identities``."""
    people = identify_people(event, entries_by_number, is_guest=is_guest, identities=identities)
    if identities:
        check_not_entered_twice(event, list(chain.from_iterable(people.values())), field=field)
    return [
        Entry(
            event=event,
            number=number,
            **build_player_fields(people[number]),
            **({name: getattr(entry, name) for name in ENTRY_FIELDS} | values),
        )
        for number, entry in entries_by_number.items()
    ]


def build_player_fields(people: Sequence[Person]) -> dict[str, Person]:
    """Return the players of an entry by field name."""
    return dict(zip(PLAYER_FIELDS, people, strict=False))


def get_next_number(event: Event) -> int:
    """Return a number that no entry has or had in published standings, whose rows name entries by number."""
    last_number = event.entries.aggregate(last=Max("number"))["last"] or 0
    published_rows = event.published_standings.values_list("rows", flat=True)
    return int(max([last_number, *(row["entry"] for rows in published_rows for row in rows)])) + 1
