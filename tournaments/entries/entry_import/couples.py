"""Couples in a list who share the surname of the one written in full: ``Luc et Anne Roy``.

The list may mean two Roys, or a Luc without a surname: a person decides for each line.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from web import names

TypedLines = Collection[int] | None
"""The lines whose names stay as typed, while other couples share their only surname; None: all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Couple:
    """Two names in a line: as ``typed``, and with the surname that they may share."""

    line: int
    typed: tuple[str, ...]
    shared: tuple[str, ...]


def share_surname(players: Sequence[str]) -> tuple[str, ...]:
    """Return the names of a couple, both with the surname of the only one that has one; () for any others.

    >>> [share_surname(names) for names in (("Luc", "Anne de la Tour"), ("Luc Dubé", "Anne Roy"), ("Luc", "Ève 2"))]
    [('Luc de la Tour', 'Anne de la Tour'), (), ()]
    """
    surnames = [_find_surname(name) for name in players]
    single_words = [name for name in players if len(names.remove_hint(name).split()) == 1]
    if (
        len(players) != 2
        or len(single_words) != 1
        or surnames.count("") != 1
        or any(map(names.find_invalid_character, players))
        or any(map(names.is_placeholder, players))
    ):
        return ()
    surname = "".join(surnames)
    if names.fold_name(surname) in map(names.fold_name, players):
        return ()
    shared = tuple(names.put_surname_last(name, surname) if name in single_words else name for name in players)
    return shared if all(len(name) <= names.NAME_LENGTH for name in shared) else ()


def read_couple(players: Sequence[str], line: int, as_typed: TypedLines) -> tuple[tuple[str, ...], Couple | None]:
    """Return the names of an entry, with the surname that a couple shares unless its line stays as typed, and
    the couple."""
    typed, shared = tuple(players), share_surname(players)
    if not shared:
        return typed, None
    is_typed = as_typed is None or line in as_typed
    return typed if is_typed else shared, Couple(line=line, typed=typed, shared=shared)


def _find_surname(name: str) -> str:
    """Return the surname with the particles before it, ``de la Tour``; "" if the name has only given names."""
    surname = names.get_surname(name)
    return surname if surname in names.remove_hint(name).partition(" ")[2] else ""
