"""Connections to PostgreSQL that can be told how long to wait for a server that has fallen silent.

Keepalive and time-outs of the server end the wait for a dead network and for a slow statement. Neither ends
the wait for a server, or something between, that takes the question and never answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar

import psycopg
from psycopg.errors import _WaitTimeout

if TYPE_CHECKING:
    from psycopg.abc import PQGen

T = TypeVar("T")

_most: ContextVar[float | None] = ContextVar("seconds", default=None)


@contextmanager
def waits_at_most(seconds: float) -> Iterator[None]:
    """Within it, whoever waits longer for one answer of the server gives it up, and the connection with it:
    psycopg.OperationalError. Elsewhere, as in the worker, a statement may take its time."""
    token = _most.set(seconds)
    try:
        yield
    finally:
        _most.reset(token)


class Connection(psycopg.Connection[Any]):
    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        if timeout is not None or _most.get() is None:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, _most.get())
        except _WaitTimeout:
            self.close()  # its answer may still come, to whatever would be asked next
            raise psycopg.OperationalError("the server did not answer in time") from None
