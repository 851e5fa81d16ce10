"""One spelling for each team, family or label in a list. Plain Python."""

import re
from collections.abc import Iterable

from .names import get_group_key

_LABEL = re.compile(r"[^,\s][^,]*(?<!\s)")


class SpellingIndex:
    """The first spelling of each group; ``merged`` are the others, each with its replacement.

    >>> teams = SpellingIndex(["Matane"])
    >>> teams.unify("MATANE, Rimouski"), teams.merged
    ('Matane, Rimouski', {'MATANE': 'Matane'})
    """

    def __init__(self, spellings: Iterable[str] = ()) -> None:
        self._first: dict[str, str] = {}
        self.merged: dict[str, str] = {}
        for text in spellings:
            self.unify(text)
        self.merged.clear()

    def unify(self, text: str) -> str:
        """Return the text, or comma-separated labels, in the first spellings."""
        return _LABEL.sub(lambda found: self._unify_label(found[0]), text)

    def _unify_label(self, label: str) -> str:
        first = self._first.setdefault(get_group_key(label), label)
        if label != first:
            self.merged[label] = first
        return first
