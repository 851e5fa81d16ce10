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


def byes_in(events: Iterable[Event]) -> list[Seating]:
    """Return the byes in the published rounds of these events, with round, entry and players. One query."""
    byes = Seating.objects.filter(round__event__in=events, table=None).exclude(round__state=RoundState.DRAFT)
    return list(byes.select_related("round", "entry__player_1", "entry__player_2"))


def players_then(byes: Collection[tuple[Round, Entry]]) -> dict[tuple[int, int], list[Person]]:
    """Return the players of each entry when the round was closed, by both ids. If it is not closed, these are
    the current ones. One query where a round is closed, one more where somebody was replaced since."""
    replaced = _replacements_since(
        {entry.event_id for _, entry in byes}, [drawn.closed_at for drawn, _ in byes if drawn.closed_at]
    )
    then = {
        (drawn.pk, entry.pk): _then(entry, drawn.closed_at, replaced) if drawn.closed_at else _now(entry)
        for drawn, entry in byes
    }
    people = {person.pk: person for _, entry in byes for person in entry.players}
    clubs = {person.club_id for person in people.values()}
    people |= _people_by_id({pk for players in then.values() for pk in players} - people.keys(), clubs)
    return {
        (drawn.pk, entry.pk): [
            people.get(pk, now) for pk, now in zip(then[drawn.pk, entry.pk], entry.players, strict=True)
        ]
        for drawn, entry in byes
    }


def _replacements_since(events: Collection[int], moments: Collection[datetime]) -> Replacements:
    found: defaultdict[int, list[tuple[datetime, Mapping[str, int]]]] = defaultdict(list)
    if not moments:
        return found
    lines = Action.objects.filter(Q(kind=SUBSTITUTION) | Q(details__of=SUBSTITUTION), event__in=events)
    lines = lines.filter(created_at__gt=min(moments)).order_by("-pk")
    for at, changes in lines.values_list("created_at", "changes"):
        for kind, key, before, _ in changes.get("rows", ()):
            if kind == "entry":
                found[key].append((at, before))
    return found


def _now(entry: Entry) -> list[int]:
    return [person.pk for person in entry.players]


def _then(entry: Entry, moment: datetime, replaced: Replacements) -> list[int]:
    players = _now(entry)
    for at, before in replaced.get(entry.pk, ()):
        if at > moment:
            players = [before.get(place, pk) for place, pk in zip(_PLACES, players, strict=False)]
    return players


def _people_by_id(people: Collection[int], clubs: Collection[int]) -> dict[int, Person]:
    """Return people by id, also by the ids that were merged into theirs. One query, or none."""
    if not people:
        return {}
    merged = Q(club__in=clubs) & ~Q(merged_ids=[])
    found = Person.objects.filter(Q(pk__in=people) | merged)
    return {pk: person for person in found for pk in (person.pk, *person.merged_ids)}
