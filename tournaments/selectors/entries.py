"""Who takes part, and in which rounds."""

from collections.abc import Sequence
from typing import TypeVar
from uuid import UUID

from tournaments.draws.lineups import Lineup
from tournaments.entry_lists import EntryList, read_entry_sheet
from tournaments.lifecycle import RoundState
from tournaments.models import Action, Entry, Event

_Seated = TypeVar("_Seated")


def entries_of(event: Event) -> list[Entry]:
    """Who takes part, by number. One query."""
    return list(event.entries.select_related("player_1", "player_2").order_by("number"))


def entries_in(lineup: Lineup) -> dict[int, Entry]:
    """The entries of a line-up by id, with their players. One query."""
    return Entry.objects.select_related("player_1", "player_2").in_bulk(lineup.entries)


def entry_numbered(event: Event, number: int) -> Entry | None:
    """One query."""
    return event.entries.select_related("player_1", "player_2").filter(number=number).first()


def in_seats(sides: Sequence[Sequence[_Seated]]) -> list[_Seated]:
    """The players of both sides clockwise: A, B, A, B; or A, B where two people play."""
    return [side[place] for place in range(len(sides[0])) for side in sides]


def last_published_round(event: Event) -> int:
    """Its number; 0 before the first. One query."""
    published = event.rounds.exclude(state=RoundState.DRAFT).order_by("-number")
    return published.values_list("number", flat=True).first() or 0


def plays_in(entry: Entry, round_number: int) -> bool:
    """Whether the entry is drawn for this round, if only to sit out."""
    is_here = entry.arrives <= round_number and not has_left(entry, round_number)
    return is_here and not entry.is_waiting and round_number not in entry.absent


def has_left(entry: Entry, round_number: int) -> bool:
    """Whether the entry is gone for good by this round."""
    return entry.leaves_after is not None and entry.leaves_after < round_number


def names_taken(event: Event) -> list[str]:
    """The names of all who take part or wait. Who has withdrawn is free to come again. Two queries."""
    following = last_published_round(event) + 1
    still_here = [entry for entry in entries_of(event) if not has_left(entry, following)]
    return [person.name for entry in still_here for person in entry.players]


def section_names(event: Event) -> list[str]:
    return [section["name"] for section in event.sections]


def entry_sheet(event: Event, text: str, *, file: str) -> EntryList:
    """What a CSV file would add to the event, and what is refused of it. Two queries."""
    return read_entry_sheet(
        text,
        file=file,
        size=event.entry_size,
        sections=section_names(event),
        taken=names_taken(event),
    )


def sign_up_of(event: Event, key: UUID | None) -> tuple[Action | None, Entry | None]:
    """What a form of that key signed up, and the entry, unless it is off the list. At most two queries."""
    action = event.actions.filter(kind="sign_up", key=key).first() if key is not None else None
    if action is None:
        return None, None
    entries = event.entries.select_related("player_1", "player_2")
    return action, entries.filter(pk__in=action.details["ids"]).first()


def place_of(entry: Entry) -> int:
    """How many are in, or wait, up to this one. One query."""
    alike = Entry.objects.filter(event=entry.event_id, is_waiting=entry.is_waiting)
    return alike.filter(number__lte=entry.number).count()
