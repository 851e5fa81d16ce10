"""A typed or pasted list of entries: one a line, the two names of a pair apart.

>>> listed = read_entry_list("Jeannine Roy et Marcel Dubé\\n\\nA. Cyr / N. Roy", size=2)
>>> [entry.players for entry in listed.entries]
[('Jeannine Roy', 'Marcel Dubé'), ('A. Cyr', 'N. Roy')]
"""

import re
from collections.abc import Iterable

from clubs import names
from rules import Refusal

from .values import MOST_LINES, EntryList, ListedEntry, check_names, check_new

_BETWEEN_NAMES = re.compile(r"[/&;,+\t]|\s(?:et|and|avec|with|[-–—])\s", re.IGNORECASE)


def read_entry_list(text: str, *, size: int, taken: Iterable[str] = ()) -> EntryList:
    """Reads a list of entries of ``size`` names each; ``taken`` are the names that take part already.

    Empty lines are passed over. Codes of the refusals: list_too_long, one_name_missing, too_many_names,
    strange_character, name_too_long, entered_twice.
    """
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        refusal = Refusal("list_too_long", field="entries", most=MOST_LINES, lines=len(lines))
        return EntryList(entries=(), refusals=(refusal,))
    seen: dict[str, int] = {names.folded(name): 0 for name in taken}
    entries: list[ListedEntry] = []
    refusals: list[Refusal] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        players = tuple(names.cleaned(name) for name in _BETWEEN_NAMES.split(line.strip()) if name.strip())
        try:
            _check(players, size=size, line=number, text=line.strip(), seen=seen)
        except Refusal as refusal:
            refusals.append(refusal)
        else:
            entries.append(ListedEntry(players=players))
    return EntryList(entries=tuple(entries), refusals=tuple(refusals))


def _check(players: tuple[str, ...], *, size: int, line: int, text: str, seen: dict[str, int]) -> None:
    named = [("entries", name) for name in players]
    check_names(named or [("entries", text)], line=line)
    if len(players) < size:
        raise Refusal("one_name_missing", field="entries", line=line, text=text)
    if len(players) > size:
        raise Refusal("too_many_names", field="entries", line=line, text=text, size=size)
    check_new(named, seen=seen, line=line)
