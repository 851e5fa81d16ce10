"""Connections to PostgreSQL with a time limit for a server that has fallen silent.

Keepalive and time-outs of the server limit the wait for a dead network and for a slow statement. Neither
limits the wait for a server, or a proxy, that accepts the query and never answers.
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

_time_limit: ContextVar[float | None] = ContextVar("seconds", default=None)


@contextmanager
def waits_at_most(seconds: float) -> Iterator[None]:
    """Within the block, limit the wait for each answer of the server; then close the connection.

    Raises psycopg.OperationalError. Elsewhere, as in the worker, statements may take longer.
    """
    token = _time_limit.set(seconds)
    try:
        yield
    finally:
        _time_limit.reset(token)


class Connection(psycopg.Connection[Any]):
    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        if timeout is not None or _time_limit.get() is None:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, _time_limit.get())
        except _WaitTimeout:
            self.close()  # a late answer would be taken for that of the next query
            raise psycopg.OperationalError("the server did not answer in time") from None
