"""The id of the request that is answered here, or that a job was asked for by: the same in whatever each
process writes of it to the log."""

from __future__ import annotations

import re
import secrets
from contextvars import ContextVar

_now: ContextVar[str] = ContextVar("request_id", default="")
_USUAL = re.compile(r"[0-9A-Za-z_-]{8,64}")
READ_OUT = 8
"""Characters of it that a page shows: a person reads them out, and somebody looks for them in the log."""


def request_id() -> str:
    """Of what is done now; "" where nobody asked."""
    return _now.get()


def begin_request(given: str = "") -> str:
    """What is done from here on, in this task or thread, is of the request with the id that was ``given``; of
    a new one, if there is none, or none that belongs into a log."""
    chosen = given if _USUAL.fullmatch(given) else secrets.token_hex(8)
    _now.set(chosen)
    return chosen


def go_on_with(asked_by: str) -> None:
    """What is done from here on is of the request that it was asked for by, if any."""
    _now.set(asked_by)


def as_read_out() -> str:
    """As a page shows it."""
    return _now.get()[:READ_OUT]
