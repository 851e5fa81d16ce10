"""Small words, and names of people in a sentence, in the reader's language."""

from collections.abc import Sequence

from django.utils.translation import gettext

from web.names import short_names


def yes_or_no(value: object) -> str:
    return gettext("yes") if value else gettext("no")


def join_names(parts: Sequence[str]) -> str:
    """``Jeannine Roy and Marcel Dubé``."""
    if len(parts) < 2:
        return "".join(parts)
    return gettext("%(first)s and %(last)s") % {"first": ", ".join(parts[:-1]), "last": parts[-1]}


def join_stored_names(kept: str) -> str:
    """The names of a pair as a line of a history keeps them, ``Jeannine Roy / Marcel Dubé``, which no
    language has."""
    return join_names(kept.split(" / "))


def join_in_lines(parts: Sequence[str]) -> str:
    """``Jeannine Roy``, and below it ``and Marcel Dubé``."""
    return join_names([*(f"{part}\n" for part in parts[:-1]), *parts[-1:]]).replace("\n ", "\n")


def by_surname(names: Sequence[str]) -> str:
    """``Roy and Dubé``; ``J. Roy and M. Roy``."""
    return join_names(short_names(names))


def with_partners(name: str, partners: Sequence[str]) -> str:
    """Of several who are called so, the one who plays with these: ``Jean (with Anne)``."""
    if not partners:
        return name
    return gettext("%(name)s (with %(partner)s)") % {"name": name, "partner": join_names(partners)}


def numbered_name(names: str, number: int) -> str:
    """Of several who are called so, the one of this number: ``Roy and Dubé (no. 7)``."""
    return gettext("%(names)s (no. %(number)s)") % {"names": names, "number": number}


def numbered_player(number: object) -> str:
    """Somebody without a name, and yet told apart from others: ``Player 7``."""
    return gettext("Player %(number)s") % {"number": number}
