"""The id of the current request, or of the one that asked for a job, for every log."""

import re
import secrets
from contextvars import ContextVar

_current_id: ContextVar[str] = ContextVar("request_id", default="")
_VALID_ID = re.compile(r"[0-9A-Za-z_-]{8,64}")
SHORT_LENGTH = 8
"""Characters of it that a page shows: people read them out, and somebody looks for them in the log."""


def request_id() -> str:
    """Return the id of the current request; "" without one."""
    return _current_id.get()


def begin_request(given_id: str = "") -> str:
    """Start a request in this task or thread, and return its id. It is ``given_id`` if that is fit for a log,
    else a new one."""
    new_id = given_id if _VALID_ID.fullmatch(given_id) else secrets.token_hex(8)
    _current_id.set(new_id)
    return new_id


def continue_request(original_id: str) -> None:
    """Continue work under the id of the request that asked for it, if any."""
    _current_id.set(original_id)


def get_short_request_id() -> str:
    """Return the beginning of the id, as a page shows it."""
    return _current_id.get()[:SHORT_LENGTH]
