"""People who play for a club at another club's event. Their own club enters, replaces and removes them until
the draw begins."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import Club, Person, PublicNames
from clubs.services.changes import ClubChange
from errors import Refusal, get_or_refuse
from tournaments.entries.queries.entries import get_entries
from tournaments.entries.services.entries import (
    PLAYER_FIELDS,
    build_player_fields,
    check_not_withdrawn,
    get_next_number,
    get_repeated_entries,
    remove_entry_rows,
    save_entries,
)
from tournaments.history.services.changes import Change
from tournaments.interclub.queries import get_visitors, list_guest_entries
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event, InvitationAnswer, InvitedClub, Visitor
from web.names import add_hint, fold_name


@dataclass(frozen=True, slots=True, kw_only=True)
class _GuestChange:
    """A club that acts in another club's event: its own change, and the event's, which names no person."""

    guest_change: ClubChange
    event_change: Change

    @property
    def club(self) -> Club:
        return self.guest_change.club

    @property
    def event(self) -> Event:
        return self.event_change.event

    def record(self, names: str) -> None:
        """Record the change in the history of the acting club."""
        self.guest_change.record(club=self.event.club.name, name=self.event.name, names=names)


@transaction.atomic
def enter_for_club(*, club_id: int, event_id: int, people: Sequence[int], by: Actor = NOBODY) -> list[Entry]:
    """Enter people of the club in an event to which it is invited, with the club as their team. Safe to
    repeat with the same key.

    Refuses: club_not_invited, draw_has_begun, tick_two, no_such_person, has_withdrawn, is_disqualified,
    plays_already.
    """
    guest_change = ClubChange(club_id, "enter_elsewhere", replace(by, key=None))
    action = _begin_action(guest_change, "enter_for_club", event_id, by)
    if action.event_change.is_repeat:
        return get_repeated_entries(action.event_change)
    event = action.event
    _check_in_preparation(event)
    people_by_id = action.club.people.in_bulk(people)
    if len(people_by_id) < len(set(people)):
        raise Refusal("no_such_person", field="people")
    if len(people_by_id) != event.entry_size:
        raise Refusal("tick_two", field="people")
    check_not_withdrawn(event, [people_by_id[pk].name for pk in people], field="people")
    guests = _get_guests([people_by_id[pk] for pk in people], event)
    entry = Entry(event=event, number=get_next_number(event), team=action.club.name, **build_player_fields(guests))
    new_entries = save_entries(action.event_change, [entry], club=action.club.name)
    action.record(_join_names([people_by_id[pk] for pk in people]))
    return new_entries


@transaction.atomic
def remove_for_club(*, club_id: int, event_id: int, number: int, by: Actor = NOBODY) -> None:
    """Remove an entry of the club. Safe to repeat with the same key.

    Refuses: club_not_invited, draw_has_begun, no_such_entry_now.
    """
    guest_change = ClubChange(club_id, "take_out_elsewhere", replace(by, key=None))
    action = _begin_action(guest_change, "take_out_for_club", event_id, by)
    if action.event_change.is_repeat:
        return
    _check_in_preparation(action.event)
    entry = _find_entry(action, number)
    names = str(entry)
    remove_entry_rows(action.event_change, entry, club=action.club.name)
    action.record(names)


@transaction.atomic
def replace_for_club(
    *, club_id: int, event_id: int, number: int, place: int, person_id: int, by: Actor = NOBODY
) -> Entry:
    """Replace the player in place 1 or 2 by another person of the club. Safe to repeat with the same key.

    Refuses: club_not_invited, draw_has_begun, no_such_entry_now, no_such_place, no_such_person,
    plays_already.
    """
    guest_change = ClubChange(club_id, "replace_elsewhere", replace(by, key=None))
    action = _begin_action(guest_change, "replace_for_club", event_id, by)
    entry = _find_entry(action, number)
    if action.event_change.is_repeat:
        return entry
    _check_in_preparation(action.event)
    if not 1 <= place <= len(entry.players):
        raise Refusal("no_such_place", field="place")
    person = get_or_refuse(action.club.people.filter(pk=person_id).first(), "no_such_person", field="people")
    old_player = entry.players[place - 1]
    (new_player,) = _get_guests([person], action.event)
    action.event_change.update(entry, **{PLAYER_FIELDS[place - 1]: new_player})
    action.event_change.record(club=action.club.name, before=old_player.name, after=new_player.name)
    action.record(str(entry))
    return entry


def _begin_action(guest_change: ClubChange, kind: str, event_id: int, by: Actor) -> _GuestChange:
    """Lock the event, after the club, which is locked already. Refuses: club_not_invited."""
    change = Change(event_id, kind, Actor(key=by.key))
    invitations = InvitedClub.objects.filter(
        club=guest_change.club, event=change.event, answer=InvitationAnswer.ACCEPTED
    )
    if not invitations.exists():
        raise Refusal("club_not_invited")
    return _GuestChange(guest_change=guest_change, event_change=change)


def _check_in_preparation(event: Event) -> None:
    if event.state != EventState.PREPARING:
        raise Refusal("draw_has_begun", field="people", club=event.club.name)


def _find_entry(action: _GuestChange, number: int) -> Entry:
    """Find an entry of the club. Refuses: no_such_entry_now, also for an entry of anybody else."""
    guest_entries = list_guest_entries(action.event, get_visitors(action.event, action.club))
    return get_or_refuse(
        next((entry for entry in guest_entries if entry.number == number), None), "no_such_entry_now", entry=number
    )


def _get_guests(people: Sequence[Person], event: Event) -> list[Person]:
    """Return the people who represent these people at the organizing club. Refuses: plays_already."""
    entered_ids = {person.pk for entry in get_entries(event) for person in entry.players}
    guests = []
    for person in people:
        guest = _get_or_create_guest(person, event.club)
        if guest.pk in entered_ids:
            raise Refusal("plays_already", field="people", name=person.name)
        guests.append(guest)
    return guests


def _get_or_create_guest(person: Person, host: Club) -> Person:
    """Return the guest at ``host`` who represents this person of another club, or create one.

    A namesake at the host is another person: the guest's name then gets the club next to it. Consents hold
    only for the person's own club, so the name is shortened here. A person unrated or hidden at home is so
    here, too.
    """
    visitor = Visitor.objects.filter(person=person, known_as__club=host).select_related("known_as").first()
    is_hidden = person.is_hidden or (person.club.public_names == PublicNames.NONE and not person.shows_full_name)
    if visitor is not None:
        if is_hidden and not visitor.known_as.is_hidden:
            visitor.known_as.is_hidden = True
            visitor.known_as.save(update_fields=["is_hidden"])
        return visitor.known_as
    name, folded_name = person.name, person.folded_name
    if host.people.filter(folded_name=folded_name).exists():
        name = add_hint(person.name, person.club.name)
        folded_name = fold_name(name)
    guest = Person.objects.create(
        club=host,
        name=name,
        folded_name=folded_name,
        is_guest=True,
        is_rated=person.is_rated,
        is_hidden=is_hidden,
    )
    Visitor.objects.create(person=person, known_as=guest)
    return guest


def _join_names(people: Sequence[Person]) -> str:
    return " / ".join(person.name for person in people)
