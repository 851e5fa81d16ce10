"""Reading of a typed or pasted list of entries to keep apart, one group per line.

>>> entries = {3: ("Jeannine Roy", "Marcel Dubé"), 7: ("Anne Cyr", "Luc Roy")}
>>> read_apart_list("Jeannine Roy - Anne Cyr\\n3; 9", entries).groups
((3, 7),)
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from errors import Refusal
from web.names import fold_name

from .text_list import NAME_SEPARATORS
from .values import MOST_LINES

_NUMBER = re.compile(r"(?:no\.?|n°|#)?\s*(\d{1,5})", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApartList:
    """The groups of a list, as ascending entry numbers, and a refusal, with its ``line``, for each bad
    line."""

    groups: tuple[tuple[int, ...], ...]
    refusals: tuple[Refusal, ...]


def read_apart_list(text: str, entries: Mapping[int, Sequence[str]]) -> ApartList:
    """Read a list; ``entries`` maps entry numbers to the names of their players.

    An entry is named by its number, by one of its players or by both; a part of a name is enough if it is
    unique. Empty lines are skipped.
    Codes of the refusals: list_too_long, nobody_of_that_name, several_of_that_name, one_entry_alone.
    """
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        refusal = Refusal("list_too_long", field="apart", most=MOST_LINES, lines=len(lines))
        return ApartList(groups=(), refusals=(refusal,))
    finder = EntryFinder(entries)
    groups: dict[tuple[int, ...], None] = {}
    refusals: list[Refusal] = []
    for line, text_line in enumerate(lines, start=1):
        try:
            numbers = sorted({finder.find_entry(name, line=line) for name in split_entry_names(text_line)})
            if len(numbers) == 1:
                raise Refusal("one_entry_alone", field="apart", line=line, text=text_line.strip())
        except Refusal as refusal:
            refusals.append(refusal)
        else:
            groups |= {tuple(numbers): None} if numbers else {}
    return ApartList(groups=tuple(groups), refusals=tuple(refusals))


def split_entry_names(text: str) -> list[str]:
    """Split a line or a cell into names and entry numbers.

    >>> split_entry_names("Jeannine Roy - no. 7; Jean-Guy Cyr")
    ['Jeannine Roy', 'no. 7', 'Jean-Guy Cyr']
    """
    return [name.strip() for name in NAME_SEPARATORS.split(text)[::2] if name.strip()]


class EntryFinder:
    """Finder of entries by number or player name; ``entries`` maps entry numbers to the names of their
    players."""

    def __init__(self, entries: Mapping[int, Sequence[str]]) -> None:
        self._name_words = {number: [fold_name(name).split() for name in names] for number, names in entries.items()}
        self._numbers_by_name: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        for number, names in self._name_words.items():
            for name in dict.fromkeys(map(tuple, names)):
                self._numbers_by_name[name].append(number)

    def find_entry(self, name: str, **location: Any) -> int:
        """Return the number of the entry meant by a number or a player's name. An exact name comes first,
        then the only name that contains all these words. Refuses: nobody_of_that_name,
        several_of_that_name."""
        number = _NUMBER.fullmatch(name)
        if number is not None and int(number[1]) in self._name_words:
            return int(number[1])
        words = fold_name(name).split()
        found = self._numbers_by_name.get(tuple(words)) or [
            entry for entry, names in self._name_words.items() if any({*words} <= {*name_words} for name_words in names)
        ]
        if not found:
            raise Refusal("nobody_of_that_name", field="apart", text=name, **location)
        if len(found) > 1:
            raise Refusal("several_of_that_name", field="apart", text=name, entries=tuple(found), **location)
        return found[0]
