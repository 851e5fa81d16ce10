"""Presenters of interclub events: standings by club, and where the people of one club sit."""

from dataclasses import dataclass

from clubs.models import Club, Person
from clubs.wording import join_names
from tournaments.entries.queries.entries import entries_of
from tournaments.events.presenters.names import EntryNamed, entries_named_in
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event, InvitedClub

from .queries import SeatInRound, entries_for, seats_of_entries, visitors_in


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnEntry:
    """An entry of the viewing club: full names for its own people, public names for opponents."""

    entry: Entry
    players: tuple[Person, ...]
    place: SeatInRound | None
    named: EntryNamed

    @property
    def names(self) -> str:
        return join_names([person.name for person in self.players])

    @property
    def against(self) -> str:
        return "" if self.place is None else join_names([self.named(entry) for entry in self.place.against])


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestView:
    """An event of another club, as a guest club sees it. ``round`` is the last published one, or 0."""

    event: Event
    entries: tuple[OwnEntry, ...]
    round: int

    @property
    def may_enter(self) -> bool:
        return self.event.state == EventState.PREPARING


def guest_view(invited: InvitedClub, club: Club) -> GuestView:
    """Return the event with the guest club's entries, and their seats if the draw is public. Six queries at
    most."""
    event = invited.event
    assert event is not None
    visitors = visitors_in(event, club)
    entries = entries_for(event, visitors)
    number, places = seats_of_entries(event, entries) if entries and event.visible.draw else (0, {})
    named = entries_named_in(event, entries_of(event))
    return GuestView(
        event=event,
        entries=tuple(
            OwnEntry(
                entry=entry,
                players=tuple(visitors[person.pk] for person in entry.players),
                place=places.get(entry.pk),
                named=named,
            )
            for entry in entries
        ),
        round=number,
    )
