"""People who play for a club at another club's event. Their own club enters, replaces and removes them until
the draw begins."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import Club, Person, PublicNames
from clubs.services import ClubChange
from errors import Refusal
from tournaments.entries.queries.entries import entries_of
from tournaments.entries.services.entries import (
    PLAYER_FIELDS,
    check_not_withdrawn,
    entries_added_before,
    keep_entries,
    next_number,
    players_of,
    remove_entry_rows,
)
from tournaments.history.services.changes import Change
from tournaments.interclub.queries import entries_for, visitors_in
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event, InvitationAnswer, InvitedClub, Visitor
from web.names import fold_name, name_with_hint


@dataclass(frozen=True, slots=True, kw_only=True)
class _Acting:
    """A club that acts in another club's event: its own change, and the event's, which names no person."""

    own: ClubChange
    change: Change

    @property
    def club(self) -> Club:
        return self.own.club

    @property
    def event(self) -> Event:
        return self.change.event

    def record(self, names: str) -> None:
        """Record the change in the history of the acting club."""
        self.own.record(club=self.event.club.name, name=self.event.name, names=names)


@transaction.atomic
def enter_for_club(*, club_id: int, event_id: int, people: Sequence[int], by: Actor = NOBODY) -> list[Entry]:
    """Enter people of the club in an event to which it is invited, with the club as their team. Safe to
    repeat with the same key.

    Refuses: club_not_invited, draw_has_begun, tick_two, no_such_person, has_withdrawn, is_disqualified,
    plays_already.
    """
    own = ClubChange(club_id, "enter_elsewhere", replace(by, key=None))
    acting = _acting(own, "enter_for_club", event_id, by)
    if acting.change.is_repeat:
        return entries_added_before(acting.change)
    event = acting.event
    _check_not_begun(event)
    known = acting.club.people.in_bulk(people)
    if len(known) < len(set(people)):
        raise Refusal("no_such_person", field="people")
    if len(known) != event.entry_size:
        raise Refusal("tick_two", field="people")
    check_not_withdrawn(event, [known[pk].name for pk in people], field="people")
    came = _there([known[pk] for pk in people], event)
    entry = Entry(event=event, number=next_number(event), team=acting.club.name, **players_of(came))
    added = keep_entries(acting.change, [entry], club=acting.club.name)
    acting.record(_names([known[pk] for pk in people]))
    return added


@transaction.atomic
def take_out_for_club(*, club_id: int, event_id: int, number: int, by: Actor = NOBODY) -> None:
    """Remove an entry of the club. Safe to repeat with the same key.

    Refuses: club_not_invited, draw_has_begun, no_such_entry_now.
    """
    own = ClubChange(club_id, "take_out_elsewhere", replace(by, key=None))
    acting = _acting(own, "take_out_for_club", event_id, by)
    if acting.change.is_repeat:
        return
    _check_not_begun(acting.event)
    entry = _entry_of(acting, number)
    names = str(entry)
    remove_entry_rows(acting.change, entry, club=acting.club.name)
    acting.record(names)


@transaction.atomic
def replace_for_club(
    *, club_id: int, event_id: int, number: int, place: int, person_id: int, by: Actor = NOBODY
) -> Entry:
    """Replace the player in place 1 or 2 by another person of the club. Safe to repeat with the same key.

    Refuses: club_not_invited, draw_has_begun, no_such_entry_now, no_such_place, no_such_person,
    plays_already.
    """
    own = ClubChange(club_id, "replace_elsewhere", replace(by, key=None))
    acting = _acting(own, "replace_for_club", event_id, by)
    entry = _entry_of(acting, number)
    if acting.change.is_repeat:
        return entry
    _check_not_begun(acting.event)
    if not 1 <= place <= len(entry.players):
        raise Refusal("no_such_place", field="place")
    person = acting.club.people.filter(pk=person_id).first()
    if person is None:
        raise Refusal("no_such_person", field="people")
    before = entry.players[place - 1]
    (after,) = _there([person], acting.event)
    acting.change.alter(entry, **{PLAYER_FIELDS[place - 1]: after})
    acting.change.record(club=acting.club.name, before=before.name, after=after.name)
    acting.record(str(entry))
    return entry


def _acting(own: ClubChange, kind: str, event_id: int, by: Actor) -> _Acting:
    """Lock the event, after the club, which is locked already. Refuses: club_not_invited."""
    change = Change(event_id, kind, Actor(key=by.key))
    invited = InvitedClub.objects.filter(club=own.club, event=change.event, answer=InvitationAnswer.ACCEPTED)
    if not invited.exists():
        raise Refusal("club_not_invited")
    return _Acting(own=own, change=change)


def _check_not_begun(event: Event) -> None:
    if event.state != EventState.PREPARING:
        raise Refusal("draw_has_begun", field="people", club=event.club.name)


def _entry_of(acting: _Acting, number: int) -> Entry:
    """Find an entry of the club. Refuses: no_such_entry_now, also for an entry of anybody else."""
    mine = entries_for(acting.event, visitors_in(acting.event, acting.club))
    entry = next((entry for entry in mine if entry.number == number), None)
    if entry is None:
        raise Refusal("no_such_entry_now", entry=number)
    return entry


def _there(people: Sequence[Person], event: Event) -> list[Person]:
    """Return the people who represent these people at the organizing club. Refuses: plays_already."""
    playing = {person.pk for entry in entries_of(event) for person in entry.players}
    found = []
    for person in people:
        there = _known_as(person, event.club)
        if there.pk in playing:
            raise Refusal("plays_already", field="people", name=person.name)
        found.append(there)
    return found


def _known_as(person: Person, host: Club) -> Person:
    """Return the guest at ``host`` who represents this person of another club, or create one.

    A namesake at the host is another person: the guest's name then gets the club next to it. Consents hold
    only for the person's own club, so the name is shortened here. A person unrated or hidden at home is so
    here, too.
    """
    known = Visitor.objects.filter(person=person, known_as__club=host).select_related("known_as").first()
    is_hidden = person.is_hidden or (
        person.club.public_names == PublicNames.NONE and not person.shows_full_name
    )
    if known is not None:
        if is_hidden and not known.known_as.is_hidden:
            known.known_as.is_hidden = True
            known.known_as.save(update_fields=["is_hidden"])
        return known.known_as
    name, folded_name = person.name, person.folded_name
    if host.people.filter(folded_name=folded_name).exists():
        name = name_with_hint(person.name, person.club.name)
        folded_name = fold_name(name)
    there = Person.objects.create(
        club=host,
        name=name,
        folded_name=folded_name,
        is_guest=True,
        is_rated=person.is_rated,
        is_hidden=is_hidden,
    )
    Visitor.objects.create(person=person, known_as=there)
    return there


def _names(people: Sequence[Person]) -> str:
    return " / ".join(person.name for person in people)
