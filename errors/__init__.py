"""Refusals: expected errors, each with a stable code and details, never wording."""

from typing import Any


class Refusal(Exception):  # noqa: N818 -- not an error: an answer
    """A request that the rules, or the settings, do not allow.

    ``code`` names the reason (``no_such_bid``), ``field`` the input it concerns, ``details`` the values for a
    sentence about it. Wording and HTTP status are tables elsewhere, keyed by the code.
    """

    def __init__(self, code: str, *, field: str | None = None, **details: Any) -> None:
        super().__init__(code)
        self.code = code
        self.field = field
        self.details = details

    def __repr__(self) -> str:
        return f"Refusal({self.code!r}, field={self.field!r}, details={self.details!r})"
