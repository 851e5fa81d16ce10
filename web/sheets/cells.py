"""Cells of lists as people write them: grouped numbers, and names in one cell or two."""

import re
from decimal import ROUND_HALF_UP, Decimal

from web import names

_NUMBER = re.compile(r"(\d{1,3}(?:[ ',.]\d{3})+|\d+)(?:[.,](\d+))?", re.ASCII)
BETWEEN_PARTNERS = re.compile(r"([/&;+\t]|\s(?:et|and|avec|with|[-\u2010-\u2015\u2212])\s)", re.IGNORECASE)
"""Separators between two names that may contain commas; the separator is its group."""
_GROUPING = re.compile(r"[ ',.]")


def rounded_number(text: str) -> int | None:
    """Return the nearest integer to the number written; None without a number. Three digits after a separator
    are a group of a larger number.

    >>> [rounded_number(text) for text in ("1512,5", "1\\u202f450", "1,450.0", "1.5e3", "-3")]
    [1513, 1450, 1450, None, None]
    """
    number = _number_in(text)
    return None if number is None else int(number.to_integral_value(ROUND_HALF_UP))


def whole_number(text: str, *, most: int) -> int | None:
    """Return the integer of at most ``most`` digits that is written, ``7`` also as ``7,0``; else None.

    >>> whole_number("7,0", most=4), whole_number("7,5", most=4), whole_number("70 000", most=4)
    (7, None, None)
    """
    number = _number_in(text)
    return int(number) if number is not None and number == int(number) < 10**most else None


def full_name(whole: str, first: str = "", last: str = "") -> str:
    """Return a name from one or two columns, the given name first.

    ``whole`` may be the surname alone, in lists that call it « Nom ». Surnames in capitals get their usual
    spelling: only lists write them so.

    >>> full_name("ROY, Luc"), full_name("ROY Luc"), full_name("ROY", "Luc (père)"), full_name("Luc Roy")
    ('Luc Roy', 'Luc Roy', 'Luc Roy (père)', 'Luc Roy')
    """
    words, given = names.fold_name(whole).split(), names.fold_name(first).split()
    if whole and (not first or (len(words) > len(given) and {*given} <= {*words})):
        last, first = names.surname_and_given_name(whole)
        if not last:
            return whole
    surname = last or whole
    if names.is_in_capitals(surname) and not names.is_in_capitals(first):
        surname = names.usual_spelling(surname)
    return names.put_surname_last(first, surname)


def names_in_cell(text: str) -> list[str]:
    """Return the names in a cell, of one person or two.

    >>> [names_in_cell(text) for text in ("ROY, Luc et DUBÉ, Anne", "Lise Cyr, Yvon Cyr", "ROY, Luc")]
    [['Luc Roy', 'Anne Dubé'], ['Lise Cyr', 'Yvon Cyr'], ['Luc Roy']]
    """
    parts = [part.strip() for part in BETWEEN_PARTNERS.split(text)[::2] if part.strip()]
    by_comma = [part.strip() for part in text.split(",")]
    if len(parts) == 1 and len(by_comma) == 2 and all(" " in part for part in by_comma):
        parts = by_comma
    if len(parts) == 1 and len(by_comma) == 4:
        parts = [", ".join(by_comma[:2]), ", ".join(by_comma[2:])]
    return [full_name(part) for part in parts]


def _number_in(text: str) -> Decimal | None:
    found = _NUMBER.fullmatch(" ".join(names.to_plain_characters(text).split())[:40])
    return None if found is None else Decimal(f"{_GROUPING.sub('', found[1])}.{found[2] or 0}")
