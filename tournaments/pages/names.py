"""What an entry is called, on public pages and at the desk."""

from collections.abc import Callable
from functools import partial

from clubs.models import Club, Person
from clubs.wording import joined
from tournaments.models import Entry

Named = Callable[[Person], str]
EntryNamed = Callable[[Entry], str]


def named_publicly(club: Club) -> Named:
    """How everybody reads a person of that club: in full only if the person agreed."""
    return partial(Person.name_in_public, club=club)


def entries_named_publicly(club: Club) -> EntryNamed:
    """``Jeannine R. and Marcel D.``: in full only as far as each agreed."""
    named = named_publicly(club)
    return lambda entry: joined([named(person) for person in entry.players])


def full_name(person: Person) -> str:
    return person.name


def full_names(entry: Entry) -> str:
    return joined([full_name(person) for person in entry.players])
