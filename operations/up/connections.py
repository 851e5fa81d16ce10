"""Closing of idle connections and of requests that never complete, so that they take no place.

uvicorn waits for the head of a request as long as the client likes.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class HeadWatch:
    """The connections of one server whose request's head is not complete yet.

    Each may take so many ``seconds``, and ``most`` may come from one address: one more closes the one that
    has waited longest.
    """

    def __init__(self, *, seconds: float = 20.0, most: int = 100) -> None:
        self._seconds, self._most = seconds, most
        self._waiting: defaultdict[str, dict[WatchedProtocol, asyncio.TimerHandle]] = defaultdict(dict)
        self._open: set[WatchedProtocol] = set()
        self.is_ending = False

    def add(self, connection: WatchedProtocol) -> None:
        self._open.add(connection)
        self.begin(connection)

    def remove(self, connection: WatchedProtocol) -> None:
        self._open.discard(connection)
        self.end(connection)

    def end_after_each_answer(self) -> None:
        """Make each answer from now on end its connection, so that clients send their next request
        elsewhere."""
        self.is_ending = True
        for connection in self._open:
            connection.end_after_answer()

    def begin(self, connection: WatchedProtocol) -> None:
        self.end(connection)
        waiting = self._waiting[connection.address]
        if len(waiting) >= self._most:
            next(iter(waiting)).hang_up()
        waiting[connection] = connection.loop.call_later(self._seconds, connection.hang_up)

    def end(self, connection: WatchedProtocol) -> None:
        """End the watch of a connection. Safe to repeat."""
        waiting = self._waiting.get(connection.address, {})
        timer = waiting.pop(connection, None)
        if timer is not None:
            timer.cancel()
        if not waiting:
            self._waiting.pop(connection.address, None)

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))


class WatchedProtocol(HttpToolsProtocol):
    """A connection, watched until the head of each request on it is complete.

    The watch begins when the connection opens, and with each further request.
    """

    watch: HeadWatch

    @property
    def address(self) -> str:
        return self.client[0] if self.client else ""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.watch.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.watch.remove(self)
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.watch.begin(self)

    def on_headers_complete(self) -> None:
        self.watch.end(self)
        super().on_headers_complete()
        if self.watch.is_ending:
            self.end_after_answer()

    def end_after_answer(self) -> None:
        if self.cycle is not None:
            self.cycle.keep_alive = False

    def hang_up(self) -> None:
        """Close the connection at once, dropping an unfinished request."""
        self.watch.end(self)
        self.transport.abort()


def watched_protocol(watch: HeadWatch) -> type[WatchedProtocol]:
    """Return the protocol class that uvicorn uses for each connection of a server."""
    return type("WatchedProtocol", (WatchedProtocol,), {"watch": watch})
