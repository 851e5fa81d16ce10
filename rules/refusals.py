"""The one family of "no, because": a stable code and details, never wording."""

from typing import Any


class Refusal(Exception):  # noqa: N818 -- not an error: an answer
    """Something was asked that the rules or the house do not allow.

    ``code`` names what is the case (``no_such_bid``), ``field`` the input it concerns, ``details`` the
    values a sentence about it needs. Wording and HTTP status are tables elsewhere, keyed by the code.
    """

    def __init__(self, code: str, *, field: str | None = None, **details: Any) -> None:
        super().__init__(code)
        self.code = code
        self.field = field
        self.details = details

    def __repr__(self) -> str:
        return f"Refusal({self.code!r}, field={self.field!r}, details={self.details!r})"
