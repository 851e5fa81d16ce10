"""Adding, admitting and removing entries."""

from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import Any

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor
from clubs.models import Person
from clubs.services import find_or_add_people, save_new_people
from errors import Refusal
from tournaments.entries.entry_import import ListedEntry, check_names, check_new
from tournaments.entries.entry_import.values import NOTED
from tournaments.entries.queries.entries import (
    entry_numbered,
    last_published_round,
    names_taken,
    players_key,
    withdrawn_entries,
)
from tournaments.events.services.lifecycle import check_preparing
from tournaments.history.services.changes import Change
from tournaments.lifecycle import EventState
from tournaments.models import Action, Entry, Event
from web.names import clean_text, fold_name

from .identities import AS_KNOWN, Identities, check_apart, people_of
from .waiting_list import fill_places, places_left

PLAYER_FIELDS = ("player_1", "player_2")


@transaction.atomic
def add_known_people(*, event_id: int, people: Sequence[Sequence[int]], by: Actor = NOBODY) -> list[Entry]:
    """Add an entry for each group of people of the club, by their ids. Safe to repeat.

    Refuses: nobody_chosen, tick_two, no_such_person, entered_twice, event_started.
    """
    change = Change(event_id, "add_entries", by)
    if change.is_repeat:
        return entries_added_before(change)
    event = change.event
    check_preparing(event, field="people")
    if not people:
        raise Refusal("nobody_chosen", field="people")
    if any(len(group) != event.entry_size for group in people):
        raise Refusal("tick_two", field="people")
    wanted = list(chain.from_iterable(people))
    known = Person.objects.filter(club=event.club_id).in_bulk(wanted)
    if any(pk not in known for pk in wanted):
        raise Refusal("no_such_person", field="people")
    check_apart(event, [known[pk] for pk in wanted], field="people")
    number = next_number(event)
    rows = [
        Entry(event=event, number=number + place, **players_of([known[pk] for pk in group]))
        for place, group in enumerate(people)
    ]
    return keep_entries(change, rows)


@transaction.atomic
def add_entries(*, event_id: int, entries: Mapping[int, Sequence[str]], by: Actor = NOBODY) -> list[Entry]:
    """Add entries, given as numbers with their players' names. Safe to repeat with the same key.

    Refuses: event_started.
    """
    change = Change(event_id, "add_entries", by)
    if change.is_repeat:
        return entries_added_before(change)
    check_preparing(change.event, field="entries")
    listed = {number: ListedEntry(players=tuple(players)) for number, players in entries.items()}
    return _add(change, listed)


@transaction.atomic
def add_entry(
    *,
    event_id: int,
    players: Sequence[str],
    is_present: bool = False,
    identities: Identities = AS_KNOWN,
    by: Actor = NOBODY,
) -> list[Entry]:
    """Add an entry by the names of its players. A late entry plays from the next round. Safe to repeat with
    the same idempotency key.

    Refuses: event_ended, no_such_person, entered_twice, and what ``checked_players`` refuses.
    """
    change = Change(event_id, "add_entry", by)
    if change.is_repeat:
        return entries_added_before(change)
    event = change.event
    _check_not_ended(event, field=PLAYER_FIELDS[0])
    added = new_entry(
        change,
        checked_players(event, players),
        are_guests=is_present,
        identities=identities,
        field=PLAYER_FIELDS[0],
        arrives=last_published_round(event) + 1,
        present_at=timezone.now() if is_present else None,
    )
    return [added]


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
        return entries_added_before(change)
    event = change.event
    _check_not_ended(event, field="people")
    known = Person.objects.filter(club=event.club_id).in_bulk(people)
    if len(known) < len(people):
        raise Refusal("no_such_person", field="people")
    came = [known[pk] for pk in people]
    partner = [("guest", clean_text(guest))] if clean_text(guest) else []
    if len(came) + len(partner) != event.entry_size:
        raise Refusal("tick_two", field="people")
    named = [*(person.name for person in came), *(name for _, name in partner)]
    check_not_withdrawn(event, named, field="people")
    check_apart(event, came, field="people")
    if partner:
        check_names(partner)
        named_here = [*names_taken(event), *(person.name for person in came)]
        check_new(partner, seen=dict.fromkeys(map(fold_name, named_here), 0), line=1)
        came += find_or_add_people(club=event.club, full_names=[guest], are_guests=True)
    entry = Entry(
        event=event,
        number=next_number(event),
        arrives=last_published_round(event) + 1,
        present_at=timezone.now(),
        **players_of(came),
    )
    return keep_entries(change, [entry])


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
        change.alter(entry, is_waiting=False, arrives=last_published_round(change.event) + 1)
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
    for given in entry.adjustments.all():
        change.remove(given)
    change.remove(entry)
    for person in made_by_sign_up(entry, entry.players):
        change.remove(person)
    admitted = fill_places(change) if change.event.state == EventState.PREPARING else []
    change.record(entry=number, names=names, let_in=admitted, **details)


def made_by_sign_up(entry: Entry, players: Sequence[Person]) -> list[Person]:
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


def checked_players(event: Event, players: Sequence[str], *, size: int = 0) -> tuple[str, ...]:
    """Clean and check the names of one entry, of ``size`` players or of the event's number. Fields are those
    of ``PLAYER_FIELDS``.

    Refuses: name_required, strange_character, name_too_long, has_withdrawn, is_disqualified, entered_twice,
    same_name_twice.
    """
    named = list(
        zip(PLAYER_FIELDS[: size or event.entry_size], map(clean_text, [*players, "", ""]), strict=False)
    )
    for field, name in named:
        if not name:
            raise Refusal("name_required", field=field)
    check_names(named)
    check_not_withdrawn(event, [name for _, name in named], field=PLAYER_FIELDS[0])
    check_new(named, seen=entry_of_each_name(event), line=1)
    return tuple(name for _, name in named)


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


def entry_of_each_name(event: Event, *, but: Collection[int] = ()) -> dict[str, int]:
    """Return everybody who takes part or waits, as ``check_new`` needs them, ``but`` in entries of these
    ids."""
    return {fold_name(name): 0 for name in names_taken(event, but=but)}


def get_entry(event: Event, number: int) -> Entry:
    """Return the entry with this number. Refuses: no_such_entry_now."""
    entry = entry_numbered(event, number)
    if entry is None:
        raise Refusal("no_such_entry_now", entry=number)
    return entry


def new_entry(change: Change, players: Sequence[str], **values: Any) -> Entry:
    """Add an entry at the end of the list, with ``values`` as ``new_rows`` takes them. It waits if all places
    are taken."""
    listed = {next_number(change.event): ListedEntry(players=tuple(players))}
    return _add(change, listed, **values)[0]


def entries_added_before(change: Change) -> list[Entry]:
    """Return the entries that an earlier submission of the same form added, if they still exist."""
    known = Action.objects.get(key=change.by.key)
    return list(change.event.entries.filter(pk__in=known.details.get("ids", ())))


def _add(change: Change, listed: Mapping[int, ListedEntry], **values: Any) -> list[Entry]:
    rows = new_rows(change.event, listed, **values)
    save_new_people(person for entry in rows for person in entry.players)
    return keep_entries(change, rows)


def keep_entries(change: Change, rows: Sequence[Entry], **details: Any) -> list[Entry]:
    """Save new entries; those beyond the number of places wait. ``details`` go into the history."""
    left = places_left(change.event)
    if left is not None and change.event.state == EventState.PREPARING:
        for entry in [entry for entry in rows if not entry.is_waiting][left:]:
            entry.is_waiting = True
    change.add_all(rows)
    change.record(entries=[entry.number for entry in rows], ids=[entry.pk for entry in rows], **details)
    return list(rows)


def _check_not_ended(event: Event, *, field: str) -> None:
    if event.state == EventState.ENDED:
        raise Refusal("event_ended", field=field)


def new_rows(
    event: Event,
    listed: Mapping[int, ListedEntry],
    *,
    are_guests: bool = False,
    identities: Identities = AS_KNOWN,
    field: str = "entries",
    **values: object,
) -> list[Entry]:
    """Build the entries, and the people that the club does not know yet, without saving. Refuses:
    no_such_person, entered_twice, of the ``identities``."""
    people = people_of(event, listed, are_guests=are_guests, identities=identities)
    if identities:
        check_apart(event, list(chain.from_iterable(people.values())), field=field)
    return [
        Entry(
            event=event,
            number=number,
            **players_of(people[number]),
            **({name: getattr(entry, name) for name in NOTED} | values),
        )
        for number, entry in listed.items()
    ]


def players_of(people: Sequence[Person]) -> dict[str, Person]:
    """Return the players of an entry by field name."""
    return dict(zip(PLAYER_FIELDS, people, strict=False))


def next_number(event: Event) -> int:
    """Return a number that no entry has or had in published standings, whose rows name entries by number."""
    last = event.entries.aggregate(last=Max("number"))["last"] or 0
    published = event.published_standings.values_list("rows", flat=True)
    return int(max([last, *(row["entry"] for rows in published for row in rows)])) + 1
