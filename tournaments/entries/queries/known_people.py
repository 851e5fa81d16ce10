"""People of a club who can be entered in an event."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from django.db.models import Q, QuerySet

from clubs.models import Person
from clubs.people import people_named
from tournaments.models import Entry, Event

from .entries import entries_of
from .name_matches import last_entries

MOST_OFFERED = 60
"""Most people, or pairs, that a page offers; a search finds the others."""

MOST_RECENT = 1_000
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


def known_people(event: Event, search: str = "", ticked: Sequence[Sequence[int]] = ()) -> KnownPeople:
    """Return active people whose names match the search and who are not entered yet.

    The ``ticked`` people and pairs come first, whatever their names. At most six queries.
    """
    here = {person.pk for entry in entries_of(event) for person in entry.players}
    people = Person.objects.filter(club=event.club_id, is_active=True)
    people = people if search else people.exclude(VISITORS)
    offered = offer_people(event, event.club_id, people, here, search)
    return _with_ticked(event, offered, ticked, here) if ticked else offered


def _with_ticked(
    event: Event, offered: KnownPeople, ticked: Sequence[Sequence[int]], here: Collection[int]
) -> KnownPeople:
    """Put the ticked people and pairs first. One query, and one more where two have the same name."""
    ids = {pk for group in ticked for pk in group}
    free = Person.objects.filter(club=event.club_id, is_active=True, pk__in=ids).exclude(pk__in=here)
    by_id = {person.pk: person for person in free}
    groups = [[by_id[pk] for pk in group] for group in ticked if by_id.keys() >= {*group}]
    alone = [group[0] for group in groups if len(group) == 1]
    pairs = [(group[0], group[1]) for group in groups if len(group) == 2]
    others = [each for each in offered.people if each.person not in alone]
    return replace(
        offered,
        people=(*_with_namesakes(event, alone), *others),
        pairs=tuple(dict.fromkeys([*pairs, *offered.pairs])),
    )


def offered_person(event: Event, person: Person) -> OfferedPerson:
    """Return one person as offered, with their last entry if they have a namesake. Two queries at most."""
    alike = Person.objects.filter(club=person.club_id, folded_name=person.folded_name, is_active=True)
    return _with_namesakes(event, [person, *alike.exclude(pk=person.pk)])[0]


def _with_namesakes(event: Event, people: Sequence[Person]) -> tuple[OfferedPerson, ...]:
    """Add the last entry of each person who has a namesake among them. One query, where two have the same
    name."""
    times = Counter(person.folded_name for person in people)
    namesakes = {person.pk for person in people if times[person.folded_name] > 1}
    last = last_entries(event, namesakes) if namesakes else {}
    return tuple(
        OfferedPerson(person=person, has_namesake=person.pk in namesakes, last=last.get(person.pk))
        for person in people
    )


def offer_people(
    event: Event, club_id: int, people: QuerySet[Person], here: Collection[int], search: str
) -> KnownPeople:
    """Offer those of these people whose names match, and the pairs of them, without those ``here``. Four
    queries at most."""
    entries = Entry.objects.filter(event__club=club_id).exclude(event=event)
    recent = entries.order_by("-event__held_on", "-event_id", "number").values_list("player_1", "player_2")
    together = list(dict.fromkeys(recent[:MOST_RECENT]))
    came = list(dict.fromkeys(pk for pair in together for pk in pair if pk is not None))
    found = people_named(people, search).exclude(pk__in=here)
    by_id = {person.pk: person for person in found.filter(pk__in=came)}
    offered = [by_id[pk] for pk in came if pk in by_id]
    if len(offered) <= MOST_OFFERED:
        offered += found.exclude(pk__in=came).order_by("folded_name", "pk")[: MOST_OFFERED + 1]
    pairs = (
        (by_id[one], by_id[other])
        for one, other in together
        if event.entry_size == 2 and one in by_id and other in by_id
    )
    return KnownPeople(
        people=_with_namesakes(event, offered[:MOST_OFFERED]),
        pairs=tuple(islice(pairs, MOST_OFFERED)),
        are_more=len(offered) > MOST_OFFERED,
    )
