"""Comparison of names, to find the same person under different spellings. Plain Python."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from web.names import fold_name, given_name_first

_SAINTS = {"st": "saint", "ste": "sainte"}
_WORD = re.compile(r"[^\W_]+")


class Likeness(StrEnum):
    """The match for a listed name: a new person, a known one, a repeat within the list, or a doubt."""

    NEW = "new"
    THERE = "there"
    TWICE = "twice"
    PERHAPS = "perhaps"


@dataclass(frozen=True, slots=True, kw_only=True)
class NameMatch:
    """The match for one name: the possible ``known`` people, and the ``earlier`` line of the
    list with this name."""

    likeness: Likeness
    known: tuple[int, ...] = ()
    earlier: int | None = None


def spelling(name: str) -> tuple[str, ...]:
    """Return the words of a name for comparison, regardless of accents, case, hyphens, spaces
    and abbreviated saints.

    >>> spelling("Roy, Marie-Ève") == spelling("marie eve  ROY")
    True
    >>> spelling("Ste-Croix")
    ('sainte', 'croix')
    """
    words = _WORD.findall(fold_name(given_name_first(name)))
    return tuple(_SAINTS.get(word, word) for word in words)


def longest_word(name: str) -> str:
    """Return the longest folded word that every spelling of the name contains, for a database search. Saints
    are left out, since they are also abbreviated; "" if nothing is left.

    >>> longest_word("Ste-Croix, Ève")
    'croix'
    """
    return max((word for word in spelling(name) if word not in _SAINTS.values()), key=len, default="")


class KnownNames:
    """People by name, for comparison with a list of any length: each name is one lookup."""

    def __init__(self, people: Iterable[tuple[int, str]] = ()) -> None:
        self._spelled: dict[tuple[str, ...], list[int]] = defaultdict(list)
        self._sort_words: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for pk, name in people:
            words = spelling(name)
            self._spelled[words].append(pk)
            self._sort_words[_sort_words(words)].append(pk)

    def spelled_like(self, name: str) -> tuple[int, ...]:
        return tuple(self._spelled.get(spelling(name), ()))

    def made_of(self, name: str) -> tuple[int, ...]:
        """Return the people with the same words in their names, in any order."""
        return tuple(self._sort_words.get(_sort_words(spelling(name)), ()))

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Yield pairs of people who may be the same person: their names have the same words."""
        for alike in self._sort_words.values():
            yield from ((one, other) for place, one in enumerate(alike) for other in alike[place + 1 :])


def matches(listed: Iterable[tuple[int, str]], known: KnownNames) -> dict[int, NameMatch]:
    """Match each name of a list against the known people, by line.

    One person of that spelling is ``there``; several, or the words in another order, ``perhaps``; a name of
    an earlier line is ``twice``, in another order ``perhaps``.
    """
    found: dict[int, NameMatch] = {}
    spelled: dict[tuple[str, ...], int] = {}
    mixed: dict[tuple[str, ...], int] = {}
    for line, name in listed:
        words = spelling(name)
        first, alike = spelled.setdefault(words, line), mixed.setdefault(_sort_words(words), line)
        there, perhaps = known.spelled_like(name), known.made_of(name)
        if first != line:
            found[line] = NameMatch(likeness=Likeness.TWICE, earlier=first)
        elif len(there) == 1:
            found[line] = NameMatch(likeness=Likeness.THERE, known=there)
        elif there or perhaps:
            found[line] = NameMatch(likeness=Likeness.PERHAPS, known=there or perhaps)
        elif alike != line:
            found[line] = NameMatch(likeness=Likeness.PERHAPS, earlier=alike)
        else:
            found[line] = NameMatch(likeness=Likeness.NEW)
    return found


def _sort_words(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(words))
