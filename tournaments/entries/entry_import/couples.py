"""Couples in a list who share the surname of the one written in full: ``Luc et Anne Roy``.

The list may mean two Roys, or a Luc without a surname: a person decides for each line.
"""

from collections.abc import Collection, Sequence

from web import names

SURNAME_PARTICLES = frozenset(
    {
        *("da", "de", "del", "della", "der", "des", "di", "du", "la", "le", "les"),
        *("saint", "ste", "van", "von"),
    }
)
"""Folded words with which only surnames begin."""

TypedLines = Collection[int] | None
"""The lines whose names stay as typed, while other couples share their only surname; None: all."""


def share_surname(players: Sequence[str]) -> tuple[str, ...]:
    """Return the names of a couple, both with the surname of the only one that has one; () for any others.

    >>> [share_surname(names) for names in (("Luc", "Anne de la Tour"), ("Luc Dubé", "Anne Roy"), ("Luc", "Anne"))]
    [('Luc de la Tour', 'Anne de la Tour'), (), ()]
    """
    full_names = [name for name in players if len(names.remove_hint(name).split()) > 1]
    if len(players) != 2 or len(full_names) != 1:
        return ()
    surname = _get_whole_surname(full_names[0])
    if names.fold_name(surname) in map(names.fold_name, players):
        return ()
    return tuple(name if name in full_names else names.put_surname_last(name, surname) for name in players)


def complete_couple(players: Sequence[str], line: int, as_typed: TypedLines) -> tuple[str, ...]:
    """Return the names of an entry, with the surname that a couple shares unless its line stays as typed."""
    shares = as_typed is not None and line not in as_typed
    return (share_surname(players) if shares else ()) or tuple(players)


def _get_whole_surname(name: str) -> str:
    """Return the surname with the particles before it: ``de la Tour``."""
    surname = names.get_surname(name)
    before = names.remove_hint(name).split()
    before = before[: before.index(surname)]
    first = len(before)
    while first > 1 and names.fold_name(before[first - 1]) in SURNAME_PARTICLES:
        first -= 1
    return " ".join([*before[first:], surname])
