"""People of the club whose names match, or nearly match, those of a list."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from django.db.models import Q

from clubs.models import Person
from clubs.name_matching import KnownNames, spelling
from tournaments.entries.entry_import import ListedEntry, is_of_others
from tournaments.entries.queries.entries import people_taking_part
from tournaments.models import Entry, Event
from web.names import fold_name, name_without_hint

Alike = tuple[str, str, tuple[int, ...]]
"""A name of a list, its team, and the ids of people who may be meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A person who may be meant by a name. If it is not sure, ``last`` is their last entry."""

    person: Person
    last: Entry | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Namesake:
    """A ``name`` of a list and the people who may be meant.

    ``suggested`` is the id of the likeliest, None for somebody new. ``is_sure``: only one person has exactly
    this name, and their team does not contradict it.
    """

    name: str
    team: str
    candidates: tuple[Candidate, ...]
    suggested: int | None
    is_sure: bool

    @property
    def key(self) -> str:
        return fold_name(self.name)


def unrecognized_players(event: Event) -> list[tuple[Entry, Person]]:
    """Return players created by an online sign-up whom the organizer has not identified yet. Two queries at
    most."""
    entries = event.entries.filter(signed_up_at__isnull=False).select_related("player_1", "player_2")
    new = [
        (entry, person)
        for entry in entries.order_by("number")
        for person in entry.players
        if entry.signed_up_at is not None and person.added_at >= entry.signed_up_at
    ]
    if not new:
        return []
    lines = event.actions.filter(kind="recognize_players").values_list("details", flat=True)
    answered = {pk for details in lines for pk in details["people"]}
    return [(entry, person) for entry, person in new if person.pk not in answered]


def namesakes_to_recognize(event: Event) -> tuple[Namesake, ...]:
    """Return those of the unrecognized players whom the club may know already. Five queries at most."""
    asked = unrecognized_players(event)
    listed = [ListedEntry(players=(person.name,), team=entry.team) for entry, person in asked]
    return namesakes_of(event, listed, but=[person.pk for _, person in asked]) if asked else ()


def namesakes_of(
    event: Event, listed: Iterable[ListedEntry], *, but: Collection[int] = ()
) -> tuple[Namesake, ...]:
    """Return the listed names that may mean people of the club, in order, ``but`` these ids. Five queries at
    most."""
    known = Person.objects.filter(club=event.club_id, anonymized_at=None).exclude(pk__in=but).order_by("pk")
    names = KnownNames(known.values_list("pk", "name"))
    alike = [
        (name, entry.team, names.spelled_like(name) or names.made_of(name))
        for entry in listed
        for name in entry.players
    ]
    alike = _also_told_apart(event, alike, names)
    people = known.in_bulk({pk for _, _, pks in alike for pk in pks})
    found = [_namesake(event, name, team, [people[pk] for pk in pks]) for name, team, pks in alike if pks]
    unsure = {each.person.pk for namesake in found if not namesake.is_sure for each in namesake.candidates}
    last = last_entries(event, unsure)
    return tuple(
        replace(
            namesake,
            candidates=tuple(replace(each, last=last.get(each.person.pk)) for each in namesake.candidates),
        )
        for namesake in found
    )


def _also_told_apart(event: Event, alike: Sequence[Alike], names: KnownNames) -> list[Alike]:
    """Match names that have a bracketed hint and are unknown to people of the plain name. Those already
    entered are left out."""
    plain = [() if pks else names.spelled_like(name_without_hint(name)) for name, _, pks in alike]
    here = people_taking_part(event) if any(plain) else set()
    return [
        (name, team, pks or tuple(pk for pk in others if pk not in here))
        for (name, team, pks), others in zip(alike, plain, strict=True)
    ]


def _namesake(event: Event, name: str, team: str, people: Sequence[Person]) -> Namesake:
    first = people[0]
    is_stranger = is_of_others(team, event.club.name) and not first.is_guest
    is_told_apart = spelling(first.name) == spelling(name_without_hint(name)) != spelling(name)
    return Namesake(
        name=name,
        team=team,
        candidates=tuple(Candidate(person=person) for person in people),
        suggested=None if is_stranger or is_told_apart else first.pk,
        is_sure=not is_stranger and len(people) == 1 and first.folded_name == fold_name(name),
    )


def last_entries(event: Event, people: Collection[int]) -> dict[int, Entry]:
    """Return the last entry of each person in another event. One query."""
    entries = Entry.objects.filter(Q(player_1__in=people) | Q(player_2__in=people)).exclude(event=event)
    found: dict[int, Entry] = {}
    for entry in entries.select_related("event", "player_1", "player_2").order_by("event__held_on", "pk"):
        found |= {person.pk: entry for person in entry.players if person.pk in people}
    return found
