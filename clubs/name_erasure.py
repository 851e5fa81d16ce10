"""Erasure of people's names from stored texts, in any spelling. Plain Python.

>>> forgotten = ErasedNames({"Hélène Roy-Dubé": "Anonyme 3"})
>>> forgotten.in_text("Table 4: HELENE ROY DUBE s’est trompée; Roy-Dubé, Hélène aussi")
'Table 4: Anonyme 3 s’est trompée; Anonyme 3 aussi'
>>> forgotten.in_value({"names": ["Hélène Roy-Dubé", "Marcel Cyr"], "round": 2})
{'names': ['Anonyme 3', 'Marcel Cyr'], 'round': 2}
>>> beside = ErasedNames({"Anne Roy": "Anonyme 4"}, beside=["Marie-Anne Roy"])
>>> beside.in_text("Marie-Anne Roy; Marie, Anne Roy")
'Marie-Anne Roy; Marie, Anonyme 4'
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from web.names import LIGATURES, SIGNS, to_plain_characters

_BETWEEN = r"[^\w]+"
_TURNED = r"\s*,?\s+"
_WITHIN = rf"[\s'{''.join(SIGNS)}-]+"
"""Between the words of one name, not between two people."""
_MARK = re.compile("[\u0300-\u036f]")
_MARKS = f"{_MARK.pattern}*"
_WORD = re.compile(r"[^\W_]+")
_LETTERS = re.compile("|".join([*LIGATURES.values(), "."]))
_JOINED = {both: one for one, both in LIGATURES.items()}
_LASTING = frozenset("bdfghjklmpqrtvwxz")
"""Letters that are never written with an accent in the languages of the clubs."""


class ErasedNames:
    """Names to erase, and their replacements.

    A name matches by its words in order, or with the surname first, regardless of case, accents, ligatures
    and the characters between words. A one-word name is replaced only if it is the whole text: it may be an
    ordinary word. Names of people ``beside`` that contain an erased name stay.
    """

    def __init__(self, instead: Mapping[str, str], *, beside: Iterable[str] = ()) -> None:
        others = [_words(name) for name in beside]
        self._by_word: dict[str, list[_Name]] = defaultdict(list)
        self._alone: dict[str, str] = {}
        for name, neutral in instead.items():
            words = _words(name)
            if len(words) > 1:
                longer = [other for other in others if set(words) < set(other)]
                self._by_word[max(words, key=len)].append(_Name(words, neutral, longer))
            elif words:
                self._alone[name] = neutral
        self._names = [_words(name) for name in instead]

    @cached_property
    def letters(self) -> tuple[tuple[str, ...], ...]:
        """Strings of letters that every spelling of a name contains, for each name, to search a database."""
        return tuple(
            tuple(sorted({run for word in words for run in _runs(word)}, key=len, reverse=True))
            for words in self._names
        )

    def in_text(self, text: str) -> str:
        """Replace the names in a text."""
        words = _words(text)
        if len(words) == 1:
            return self._alone.get(text, text)
        there = set(words)
        found = [each for word in there for each in self._by_word.get(word, ()) if each.words <= there]
        if not found:
            return text
        kept = decomposed = unicodedata.normalize("NFD", text)
        for each in found:
            kept = each.pattern.sub(each.instead, kept)
        return text if kept == decomposed else unicodedata.normalize("NFC", kept)

    def in_value(self, value: Any) -> Any:
        """Replace the names in a JSON value: in texts, in lists, and in values under a key."""
        if isinstance(value, str):
            return self.in_text(value)
        if isinstance(value, list):
            return [self.in_value(each) for each in value]
        if isinstance(value, dict):
            return {key: self.in_value(each) for key, each in value.items()}
        return value


class _Name:
    """A name of several words, its possible spellings, and its replacement."""

    def __init__(self, words: list[str], neutral: str, longer: list[list[str]]) -> None:
        self.words = set(words)
        self._in_order = words
        self._neutral = neutral
        self._longer = longer

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return _pattern(self._in_order, self._longer)

    def instead(self, found: re.Match[str]) -> str:
        return self._neutral if found["longer"] is None else found[0]


def _words(text: str) -> list[str]:
    """Split a text into words in lower case, without accents or ligatures."""
    bare = _MARK.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return _WORD.findall(to_plain_characters(bare))


def _runs(word: str) -> list[str]:
    """Return the longest runs of letters that are never accented."""
    return "".join(char if char in _LASTING else " " for char in word).split()


def _letters(letters: str) -> str:
    """Return a pattern for a letter with any accents, or for two letters that may be a ligature."""
    apart = "".join(re.escape(char) + _MARKS for char in letters)
    return f"(?:{apart}|{_JOINED[letters]}{_MARKS})" if letters in _JOINED else apart


def _spellings(words: list[str]) -> list[str]:
    return ["".join(map(_letters, _LETTERS.findall(word))) for word in words]


def _pattern(words: list[str], longer: list[list[str]]) -> re.Pattern[str]:
    """Return a pattern for the words in order, or with the last ones first and at most a comma between.
    Longer names match in the group ``longer``."""
    spelled = _spellings(words)
    ways = [_BETWEEN.join(spelled)]
    ways += [
        _TURNED.join(map(_BETWEEN.join, (spelled[place:], spelled[:place]))) for place in range(1, len(words))
    ]
    longest_first = sorted(longer, key=len, reverse=True)
    stays = "|".join(_WITHIN.join(_spellings(name)) for name in longest_first) or "(?!)"
    alternatives = f"(?P<longer>{stays})|{'|'.join(ways)}"
    return re.compile(rf"(?<![^\W_])(?:{alternatives})(?![^\W_]|[\u0300-\u036f])", re.IGNORECASE)
