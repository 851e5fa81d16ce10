"""An event between clubs on its pages: how the clubs stand, and where the people of one of them sit."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from clubs.models import Club, Person
from clubs.names import folded
from clubs.wording import joined
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event, InvitedClub
from tournaments.pages.names import EntryNamed, entries_named_in
from tournaments.seasons import Counts, Night, PersonId, Showing, by_club
from tournaments.seasons.clubs import MERIT
from tournaments.selectors import entries_of
from tournaments.selectors.interclub import Place, entries_for, places_of, visitors_in
from tournaments.standings import PlainRow


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubEntry:
    """What an entry brought to its club, by public names."""

    entry: int
    names: str
    wins: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubLine:
    """A club in the standings by club: the sums of its entries, matches won before points."""

    name: str
    rank: int
    wins: int
    points: int
    entries: tuple[ClubEntry, ...]


FIGURES = tuple(counts.value for counts in MERIT)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnEntry:
    """An entry of the club that looks: its own people in full, and where it sits, against public names."""

    entry: Entry
    players: tuple[Person, ...]
    place: Place | None
    named: EntryNamed

    @property
    def names(self) -> str:
        return joined([person.name for person in self.players])

    @property
    def against(self) -> str:
        return "" if self.place is None else joined([self.named(entry) for entry in self.place.against])


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestView:
    """Another club's event for one that plays in it. ``round`` is the last that was published, or 0."""

    event: Event
    entries: tuple[OwnEntry, ...]
    round: int

    @property
    def may_enter(self) -> bool:
        return self.event.state == EventState.PREPARING


def guest_view(invited: InvitedClub, club: Club) -> GuestView:
    """Where they sit only if everybody may see who plays whom. Six queries at most."""
    event = invited.event
    assert event is not None
    visitors = visitors_in(event, club)
    entries = entries_for(event, visitors)
    number, places = places_of(event, entries) if entries and event.visible.draw else (0, {})
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


def club_lines(event: Event, rows: Sequence[PlainRow], entrants: Iterable[Entry]) -> tuple[ClubLine, ...]:
    """The clubs of an event, best first, each with what its entries brought; none where only one club plays.

    Who has no club plays for the one that holds the event. No query.
    """
    entries = {entry.number: entry for entry in entrants if not entry.is_waiting}
    names: dict[str, str] = {}
    for entry in entries.values():
        names.setdefault(folded(_club_of(event, entry)), _club_of(event, entry))
    if len(names) < 2:
        return ()
    ids = {key: place for place, key in enumerate(names)}
    showings = [
        Showing(
            entry=row["entry"],
            players=(),
            rank=row["rank"],
            figures={name: row[name] for name in FIGURES},
            club=ids[folded(_club_of(event, entries[row["entry"]]))],
        )
        for row in rows
        if row["entry"] in entries
    ]
    night = Night(event=event.pk, held_on=event.held_on, showings=tuple(showings))
    named = entries_named_in(event, entries.values())
    in_order = {PersonId(ids[key]): name for key, name in names.items()}
    return tuple(_line(clubs, in_order, showings, entries, named) for clubs in by_club(night).showings)


def _line(
    of_club: Showing,
    names: Mapping[PersonId, str],
    showings: Sequence[Showing],
    entries: Mapping[int, Entry],
    named: EntryNamed,
) -> ClubLine:
    (club,) = of_club.players
    return ClubLine(
        name=names[club],
        rank=of_club.rank,
        wins=of_club.figures[Counts.MATCH_WINS],
        points=of_club.figures[Counts.POINTS_FOR],
        entries=tuple(
            ClubEntry(
                entry=showing.entry,
                names=named(entries[showing.entry]),
                wins=showing.figures[Counts.MATCH_WINS],
                points=showing.figures[Counts.POINTS_FOR],
            )
            for showing in showings
            if showing.club == club
        ),
    )


def _club_of(event: Event, entry: Entry) -> str:
    return entry.team or event.club.name
