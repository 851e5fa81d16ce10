"""Players who sat out a round: those who played for the entry at that time."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from django.db.models import Q

from clubs.models import Person
from tournaments.lifecycle import RoundState
from tournaments.models import Action, Entry, Event, Round, Seating

SUBSTITUTION = "substitute_player"
"""Kind of a change that puts a substitute into an entry of a running event."""

_PLACES = ("player_1_id", "player_2_id")

Replacements = Mapping[int, list[tuple[datetime, Mapping[str, int]]]]
"""Substitutions by entry id, the last one first: the time, and who had the place before."""


def list_byes(events: Iterable[Event] | Collection[int]) -> list[Seating]:
    """Return the byes in the published rounds of these events, with round, entry and players. One query."""
    byes = Seating.objects.filter(round__event__in=events, table=None).exclude(round__state=RoundState.DRAFT)
    return list(byes.select_related("round", "entry__player_1", "entry__player_2"))


def map_players_at_close(byes: Collection[tuple[Round, Entry]]) -> dict[tuple[int, int], list[Person]]:
    """Return the players of each entry when the round was closed, by both ids. If it is not closed, these are
    the current ones. One query where a round is closed, one more where somebody was replaced since."""
    replacements = _read_replacements(
        {entry.event_id for _, entry in byes}, [round_row.closed_at for round_row, _ in byes if round_row.closed_at]
    )
    players_by_bye = {
        (round_row.pk, entry.pk): _list_players_at(entry, round_row.closed_at, replacements)
        if round_row.closed_at
        else _list_current_players(entry)
        for round_row, entry in byes
    }
    people = {person.pk: person for _, entry in byes for person in entry.players}
    clubs = {person.club_id for person in people.values()}
    people |= _map_people_by_id({pk for players in players_by_bye.values() for pk in players} - people.keys(), clubs)
    return {
        (round_row.pk, entry.pk): [
            people.get(pk, now) for pk, now in zip(players_by_bye[round_row.pk, entry.pk], entry.players, strict=True)
        ]
        for round_row, entry in byes
    }


def _read_replacements(events: Collection[int], moments: Collection[datetime]) -> Replacements:
    found: defaultdict[int, list[tuple[datetime, Mapping[str, int]]]] = defaultdict(list)
    if not moments:
        return found
    lines = Action.objects.filter(Q(kind=SUBSTITUTION) | Q(details__of=SUBSTITUTION), event__in=events)
    lines = lines.filter(created_at__gt=min(moments)).order_by("-pk")
    for created_at, changes in lines.values_list("created_at", "changes"):
        for kind, key, previous, _ in changes.get("rows", ()):
            if kind == "entry":
                found[key].append((created_at, previous))
    return found


def _list_current_players(entry: Entry) -> list[int]:
    return [person.pk for person in entry.players]


def _list_players_at(entry: Entry, moment: datetime, replacements: Replacements) -> list[int]:
    players = _list_current_players(entry)
    for replaced_at, previous in replacements.get(entry.pk, ()):
        if replaced_at > moment:
            players = [previous.get(place, pk) for place, pk in zip(_PLACES, players, strict=False)]
    return players


def _map_people_by_id(people: Collection[int], clubs: Collection[int]) -> dict[int, Person]:
    """Return people by id, also by the ids that were merged into theirs. One query, or none."""
    if not people:
        return {}
    has_merges = Q(club__in=clubs) & ~Q(merged_ids=[])
    found = Person.objects.filter(Q(pk__in=people) | has_merges)
    return {pk: person for person in found for pk in (person.pk, *person.merged_ids)}
