"""Searches among a club's people, and the list in pages."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from django.db.models import Count, Q, QuerySet

from web.names import clean_text, fold_name, one_spelling
from web.paging import PageOfList, part_of

from .dues import owing
from .models import Club, DuesPeriod, Family, Person
from .name_matching import KnownNames, Likeness, NameMatch, matches
from .people_import import ListedPerson

PAGE = 60
"""People per page."""

GROUPS: Mapping[str, Q] = {
    "active": Q(is_active=True),
    "members": Q(is_active=True, is_guest=False),
    "guests": Q(is_active=True, is_guest=True),
    "former": Q(is_active=False),
}
"""Groups in the list; the first is the default."""

OWING = "owing"
"""A further group, if the club charges dues: members who have not paid."""

_BEFORE_A_WORD = " -'("
_BETWEEN_WORDS = re.compile(f"[{re.escape(_BEFORE_A_WORD)}]+")
_MOST_WORDS = 6
_GROUPING = re.compile(r"[\s().–-]")


@dataclass(frozen=True, slots=True, kw_only=True)
class PeoplePage(PageOfList):
    """A page of the list of people.

    ``found`` people match the search in the group, ``people`` are on this page, and ``counts``
    are of all groups.
    """

    people: tuple[Person, ...]
    search: str
    group: str
    counts: Mapping[str, int]


def people_named(people: QuerySet[Person], search: str) -> QuerySet[Person]:
    """Return the people whose names have a word beginning with each word of the search,
    regardless of accents."""
    for word in _BETWEEN_WORDS.split(fold_name(clean_text(search)))[:_MOST_WORDS]:
        if word:
            inside = [Q(folded_name__contains=before + word) for before in _BEFORE_A_WORD]
            begins = Q(folded_name__startswith=word)
            for each in inside:
                begins |= each
            people = people.filter(begins)
    return people


def people_page(
    club: Club,
    *,
    search: str = "",
    group: str = "",
    number: int = 1,
    size: int | None = PAGE,
    period: DuesPeriod | None = None,
) -> PeoplePage:
    """Return a page of people by name, or all of them without ``size``. With a dues ``period``, one group are
    the people who owe. Two queries."""
    groups = dict(GROUPS) if period is None else {**GROUPS, OWING: owing(period)}
    group = group if group in groups else next(iter(groups))
    found = people_named(Person.objects.filter(club=club, anonymized_at=None), search)
    counts = found.aggregate(**{name: Count("pk", filter=condition) for name, condition in groups.items()})
    part = part_of(counts[group], number=number, size=size)
    people = found.filter(groups[group]).select_related("family").order_by("folded_name", "pk")
    return PeoplePage(
        **part.as_values(),
        people=tuple(people[part.places]),
        search=search,
        group=group,
        counts=counts,
    )


def person_of(club: Club, pk: int) -> Person | None:
    """Return the person with this key. One query."""
    return club.people.select_related("family").filter(pk=pk).first()


def compare_with_people(club: Club, listed: Iterable[ListedPerson]) -> dict[int, NameMatch]:
    """Match a list against the club's people, by key. One query."""
    people = Person.objects.filter(club=club, anonymized_at=None).order_by("pk")
    known = KnownNames(people.values_list("pk", "name"))
    return matches(((one.key, one.name) for one in listed), known)


def other_contacts(
    club: Club, listed: Iterable[ListedPerson], alike: Mapping[int, NameMatch]
) -> list[tuple[Person, str]]:
    """Return known people whose telephone or e-mail differs in the list, with the listed one. ``alike`` are
    the matches. One query."""
    said = {
        alike[one.key].known[0]: one.contact
        for one in listed
        if one.contact and alike[one.key].likeness == Likeness.THERE
    }
    known = club.people.in_bulk(said)
    return [
        (known[pk], contact)
        for pk, contact in said.items()
        if _as_compared(contact) != _as_compared(known[pk].contact)
    ]


def _as_compared(contact: str) -> str:
    """Return the contact for comparison, without the grouping of its digits."""
    return _GROUPING.sub("", contact.casefold())


def alike_people(club: Club) -> list[tuple[Person, Person]]:
    """Return pairs of possible duplicates by name, at most a page of them. Two queries."""
    all_people = Person.objects.filter(club=club, anonymized_at=None).order_by("pk")
    names_of_all = all_people.values_list("pk", "name")
    pairs = list(islice(KnownNames(names_of_all).pairs(), PAGE))
    people = Person.objects.select_related("family").in_bulk({pk for pair in pairs for pk in pair})
    return [(people[one], people[other]) for one, other in pairs]


def families_of(club: Club) -> QuerySet[Family]:
    """Return the families by name. One query."""
    return club.families.order_by("name", "pk")


def labels_of(club: Club) -> list[str]:
    """Return the labels that somebody in the club has. One query."""
    people = Person.objects.filter(club=club).exclude(labels=[]).order_by("pk")
    lists = people.values_list("labels", flat=True)
    return sorted(one_spelling(label for labels in lists for label in labels).values(), key=fold_name)
