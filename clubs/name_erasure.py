"""Erasure of people's names from stored texts, in any spelling. Plain Python.

>>> forgotten = NameEraser({"Hélène Roy-Dubé": "Anonyme 3"})
>>> forgotten.erase_in_text("Table 4: HELENE ROY DUBE s’est trompée; Roy-Dubé, Hélène aussi")
'Table 4: Anonyme 3 s’est trompée; Anonyme 3 aussi'
>>> forgotten.erase_in_value({"names": ["Hélène Roy-Dubé", "Marcel Cyr"], "round": 2})
{'names': ['Anonyme 3', 'Marcel Cyr'], 'round': 2}
>>> beside = NameEraser({"Anne Roy": "Anonyme 4"}, other_names=["Marie-Anne Roy"])
>>> beside.erase_in_text("Marie-Anne Roy; Marie, Anne Roy")
'Marie-Anne Roy; Marie, Anonyme 4'
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.functional import cached_property

from web.names import ASCII_PUNCTUATION, LIGATURES, replace_special_characters

_WORD_GAP = r"[^\w]+"
_REVERSED_GAP = r"\s*,?\s+"
_NAME_GAP = rf"[\s'{''.join(ASCII_PUNCTUATION)}-]+"
"""Between the words of one name, not between two people."""
_MARK = re.compile("[\u0300-\u036f]")
_MARKS = f"{_MARK.pattern}*"
_WORD = re.compile(r"[^\W_]+")
_LETTERS = re.compile("|".join([*LIGATURES.values(), "."]))
_LIGATURE_BY_LETTERS = {both: one for one, both in LIGATURES.items()}
_UNACCENTED = frozenset("bdfghjklmpqrtvwxz")
"""Letters that are never written with an accent in the languages of the clubs."""


class NameEraser:
    """Names to erase, and their replacements.

    A name matches by its words in order, or with the surname first, regardless of case, accents, ligatures
    and the characters between words. A one-word name is replaced only if it is the whole text: it may be an
    ordinary word. Names of people ``beside`` that contain an erased name stay.
    """

    def __init__(self, replacements: Mapping[str, str], *, other_names: Iterable[str] = ()) -> None:
        others = [_split_words(name) for name in other_names]
        self._by_word: dict[str, list[_Name]] = defaultdict(list)
        self._alone: dict[str, str] = {}
        for name, neutral in replacements.items():
            words = _split_words(name)
            if len(words) > 1:
                longer = [other for other in others if set(words) < set(other)]
                self._by_word[max(words, key=len)].append(_Name(words, neutral, longer))
            elif words:
                self._alone[name] = neutral
        self._names = [_split_words(name) for name in replacements]

    @cached_property
    def letters(self) -> tuple[tuple[str, ...], ...]:
        """Strings of letters that every spelling of a name contains, for each name, to search a database."""
        return tuple(
            tuple(sorted({run for word in words for run in _list_letter_runs(word)}, key=len, reverse=True))
            for words in self._names
        )

    def erase_in_text(self, text: str) -> str:
        """Replace the names in a text."""
        words = _split_words(text)
        if len(words) == 1:
            return self._alone.get(text, text)
        present_words = set(words)
        found = [each for word in present_words for each in self._by_word.get(word, ()) if each.words <= present_words]
        if not found:
            return text
        erased = decomposed = unicodedata.normalize("NFD", text)
        for each in found:
            erased = each.pattern.sub(each.instead, erased)
        return text if erased == decomposed else unicodedata.normalize("NFC", erased)

    def erase_in_value(self, value: Any) -> Any:
        """Replace the names in a JSON value: in texts, in lists, and in values under a key."""
        if isinstance(value, str):
            return self.erase_in_text(value)
        if isinstance(value, list):
            return [self.erase_in_value(each) for each in value]
        if isinstance(value, dict):
            return {key: self.erase_in_value(each) for key, each in value.items()}
        return value


class _Name:
    """A name of several words, its possible spellings, and its replacement."""

    def __init__(self, words: list[str], neutral: str, longer: list[list[str]]) -> None:
        self.words = set(words)
        self._ordered_words = words
        self._neutral = neutral
        self._longer = longer

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return _build_name_pattern(self._ordered_words, self._longer)

    def instead(self, found: re.Match[str]) -> str:
        return self._neutral if found["longer"] is None else found[0]


def _split_words(text: str) -> list[str]:
    """Split a text into words in lower case, without accents or ligatures."""
    bare = _MARK.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return _WORD.findall(replace_special_characters(bare))


def _list_letter_runs(word: str) -> list[str]:
    """Return the longest runs of letters that are never accented."""
    return "".join(char if char in _UNACCENTED else " " for char in word).split()


def _build_letter_pattern(letters: str) -> str:
    """Return a pattern for a letter with any accents, or for two letters that may be a ligature."""
    separate = "".join(re.escape(char) + _MARKS for char in letters)
    return f"(?:{separate}|{_LIGATURE_BY_LETTERS[letters]}{_MARKS})" if letters in _LIGATURE_BY_LETTERS else separate


def _build_spelling_patterns(words: list[str]) -> list[str]:
    return ["".join(map(_build_letter_pattern, _LETTERS.findall(word))) for word in words]


def _build_name_pattern(words: list[str], longer: list[list[str]]) -> re.Pattern[str]:
    """Return a pattern for the words in order, or with the last ones first and at most a comma between.
    Longer names match in the group ``longer``."""
    spellings = _build_spelling_patterns(words)
    patterns = [_WORD_GAP.join(spellings)]
    patterns += [
        _REVERSED_GAP.join(map(_WORD_GAP.join, (spellings[place:], spellings[:place])))
        for place in range(1, len(words))
    ]
    longest_first = sorted(longer, key=len, reverse=True)
    longer_pattern = "|".join(_NAME_GAP.join(_build_spelling_patterns(name)) for name in longest_first) or "(?!)"
    alternatives = f"(?P<longer>{longer_pattern})|{'|'.join(patterns)}"
    return re.compile(rf"(?<![^\W_])(?:{alternatives})(?![^\W_]|[\u0300-\u036f])", re.IGNORECASE)
