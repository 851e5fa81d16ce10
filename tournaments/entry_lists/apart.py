"""A typed or pasted list of who is kept apart: a line for those of whom no two are to meet.

>>> entries = {3: ("Jeannine Roy", "Marcel Dubé"), 7: ("Anne Cyr", "Luc Roy")}
>>> read_apart_list("Jeannine Roy - Anne Cyr\\n3; 9", entries).groups
((3, 7),)
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clubs.names import folded
from rules import Refusal

from .typed import BETWEEN_NAMES
from .values import MOST_LINES

_NUMBER = re.compile(r"(?:no\.?|n°|#)?\s*(\d{1,5})", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApartList:
    """The entries of each line by number, ascending; and a refusal, with its ``line``, for each bad line."""

    groups: tuple[tuple[int, ...], ...]
    refusals: tuple[Refusal, ...]


def read_apart_list(text: str, entries: Mapping[int, Sequence[str]]) -> ApartList:
    """Reads a list; ``entries`` are the names of the players by the number of their entry. An entry is named
    by its number, by one of its players or by both, in full or by a part that nobody else has.

    Empty lines are passed over. Codes of the refusals: list_too_long, nobody_of_that_name,
    several_of_that_name, one_entry_alone.
    """
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        refusal = Refusal("list_too_long", field="apart", most=MOST_LINES, lines=len(lines))
        return ApartList(groups=(), refusals=(refusal,))
    words = {number: [folded(name).split() for name in names] for number, names in entries.items()}
    groups: dict[tuple[int, ...], None] = {}
    refusals: list[Refusal] = []
    for line, said in enumerate(lines, start=1):
        named = [name.strip() for name in BETWEEN_NAMES.split(said)[::2] if name.strip()]
        try:
            meant = sorted({_entry_meant(name, words, line=line) for name in named})
            if len(meant) == 1:
                raise Refusal("one_entry_alone", field="apart", line=line, text=said.strip())
        except Refusal as refusal:
            refusals.append(refusal)
        else:
            groups |= {tuple(meant): None} if meant else {}
    return ApartList(groups=tuple(groups), refusals=tuple(refusals))


def _entry_meant(name: str, words: Mapping[int, Sequence[Sequence[str]]], *, line: int) -> int:
    """The entry of that number, of the person of exactly that name, else of the only one whose name has all
    these words."""
    number = _NUMBER.fullmatch(name)
    if number is not None and int(number[1]) in words:
        return int(number[1])
    said = folded(name).split()
    exactly = [entry for entry, names in words.items() if said in names]
    found = exactly or [
        entry for entry, names in words.items() if any({*said} <= {*known} for known in names)
    ]
    if not found:
        raise Refusal("nobody_of_that_name", field="apart", line=line, text=name)
    if len(found) > 1:
        raise Refusal("several_of_that_name", field="apart", line=line, text=name, entries=tuple(found))
    return found[0]
