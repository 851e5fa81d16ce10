"""Refusals: expected errors, each with a stable code and details. ``refusals.py`` of the package that refuses
declares the answer."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

UNPROCESSABLE = 422
"""HTTP status of refusals about input that can be corrected."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a refused request: a sentence, translated when it is read, and an HTTP status."""

    sentence: Any
    status: int = UNPROCESSABLE


class Refusal(Exception):  # noqa: N818 -- not an error: an answer
    """A request that the rules, or the settings, do not allow.

    ``code`` names the reason (``no_such_bid``), ``field`` the input it concerns, ``details`` the values for a
    sentence about it.
    """

    def __init__(self, code: str, *, field: str | None = None, **details: Any) -> None:
        super().__init__(code)
        self.code = code
        self.field = field
        self.details = details

    def __repr__(self) -> str:
        return f"Refusal({self.code!r}, field={self.field!r}, details={self.details!r})"


_Found = TypeVar("_Found")
_Choice = TypeVar("_Choice")


def get_or_refuse(found: _Found | None, code: str, *, field: str | None = None, **details: Any) -> _Found:
    """Return what was found. Refuses: ``code``, if nothing was."""
    if found is None:
        raise Refusal(code, field=field, **details)
    return found


def check_choice(value: _Choice, choices: Iterable[object], *, field: str) -> _Choice:
    """Return the value if it is one of the choices. Refuses: no_such_choice."""
    allowed = tuple(choices)
    if value not in allowed:
        raise Refusal("no_such_choice", field=field, value=value, choices=allowed)
    return value
