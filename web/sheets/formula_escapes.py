"""Text that people typed, so that no spreadsheet takes it for something to work out."""

_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a cell begins with that a spreadsheet would work out, whoever typed it; also as wide as Chinese."""

_BEFORE = " \"'\u00a0"
"""What a spreadsheet may pass over to find it."""


def is_armed(value: str) -> bool:
    """Whether a spreadsheet might work it out."""
    return value.startswith(_FORMULAS) or value.lstrip(_BEFORE).startswith(_FORMULAS)


def escape_formula(value: str) -> str:
    """The value as text, and nothing to be worked out: with an apostrophe before it, where it needs one."""
    return f"'{value}" if is_armed(value) else value


def as_typed(value: str) -> str:
    """What was disarmed, as it was typed.

    >>> as_typed(escape_formula("+1 418 555-0101"))
    '+1 418 555-0101'
    """
    return value[1:] if value.startswith("'") and is_armed(value[1:]) else value
