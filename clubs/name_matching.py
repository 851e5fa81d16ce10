"""Comparison of names, to find the same person under different spellings. Plain Python."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from web.names import fold_name, put_given_name_first

_SAINTS = {"st": "saint", "ste": "sainte"}
_WORD = re.compile(r"[^\W_]+")


class MatchKind(StrEnum):
    """The match for a listed name: a new person, a known one, a repeat within the list, or a doubt."""

    NEW = "new"
    KNOWN = "there"
    DUPLICATE = "twice"
    UNCERTAIN = "perhaps"


@dataclass(frozen=True, slots=True, kw_only=True)
class NameMatch:
    """The match for one name: the possible ``known`` people, and the ``earlier`` line of the
    list with this name."""

    likeness: MatchKind
    person_ids: tuple[int, ...] = ()
    earlier: int | None = None


def normalize_spelling(name: str) -> tuple[str, ...]:
    """Return the words of a name for comparison, regardless of accents, case, hyphens, spaces
    and abbreviated saints.

    >>> normalize_spelling("Roy, Marie-Ève") == normalize_spelling("marie eve  ROY")
    True
    >>> normalize_spelling("Ste-Croix")
    ('sainte', 'croix')
    """
    words = _WORD.findall(fold_name(put_given_name_first(name)))
    return tuple(_SAINTS.get(word, word) for word in words)


def find_longest_word(name: str) -> str:
    """Return the longest folded word that every spelling of the name contains, for a database search. Saints
    are left out, since they are also abbreviated; "" if nothing is left.

    >>> find_longest_word("Ste-Croix, Ève")
    'croix'
    """
    return max((word for word in normalize_spelling(name) if word not in _SAINTS.values()), key=len, default="")


class NameIndex:
    """People by name, for comparison with a list of any length: each name is one lookup."""

    def __init__(self, people: Iterable[tuple[int, str]] = ()) -> None:
        self._by_spelling: dict[tuple[str, ...], list[int]] = defaultdict(list)
        self._by_words: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for pk, name in people:
            words = normalize_spelling(name)
            self._by_spelling[words].append(pk)
            self._by_words[_sort_words(words)].append(pk)

    def find_same_spelling(self, name: str) -> tuple[int, ...]:
        return tuple(self._by_spelling.get(normalize_spelling(name), ()))

    def find_same_words(self, name: str) -> tuple[int, ...]:
        """Return the people with the same words in their names, in any order."""
        return tuple(self._by_words.get(_sort_words(normalize_spelling(name)), ()))

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Yield pairs of people who may be the same person: their names have the same words."""
        for similar in self._by_words.values():
            yield from ((one, other) for place, one in enumerate(similar) for other in similar[place + 1 :])


def match_names(listed_names: Iterable[tuple[int, str]], name_index: NameIndex) -> dict[int, NameMatch]:
    """Match each name of a list against the known people, by line.

    One person of that spelling is KNOWN; several people, or the words in another order, are UNCERTAIN. A name
    of an earlier line is a DUPLICATE, in another order UNCERTAIN.
    """
    found: dict[int, NameMatch] = {}
    first_lines: dict[tuple[str, ...], int] = {}
    first_same_words: dict[tuple[str, ...], int] = {}
    for line, name in listed_names:
        words = normalize_spelling(name)
        first, similar = first_lines.setdefault(words, line), first_same_words.setdefault(_sort_words(words), line)
        same, possible = name_index.find_same_spelling(name), name_index.find_same_words(name)
        if first != line:
            found[line] = NameMatch(likeness=MatchKind.DUPLICATE, earlier=first)
        elif len(same) == 1:
            found[line] = NameMatch(likeness=MatchKind.KNOWN, person_ids=same)
        elif same or possible:
            found[line] = NameMatch(likeness=MatchKind.UNCERTAIN, person_ids=same or possible)
        elif similar != line:
            found[line] = NameMatch(likeness=MatchKind.UNCERTAIN, earlier=similar)
        else:
            found[line] = NameMatch(likeness=MatchKind.NEW)
    return found


def _sort_words(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(words))
