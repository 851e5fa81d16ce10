"""Names of people in sentences, in the reader's language."""

from collections.abc import Sequence

from django.utils.translation import gettext

from web.names import shorten_names


def format_yes_no(value: object) -> str:
    return gettext("yes") if value else gettext("no")


def join_names(parts: Sequence[str]) -> str:
    """Join names: ``Jeannine Roy and Marcel Dubé``."""
    if len(parts) < 2:
        return "".join(parts)
    return gettext("%(first)s and %(last)s") % {"first": ", ".join(parts[:-1]), "last": parts[-1]}


def join_stored_names(stored_names: str) -> str:
    """Join the names of a pair as a history line stores them in every language: ``Jeannine Roy
    / Marcel Dubé``."""
    return join_names(stored_names.split(" / "))


def join_on_lines(parts: Sequence[str]) -> str:
    """Join names on separate lines: ``Jeannine Roy``, then ``and Marcel Dubé``."""
    return join_names([*(f"{part}\n" for part in parts[:-1]), *parts[-1:]]).replace("\n ", "\n")


def join_surnames(names: Sequence[str]) -> str:
    """Join surnames: ``Roy and Dubé``; ``J. Roy and M. Roy``."""
    return join_names(shorten_names(names))


def add_partners(name: str, partners: Sequence[str]) -> str:
    """Tell namesakes apart by their partners: ``Jean (with Anne)``."""
    if not partners:
        return name
    return gettext("%(name)s (with %(partner)s)") % {"name": name, "partner": join_names(partners)}


def add_number(names: str, number: int) -> str:
    """Tell pairs of the same names apart by a number: ``Roy and Dubé (no. 7)``."""
    return gettext("%(names)s (no. %(number)s)") % {"names": names, "number": number}


def format_numbered_player(number: object) -> str:
    """Return the numbered name of somebody whose name is not shown: ``Player 7``."""
    return gettext("Player %(number)s") % {"number": number}
