"""Entries of an event, and the rounds in which they play."""

from collections.abc import Collection, Iterable, Sequence
from typing import TypeVar
from uuid import UUID

from django.db.models import Q

from clubs.models import Family, Person
from engine.draws.lineups import Lineup
from tournaments.lifecycle import RoundState
from tournaments.models import Action, Entry, Event
from web.names import fold_name

_Seat = TypeVar("_Seat")


def get_entries(event: Event) -> list[Entry]:
    """Return the entries, by number. One query."""
    return list(event.entries.select_related("player_1", "player_2").order_by("number"))


def entries_of_family(event: Event, family: Family) -> list[Entry]:
    """Return the entries with a member of the family, by number; not those waiting or withdrawn. Two
    queries."""
    next_round = last_published_round(event) + 1
    entries = event.entries.filter(Q(player_1__family=family) | Q(player_2__family=family), is_waiting=False)
    return [entry for entry in entries.order_by("number") if not entry.has_left(next_round)]


def map_entry_numbers(person_id: int, events: Collection[int]) -> dict[int, int]:
    """Return the number of a person's entry in each of these events with standings, by event id. One query,
    or none."""
    found = Entry.objects.filter(
        Q(player_1=person_id) | Q(player_2=person_id), event__in=events, event__standings__isnull=False
    )
    return dict(found.values_list("event", "number"))


def entry_of_person(event: Event, person_id: int) -> Entry | None:
    """Return the last entry in which a person takes part, else one on the waiting list. One query."""
    entries = event.entries.filter(Q(player_1=person_id) | Q(player_2=person_id))
    return entries.select_related("player_1", "player_2").order_by("-is_waiting", "number").last()


def get_lineup_entries(lineup: Lineup) -> dict[int, Entry]:
    """Return the entries of a line-up by id, with their players. One query."""
    return Entry.objects.select_related("player_1", "player_2").in_bulk(lineup.entries)


def entry_numbered(event: Event, number: int) -> Entry | None:
    """Return the entry with this number, or None. One query."""
    return event.entries.select_related("player_1", "player_2").filter(number=number).first()


def in_seats(sides: Sequence[Sequence[_Seat]]) -> list[_Seat]:
    """List the players of both sides clockwise: A, B, A, B; or A, B where two people play."""
    return [side[place] for place in range(len(sides[0])) for side in sides]


def last_published_round(event: Event) -> int:
    """Return the number of the last published round; 0 before the first. One query."""
    published_rounds = event.rounds.exclude(state=RoundState.DRAFT).order_by("-number")
    return published_rounds.values_list("number", flat=True).first() or 0


def names_taken(event: Event, *, excluded_ids: Collection[int] = ()) -> list[str]:
    """Return the names of all players who take part or wait, except in the entries of ``excluded_ids``. Withdrawn
    players are left out, since they may enter again; disqualified ones are included. Two queries."""
    return [
        person.name
        for entry in _list_remaining_entries(event)
        if entry.pk not in excluded_ids
        for person in entry.players
    ]


def people_taking_part(event: Event) -> set[int]:
    """Return the ids of all who take part or wait, and of disqualified players. Two queries."""
    return {person.pk for entry in _list_remaining_entries(event) for person in entry.players}


def withdrawn_entries(event: Event) -> dict[tuple[str, ...], Entry]:
    """Return the entries that have withdrawn or are about to, by ``players_key``. One query."""
    withdrawn = event.entries.filter(leaves_after__isnull=False).select_related("player_1", "player_2")
    return {players_key(person.name for person in entry.players): entry for entry in withdrawn}


def players_key(names: Iterable[str]) -> tuple[str, ...]:
    """Identify an entry by its players' names, in any spelling and order."""
    return tuple(sorted(map(fold_name, names)))


def _list_remaining_entries(event: Event) -> list[Entry]:
    next_round = last_published_round(event) + 1
    return [entry for entry in get_entries(event) if entry.disqualification or not entry.has_left(next_round)]


def section_names(event: Event) -> list[str]:
    return [section["name"] for section in event.sections]


def has_sign_ups(event: Event) -> bool:
    """Check whether anybody has signed up online. One query."""
    return event.actions.filter(kind="sign_up").exists()


def sign_up_of(event: Event, key: UUID | None) -> tuple[Action | None, Entry | None]:
    """Return the sign-up recorded under a form's key, and its entry, or None if it was removed. For a player
    who signed up alone, it is their current entry. At most two queries."""
    action = event.actions.filter(kind="sign_up", key=key).first() if key is not None else None
    if action is None:
        return None, None
    entries = event.entries.select_related("player_1", "player_2")
    if event.entry_size > 1 and _get_lone_player_id(action) is not None:
        return action, next((entry for entry in entries if player_alone(action, entry) is not None), None)
    return action, entries.filter(pk__in=action.details["ids"]).first()


def player_alone(action: Action, entry: Entry) -> Person | None:
    """Return the player of the entry who signed up alone by that action, also after a merge. No query."""
    pk = _get_lone_player_id(action)
    return next((person for person in entry.players if pk in (person.pk, *person.merged_ids)), None)


def _get_lone_player_id(action: Action) -> int | None:
    """Return the id of the person who signed up alone; None if it was a pair."""
    row = next(after for kind, _, _, after in action.changes["rows"] if kind == "entry")
    return None if row["player_2_id"] is not None else row["player_1_id"]


def looking_for_partner(event: Event) -> list[Entry]:
    """Return the entries still looking for a partner, by number. One query, or none."""
    if event.entry_size == 1:
        return []
    lone_entries = event.entries.filter(is_waiting=True, player_2=None)
    return list(lone_entries.select_related("player_1").order_by("number"))


def place_of(entry: Entry) -> int:
    """Return the place of an entry among those in, or among those waiting; players without a partner are not
    counted. One query."""
    peers = Entry.objects.filter(event=entry.event_id, is_waiting=entry.is_waiting)
    if entry.event.entry_size > 1:
        peers = peers.exclude(player_2=None)
    return peers.filter(number__lte=entry.number).count()
