"""A typed or pasted list of entries: one a line, the two names of a pair apart. Plain Python.

>>> read_entry_list("Jeannine Roy et Marcel Dubé\\n\\nGhislaine Cyr / Normand Ouellet", size=2).entries
(('Jeannine Roy', 'Marcel Dubé'), ('Ghislaine Cyr', 'Normand Ouellet'))
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from clubs import names
from rules import Refusal

MOST_LINES = 2_000
_BETWEEN_NAMES = re.compile(r"[/&;,+\t]|\s(?:et|and|avec|with|[-–—])\s", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryList:
    """What a list says: the names of each entry; and a refusal, with its ``line``, for each bad line."""

    entries: tuple[tuple[str, ...], ...]
    refusals: tuple[Refusal, ...]


def read_entry_list(text: str, *, size: int, taken: Iterable[str] = ()) -> EntryList:
    """Reads a list of entries of ``size`` names each; ``taken`` are the names that take part already.

    Empty lines are passed over. Codes of the refusals: list_too_long, one_name_missing, too_many_names,
    strange_character, name_too_long, entered_twice.
    """
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        refusal = Refusal("list_too_long", field="entries", most=MOST_LINES, lines=len(lines))
        return EntryList(entries=(), refusals=(refusal,))
    first_seen: dict[str, int] = {names.folded(name): 0 for name in taken}
    entries: list[tuple[str, ...]] = []
    refusals: list[Refusal] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        entry = tuple(names.cleaned(name) for name in _BETWEEN_NAMES.split(line.strip()) if name.strip())
        try:
            _check(entry, size=size, line=number, text=line.strip(), first_seen=first_seen)
        except Refusal as refusal:
            refusals.append(refusal)
        else:
            entries.append(entry)
    return EntryList(entries=tuple(entries), refusals=tuple(refusals))


def _check(entry: tuple[str, ...], *, size: int, line: int, text: str, first_seen: dict[str, int]) -> None:
    for name in entry or (text,):
        strange = names.strange_character(name)
        if strange is not None:
            raise Refusal("strange_character", field="entries", line=line, name=name, character=strange)
        if len(name) > names.NAME_LENGTH:
            raise Refusal("name_too_long", field="entries", line=line, name=name, most=names.NAME_LENGTH)
    if len(entry) < size:
        raise Refusal("one_name_missing", field="entries", line=line, text=text)
    if len(entry) > size:
        raise Refusal("too_many_names", field="entries", line=line, text=text, size=size)
    for name in entry:
        before = first_seen.setdefault(names.folded(name), line)
        if before != line or len({names.folded(other) for other in entry}) < size:
            raise Refusal("entered_twice", field="entries", line=line, name=name, first=before)
