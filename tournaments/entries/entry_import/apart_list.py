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

from .typed import BETWEEN_NAMES
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
    for line, said in enumerate(lines, start=1):
        try:
            meant = sorted({finder.entry_meant(name, line=line) for name in names_in_line(said)})
            if len(meant) == 1:
                raise Refusal("one_entry_alone", field="apart", line=line, text=said.strip())
        except Refusal as refusal:
            refusals.append(refusal)
        else:
            groups |= {tuple(meant): None} if meant else {}
    return ApartList(groups=tuple(groups), refusals=tuple(refusals))


def names_in_line(said: str) -> list[str]:
    """Split a line or a cell into names and entry numbers.

    >>> names_in_line("Jeannine Roy - no. 7; Jean-Guy Cyr")
    ['Jeannine Roy', 'no. 7', 'Jean-Guy Cyr']
    """
    return [name.strip() for name in BETWEEN_NAMES.split(said)[::2] if name.strip()]


class EntryFinder:
    """Finder of entries by number or player name; ``entries`` maps entry numbers to the names of their
    players."""

    def __init__(self, entries: Mapping[int, Sequence[str]]) -> None:
        self._words = {
            number: [fold_name(name).split() for name in names] for number, names in entries.items()
        }
        self._exactly: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        for number, names in self._words.items():
            for name in dict.fromkeys(map(tuple, names)):
                self._exactly[name].append(number)

    def entry_meant(self, name: str, **where: Any) -> int:
        """Return the number of the entry meant by a number or a player's name. An exact name comes first,
        then the only name that contains all these words. Refuses: nobody_of_that_name,
        several_of_that_name."""
        number = _NUMBER.fullmatch(name)
        if number is not None and int(number[1]) in self._words:
            return int(number[1])
        said = fold_name(name).split()
        found = self._exactly.get(tuple(said)) or [
            entry for entry, names in self._words.items() if any({*said} <= {*known} for known in names)
        ]
        if not found:
            raise Refusal("nobody_of_that_name", field="apart", text=name, **where)
        if len(found) > 1:
            raise Refusal("several_of_that_name", field="apart", text=name, entries=tuple(found), **where)
        return found[0]
