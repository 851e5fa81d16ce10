"""Escapes that stop spreadsheets from running typed text as a formula."""

_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""The first characters of a formula, including full-width ones."""

_IGNORED_PREFIX = " \"'\u00a0"
"""Characters before it that a spreadsheet may skip."""


def is_formula(value: str) -> bool:
    """Return whether a spreadsheet might run the text as a formula."""
    return value.startswith(_FORMULAS) or value.lstrip(_IGNORED_PREFIX).startswith(_FORMULAS)


def escape_formula(value: str) -> str:
    """Return the value as a text that no spreadsheet runs, with an apostrophe before it if necessary."""
    return f"'{value}" if is_formula(value) else value


def unescape_formula(value: str) -> str:
    """Return an escaped value as it was typed.

    >>> unescape_formula(escape_formula("+1 418 555-0101"))
    '+1 418 555-0101'
    """
    return value[1:] if value.startswith("'") and is_formula(value[1:]) else value
