"""Cells of lists as people write them: grouped numbers, and names in one cell or two."""

import re
from decimal import ROUND_HALF_UP, Decimal

from web import names

_NUMBER = re.compile(r"(\d{1,3}(?:[ ',.]\d{3})+|\d+)(?:[.,](\d+))?", re.ASCII)
PARTNER_WORDS = r"\s(?:(?:et|and)\s?/\s?(?:ou|or)\s|w/|(?:et|and|avec|with|[-\u2010-\u2015\u2212])\s)"
PARTNER_SEPARATOR = re.compile("(" + PARTNER_WORDS + r"|[/&;+\t])", re.IGNORECASE)
"""Separators between two names that may contain commas; the separator is its group."""
_DIGIT_SEPARATORS = re.compile(r"[ ',.]")


def parse_rounded_number(text: str) -> int | None:
    """Return the nearest integer to the number written; None without a number. Three digits after a separator
    are a group of a larger number.

    >>> [parse_rounded_number(text) for text in ("1512,5", "1\\u202f450", "1,450.0", "1.5e3", "-3")]
    [1513, 1450, 1450, None, None]
    """
    number = _parse_number(text)
    return None if number is None else int(number.to_integral_value(ROUND_HALF_UP))


def parse_integer(text: str, *, max_digits: int) -> int | None:
    """Return the integer of at most ``max_digits`` digits that is written, ``7`` also as ``7,0``; else None.

    >>> parse_integer("7,0", max_digits=4), parse_integer("7,5", max_digits=4), parse_integer("70 000", max_digits=4)
    (7, None, None)
    """
    number = _parse_number(text)
    return int(number) if number is not None and number == int(number) < 10**max_digits else None


def join_full_name(full_text: str, first: str = "", last: str = "") -> str:
    """Return a name from one or two columns, the given name first.

    ``full_text`` may be the surname alone, in lists that call it « Nom ». Surnames in capitals get their usual
    spelling: only lists write them so.

    >>> [join_full_name(name) for name in ("ROY, Luc", "ROY Luc", "Luc Roy")], join_full_name("ROY", "Luc (père)")
    (['Luc Roy', 'Luc Roy', 'Luc Roy'], 'Luc Roy (père)')
    """
    words, given = names.fold_name(full_text).split(), names.fold_name(first).split()
    if full_text and (not first or (len(words) > len(given) and {*given} <= {*words})):
        last, first = names.split_name(full_text)
        if not last:
            return full_text
    surname = last or full_text
    if names.is_in_capitals(surname) and not names.is_in_capitals(first):
        surname = names.normalize_capitals(surname)
    return names.put_surname_last(first, surname)


def split_cell_names(text: str) -> list[str]:
    """Return the names in a cell, of one person or two.

    >>> [split_cell_names(text) for text in ("ROY, Luc et DUBÉ, Anne", "Lise Cyr, Yvon Cyr", "ROY, Luc")]
    [['Luc Roy', 'Anne Dubé'], ['Lise Cyr', 'Yvon Cyr'], ['Luc Roy']]
    """
    parts = [part.strip() for part in PARTNER_SEPARATOR.split(text)[::2] if part.strip()]
    comma_parts = [part.strip() for part in text.split(",")]
    if len(parts) == 1 and len(comma_parts) == 2 and all(" " in part for part in comma_parts):
        parts = comma_parts
    if len(parts) == 1 and len(comma_parts) == 4:
        parts = [", ".join(comma_parts[:2]), ", ".join(comma_parts[2:])]
    return [join_full_name(part) for part in parts]


def _parse_number(text: str) -> Decimal | None:
    found = _NUMBER.fullmatch(" ".join(names.replace_special_characters(text).split())[:40])
    return None if found is None else Decimal(f"{_DIGIT_SEPARATORS.sub('', found[1])}.{found[2] or 0}")
