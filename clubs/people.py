"""Searches among a club's people, and the list in pages."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from django.db.models import Count, Q, QuerySet

from web.names import clean_text, fold_name, unify_spellings
from web.paging import ListPage, get_list_page

from .dues import build_unpaid_condition
from .models import Club, DuesPeriod, Family, Person
from .name_matching import MatchKind, NameIndex, NameMatch, match_names
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

UNPAID = "owing"
"""A further group, if the club charges dues: members who have not paid."""

_WORD_STARTS = " -'("
_WORD_SEPARATORS = re.compile(f"[{re.escape(_WORD_STARTS)}]+")
_MAX_SEARCH_WORDS = 6
_DIGIT_SEPARATORS = re.compile(r"[\s().–-]")


@dataclass(frozen=True, slots=True, kw_only=True)
class PeoplePage(ListPage):
    """A page of the list of people.

    ``found`` people match the search in the group, ``people`` are on this page, and ``counts``
    are of all groups.
    """

    people: tuple[Person, ...]
    search: str
    group: str
    counts: Mapping[str, int]


def search_people(people: QuerySet[Person], search: str) -> QuerySet[Person]:
    """Return the people whose names have a word beginning with each word of the search,
    regardless of accents."""
    for word in _WORD_SEPARATORS.split(fold_name(clean_text(search)))[:_MAX_SEARCH_WORDS]:
        if word:
            word_conditions = [Q(folded_name__contains=before + word) for before in _WORD_STARTS]
            condition = Q(folded_name__startswith=word)
            for each in word_conditions:
                condition |= each
            people = people.filter(condition)
    return people


def get_people_page(
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
    groups = dict(GROUPS) if period is None else {**GROUPS, UNPAID: build_unpaid_condition(period)}
    group = group if group in groups else next(iter(groups))
    found = search_people(Person.objects.filter(club=club, anonymized_at=None), search)
    counts = found.aggregate(**{name: Count("pk", filter=condition) for name, condition in groups.items()})
    part = get_list_page(counts[group], number=number, size=size)
    people = found.filter(groups[group]).select_related("family").order_by("folded_name", "pk")
    return PeoplePage(
        **part.get_values(),
        people=tuple(people[part.places]),
        search=search,
        group=group,
        counts=counts,
    )


def find_person(club: Club, pk: int) -> Person | None:
    """Return the person with this key. One query."""
    return club.people.select_related("family").filter(pk=pk).first()


def match_with_people(club: Club, listed_people: Iterable[ListedPerson]) -> dict[int, NameMatch]:
    """Match a list against the club's people, by key. One query."""
    people = Person.objects.filter(club=club, anonymized_at=None).order_by("pk")
    name_index = NameIndex(people.values_list("pk", "name"))
    return match_names(((one.key, one.name) for one in listed_people), name_index)


def find_different_contacts(
    club: Club, listed_people: Iterable[ListedPerson], matches_by_key: Mapping[int, NameMatch]
) -> list[tuple[Person, str]]:
    """Return known people whose telephone or e-mail differs in the list, with the listed one.
    ``matches_by_key`` has the match of each listed person. One query."""
    contacts = {
        matches_by_key[one.key].person_ids[0]: one.contact
        for one in listed_people
        if one.contact and matches_by_key[one.key].likeness == MatchKind.KNOWN
    }
    people = club.people.in_bulk(contacts)
    return [
        (people[pk], contact)
        for pk, contact in contacts.items()
        if _normalize_contact(contact) != _normalize_contact(people[pk].contact)
    ]


def _normalize_contact(contact: str) -> str:
    """Return the contact for comparison, without the grouping of its digits."""
    return _DIGIT_SEPARATORS.sub("", contact.casefold())


def find_possible_duplicates(club: Club) -> list[tuple[Person, Person]]:
    """Return pairs of possible duplicates by name, at most a page of them. Two queries."""
    all_people = Person.objects.filter(club=club, anonymized_at=None).order_by("pk")
    names_of_all = all_people.values_list("pk", "name")
    pairs = list(islice(NameIndex(names_of_all).pairs(), PAGE))
    people = Person.objects.select_related("family").in_bulk({pk for pair in pairs for pk in pair})
    return [(people[one], people[other]) for one, other in pairs]


def list_families(club: Club) -> QuerySet[Family]:
    """Return the families by name. One query."""
    return club.families.order_by("name", "pk")


def list_labels(club: Club) -> list[str]:
    """Return the labels that somebody in the club has. One query."""
    people = Person.objects.filter(club=club).exclude(labels=[]).order_by("pk")
    lists = people.values_list("labels", flat=True)
    return sorted(unify_spellings(label for labels in lists for label in labels).values(), key=fold_name)
