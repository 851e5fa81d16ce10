"""What an entry is called, on public pages and at the desk."""

from collections.abc import Callable
from functools import partial

from clubs.models import Club, Person
from clubs.wording import joined, numbered_player
from tournaments.models import Entry, Event
from tournaments.publishing import Names
from tournaments.selectors.numbers import numbers_of, people_numbered

Named = Callable[[Person], str]
EntryNamed = Callable[[Entry], str]


def named_publicly(club: Club) -> Named:
    """How everybody reads a person of that club: in full only if the person agreed."""
    return partial(Person.name_in_public, club=club)


def named_in(event: Event) -> Named:
    """How everybody reads a person on the pages of the event, where less of a name may be released. No query;
    two where people are numbers."""
    names = event.release.names
    if names is Names.NUMBERS:
        return _numbered_in(event)
    return partial(Person.name_in_public, club=event.club, in_full=names is Names.AGREED)


def entries_named_in(event: Event) -> EntryNamed:
    """``Jeannine R. and Marcel D.``, as far as the event releases names. No query."""
    if event.release.names is Names.NUMBERS:
        return lambda entry: joined([numbered_player(number) for number in numbers_of(entry, event)])
    named = named_in(event)
    return lambda entry: joined([named(person) for person in entry.players])


def _numbered_in(event: Event) -> Named:
    """By a number that says nothing outside of the event, so that no other page tells whose it is."""
    numbers = people_numbered(event)
    return lambda person: numbered_player(numbers.get(person.pk, "–"))


def full_name(person: Person) -> str:
    return person.name


def full_names(entry: Entry) -> str:
    return joined([full_name(person) for person in entry.players])
