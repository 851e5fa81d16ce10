"""What an entry is called, on public pages and at the desk."""

from clubs.models import Person
from clubs.wording import joined
from tournaments.models import Entry


def public_name(person: Person) -> str:
    """In full only if the person agreed."""
    return person.public_name


def full_name(person: Person) -> str:
    return person.name


def public_names(entry: Entry) -> str:
    """``Jeannine R. and Marcel D.``: in full only as far as each agreed."""
    return joined([public_name(person) for person in entry.players])


def full_names(entry: Entry) -> str:
    return joined([full_name(person) for person in entry.players])
