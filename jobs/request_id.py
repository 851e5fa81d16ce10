"""The id of the current request, or of the one that asked for a job, for every log."""

from __future__ import annotations

import re
import secrets
from contextvars import ContextVar

_now: ContextVar[str] = ContextVar("request_id", default="")
_USUAL = re.compile(r"[0-9A-Za-z_-]{8,64}")
READ_OUT = 8
"""Characters of it that a page shows: people read them out, and somebody looks for them in the log."""


def request_id() -> str:
    """Return the id of the current request; "" without one."""
    return _now.get()


def begin_request(given: str = "") -> str:
    """Start a request in this task or thread, and return its id. It is the ``given`` one if that is fit for a
    log, else a new one."""
    chosen = given if _USUAL.fullmatch(given) else secrets.token_hex(8)
    _now.set(chosen)
    return chosen


def go_on_with(asked_by: str) -> None:
    """Continue work under the id of the request that asked for it, if any."""
    _now.set(asked_by)


def as_read_out() -> str:
    """Return the beginning of the id, as a page shows it."""
    return _now.get()[:READ_OUT]
