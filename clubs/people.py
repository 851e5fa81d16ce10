"""Whom a club knows: looked for by name, and shown a page at a time."""

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
"""As many people as a page shows."""

GROUPS: Mapping[str, Q] = {
    "active": Q(is_active=True),
    "members": Q(is_active=True, is_guest=False),
    "guests": Q(is_active=True, is_guest=True),
    "former": Q(is_active=False),
}
"""The parts of the list, the first of which is shown first."""

OWING = "owing"
"""One more, where the club asks dues: the members who have not paid them."""

_BEFORE_A_WORD = " -'("
_BETWEEN_WORDS = re.compile(f"[{re.escape(_BEFORE_A_WORD)}]+")
_MOST_WORDS = 6
_GROUPING = re.compile(r"[\s().–-]")


@dataclass(frozen=True, slots=True, kw_only=True)
class PeoplePage(PageOfList):
    """``found`` are all in the group who are looked for, ``people`` those on this page; ``counts`` how many
    there are in each group."""

    people: tuple[Person, ...]
    search: str
    group: str
    counts: Mapping[str, int]


def people_named(people: QuerySet[Person], search: str) -> QuerySet[Person]:
    """Those whose names have a word that begins with each word of the search, whatever the accents."""
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
    """A page of the list, by name, or all of it, where there is no ``size``. Where dues are asked for a
    ``period``, one group are those who owe them. Two queries."""
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
    """One query."""
    return club.people.select_related("family").filter(pk=pk).first()


def compare_with_people(club: Club, listed: Iterable[ListedPerson]) -> dict[int, NameMatch]:
    """Whether the club knows those of a list, by key. One query."""
    people = Person.objects.filter(club=club, anonymized_at=None).order_by("pk")
    known = KnownNames(people.values_list("pk", "name"))
    return matches(((one.key, one.name) for one in listed), known)


def other_contacts(
    club: Club, listed: Iterable[ListedPerson], alike: Mapping[int, NameMatch]
) -> list[tuple[Person, str]]:
    """Those of a list whom the club knows under another telephone or e-mail than the list has for them, with
    that one; ``alike`` as they were compared. One query."""
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
    """However its digits are grouped."""
    return _GROUPING.sub("", contact.casefold())


def alike_people(club: Club) -> list[tuple[Person, Person]]:
    """Two by two, those who may be one person by their names, as many as a page shows. Two queries."""
    all_people = Person.objects.filter(club=club, anonymized_at=None).order_by("pk")
    names_of_all = all_people.values_list("pk", "name")
    pairs = list(islice(KnownNames(names_of_all).pairs(), PAGE))
    people = Person.objects.select_related("family").in_bulk({pk for pair in pairs for pk in pair})
    return [(people[one], people[other]) for one, other in pairs]


def families_of(club: Club) -> QuerySet[Family]:
    """The families, by name. One query."""
    return club.families.order_by("name", "pk")


def labels_of(club: Club) -> list[str]:
    """The club's own words for groups, as far as somebody is in them. One query."""
    people = Person.objects.filter(club=club).exclude(labels=[]).order_by("pk")
    lists = people.values_list("labels", flat=True)
    return sorted(one_spelling(label for labels in lists for label in labels).values(), key=fold_name)
