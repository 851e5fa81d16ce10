"""People of a club who can be entered in an event."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from django.db.models import Q, QuerySet

from clubs.models import Person
from clubs.people import search_people
from tournaments.models import Entry, Event

from .entries import get_entries
from .name_matches import map_last_entries

MAX_OFFERED = 60
"""Most people, or pairs, that a page offers; a search finds the others."""

MAX_RECENT_ENTRIES = 1_000
"""Most entries of past events that are considered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedPerson:
    """A person offered for entry. With a namesake, ``last`` is the last entry in which the club saw them."""

    person: Person
    has_namesake: bool = False
    last: Entry | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPeople:
    """People and ``pairs`` not entered yet, those of the last events first. ``are_more``: a search would find
    others."""

    people: tuple[OfferedPerson, ...]
    pairs: tuple[tuple[Person, Person], ...]
    are_more: bool


VISITORS = Q(is_guest=True, at_home__isnull=False)
"""People who came with another club: offered only when searched for by name."""


def list_known_people(event: Event, search: str = "", selected_groups: Sequence[Sequence[int]] = ()) -> KnownPeople:
    """Return active people whose names match the search and who are not entered yet.

    The people and pairs of ``selected_groups`` come first, whatever their names. At most six queries.
    """
    entered_ids = {person.pk for entry in get_entries(event) for person in entry.players}
    people = Person.objects.filter(club=event.club_id, is_active=True)
    people = people if search else people.exclude(VISITORS)
    offered_people = offer_people(event, event.club_id, people, entered_ids, search)
    return (
        _put_selected_first(event, offered_people, selected_groups, entered_ids) if selected_groups else offered_people
    )


def _put_selected_first(
    event: Event, offered_people: KnownPeople, selected_groups: Sequence[Sequence[int]], entered_ids: Collection[int]
) -> KnownPeople:
    """Put the selected people and pairs first. One query, and one more where two have the same name."""
    ids = {pk for group in selected_groups for pk in group}
    free = Person.objects.filter(club=event.club_id, is_active=True, pk__in=ids).exclude(pk__in=entered_ids)
    people_by_id = {person.pk: person for person in free}
    groups = [[people_by_id[pk] for pk in group] for group in selected_groups if people_by_id.keys() >= {*group}]
    single_people = [group[0] for group in groups if len(group) == 1]
    pairs = [(group[0], group[1]) for group in groups if len(group) == 2]
    others = [candidate for candidate in offered_people.people if candidate.person not in single_people]
    return replace(
        offered_people,
        people=(*_build_offered_people(event, single_people), *others),
        pairs=tuple(dict.fromkeys([*pairs, *offered_people.pairs])),
    )


def build_offered_person(event: Event, person: Person) -> OfferedPerson:
    """Return one person as offered, with their last entry if they have a namesake. Two queries at most."""
    namesakes = Person.objects.filter(club=person.club_id, folded_name=person.folded_name, is_active=True)
    return _build_offered_people(event, [person, *namesakes.exclude(pk=person.pk)])[0]


def _build_offered_people(event: Event, people: Sequence[Person]) -> tuple[OfferedPerson, ...]:
    """Add the last entry of each person who has a namesake among them. One query, where two have the same
    name."""
    times = Counter(person.folded_name for person in people)
    namesakes = {person.pk for person in people if times[person.folded_name] > 1}
    entries_by_person = map_last_entries(event, namesakes) if namesakes else {}
    return tuple(
        OfferedPerson(person=person, has_namesake=person.pk in namesakes, last=entries_by_person.get(person.pk))
        for person in people
    )


def offer_people(
    event: Event, club_id: int, people: QuerySet[Person], entered_ids: Collection[int], search: str
) -> KnownPeople:
    """Return the people whose names match, and the pairs among them, without those in ``entered_ids``. At most
    four queries."""
    entries = Entry.objects.filter(event__club=club_id).exclude(event=event)
    recent = entries.order_by("-event__held_on", "-event_id", "number").values_list("player_1", "player_2")
    recent_pairs = list(dict.fromkeys(recent[:MAX_RECENT_ENTRIES]))
    recent_ids = list(dict.fromkeys(pk for pair in recent_pairs for pk in pair if pk is not None))
    matches = search_people(people, search).exclude(pk__in=entered_ids)
    people_by_id = {person.pk: person for person in matches.filter(pk__in=recent_ids)}
    offered = [people_by_id[pk] for pk in recent_ids if pk in people_by_id]
    if len(offered) <= MAX_OFFERED:
        offered += matches.exclude(pk__in=recent_ids).order_by("folded_name", "pk")[: MAX_OFFERED + 1]
    pairs = (
        (people_by_id[first_id], people_by_id[second_id])
        for first_id, second_id in recent_pairs
        if event.entry_size == 2 and first_id in people_by_id and second_id in people_by_id
    )
    return KnownPeople(
        people=_build_offered_people(event, offered[:MAX_OFFERED]),
        pairs=tuple(islice(pairs, MAX_OFFERED)),
        are_more=len(offered) > MAX_OFFERED,
    )
