"""Names of people in a sentence, in the reader's language."""

from collections.abc import Sequence

from django.utils.translation import gettext

from .names import short_names


def joined(parts: Sequence[str]) -> str:
    """``Jeannine Roy and Marcel Dubé``."""
    if len(parts) < 2:
        return "".join(parts)
    return gettext("%(first)s and %(last)s") % {"first": ", ".join(parts[:-1]), "last": parts[-1]}


def by_surname(names: Sequence[str]) -> str:
    """``Roy and Dubé``; ``J. Roy and M. Roy``."""
    return joined(short_names(names))
