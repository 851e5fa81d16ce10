"""People of the club whose names match, or nearly match, those of a list."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from django.db.models import Q

from clubs.models import Person
from clubs.name_matching import NameIndex, normalize_spelling
from tournaments.entries.entry_import.values import ListedEntry, is_guest_team
from tournaments.entries.queries.entries import people_taking_part
from tournaments.models import Entry, Event
from web.names import fold_name, remove_hint

NameMatch = tuple[str, str, tuple[int, ...]]
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


def list_unrecognized_players(event: Event) -> list[tuple[Entry, Person]]:
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
    answered_ids = {pk for details in lines for pk in details["people"]}
    return [(entry, person) for entry, person in new if person.pk not in answered_ids]


def list_unidentified_namesakes(event: Event) -> tuple[Namesake, ...]:
    """Return those of the unrecognized players whom the club may know already. Five queries at most."""
    unrecognized = list_unrecognized_players(event)
    entries = [ListedEntry(players=(person.name,), team=entry.team) for entry, person in unrecognized]
    return (
        list_namesakes(event, entries, excluded_ids=[person.pk for _, person in unrecognized]) if unrecognized else ()
    )


def list_namesakes(
    event: Event, entries: Iterable[ListedEntry], *, excluded_ids: Collection[int] = ()
) -> tuple[Namesake, ...]:
    """Return the listed names that may mean people of the club, in order, except the people of ``excluded_ids``.
    At most five queries."""
    known_people = (
        Person.objects.filter(club=event.club_id, anonymized_at=None).exclude(pk__in=excluded_ids).order_by("pk")
    )
    names = NameIndex(known_people.values_list("pk", "name"))
    matches = [
        (name, entry.team, names.find_same_spelling(name) or names.find_same_words(name))
        for entry in entries
        for name in entry.players
    ]
    matches = _match_hinted_names(event, matches, names)
    people = known_people.in_bulk({pk for _, _, pks in matches for pk in pks})
    found = [_build_namesake(event, name, team, [people[pk] for pk in pks]) for name, team, pks in matches if pks]
    unsure = {candidate.person.pk for namesake in found if not namesake.is_sure for candidate in namesake.candidates}
    entries_by_person = map_last_entries(event, unsure)
    return tuple(
        replace(
            namesake,
            candidates=tuple(
                replace(candidate, last=entries_by_person.get(candidate.person.pk)) for candidate in namesake.candidates
            ),
        )
        for namesake in found
    )


def _match_hinted_names(event: Event, matches: Sequence[NameMatch], names: NameIndex) -> list[NameMatch]:
    """Match names that have a bracketed hint and are unknown to people of the plain name. Those already
    entered are left out."""
    unhinted_matches = [() if pks else names.find_same_spelling(remove_hint(name)) for name, _, pks in matches]
    participant_ids = people_taking_part(event) if any(unhinted_matches) else set()
    return [
        (name, team, pks or tuple(pk for pk in others if pk not in participant_ids))
        for (name, team, pks), others in zip(matches, unhinted_matches, strict=True)
    ]


def _build_namesake(event: Event, name: str, team: str, people: Sequence[Person]) -> Namesake:
    first = people[0]
    is_stranger = is_guest_team(team, event.club.name) and not first.is_guest
    is_distinguished = (
        normalize_spelling(first.name) == normalize_spelling(remove_hint(name)) != normalize_spelling(name)
    )
    return Namesake(
        name=name,
        team=team,
        candidates=tuple(Candidate(person=person) for person in people),
        suggested=None if is_stranger or is_distinguished else first.pk,
        is_sure=not is_stranger and len(people) == 1 and first.folded_name == fold_name(name),
    )


def map_last_entries(event: Event, people: Collection[int]) -> dict[int, Entry]:
    """Return the last entry of each person in another event. One query."""
    entries = Entry.objects.filter(Q(player_1__in=people) | Q(player_2__in=people)).exclude(event=event)
    entries_by_person: dict[int, Entry] = {}
    for entry in entries.select_related("event", "player_1", "player_2").order_by("event__held_on", "pk"):
        entries_by_person |= {person.pk: entry for person in entry.players if person.pk in people}
    return entries_by_person
