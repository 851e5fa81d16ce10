"""Whether two names, however they are written, may be those of one person. Plain Python."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from web.names import fold_name, given_name_first

_SAINTS = {"st": "saint", "ste": "sainte"}
_WORD = re.compile(r"[^\W_]+")


class Likeness(StrEnum):
    """What is known of somebody on a list: nobody yet, somebody of that spelling, perhaps somebody."""

    NEW = "new"
    THERE = "there"
    TWICE = "twice"
    PERHAPS = "perhaps"


@dataclass(frozen=True, slots=True, kw_only=True)
class NameMatch:
    """``known`` are the people whom it may be; ``earlier`` is the line of the list that has the same name."""

    likeness: Likeness
    known: tuple[int, ...] = ()
    earlier: int | None = None


def spelling(name: str) -> tuple[str, ...]:
    """The words of a name, in order, as they are compared: whatever the accents, the case, the hyphens and
    the spaces, and whether a saint is written out.

    >>> spelling("Roy, Marie-Ève") == spelling("marie eve  ROY")
    True
    >>> spelling("Ste-Croix")
    ('sainte', 'croix')
    """
    words = _WORD.findall(fold_name(given_name_first(name)))
    return tuple(_SAINTS.get(word, word) for word in words)


def longest_word(name: str) -> str:
    """A word that stands, folded, in every name spelled like this one, so that a database finds them: no
    saint, who is also abbreviated; "" where there is none.

    >>> longest_word("Ste-Croix, Ève")
    'croix'
    """
    return max((word for word in spelling(name) if word not in _SAINTS.values()), key=len, default="")


class KnownNames:
    """People by their names, to be compared with a list of any length: a name is looked up, not searched."""

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
        """Those of the same words, in whatever order."""
        return tuple(self._sort_words.get(_sort_words(spelling(name)), ()))

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Two by two, those who may be one person: of the same words."""
        for alike in self._sort_words.values():
            yield from ((one, other) for place, one in enumerate(alike) for other in alike[place + 1 :])


def matches(listed: Iterable[tuple[int, str]], known: KnownNames) -> dict[int, NameMatch]:
    """What is known of each name of a list, by its line.

    One person of that spelling is ``there``; several, or another order of the words, is ``perhaps``; a name
    that an earlier line has is ``twice``, and in another order ``perhaps``.
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
