"""What an entry is called, on public pages and at the desk."""

from clubs.wording import joined
from tournaments.models import Entry


def public_names(entry: Entry) -> str:
    """``Jeannine R. and Marcel D.``: in full only as far as each agreed."""
    return joined([person.public_name for person in entry.players])


def full_names(entry: Entry) -> str:
    return joined([person.name for person in entry.players])
