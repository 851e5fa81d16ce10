"""Connections that say nothing, or begin a request and do not go on: ended, so that they hold no place.

uvicorn waits for the head of a request as long as the other side likes.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class HeadWatch:
    """The connections of one server whose request's head is not there yet: each for so many ``seconds``, and
    ``most`` from one address: one more ends the one that has waited longest, and is let in itself."""

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
        """From now on each answer says that its connection ends with it: whoever asks next asks elsewhere."""
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
        """Safe to repeat."""
        waiting = self._waiting.get(connection.address, {})
        timer = waiting.pop(connection, None)
        if timer is not None:
            timer.cancel()
        if not waiting:
            self._waiting.pop(connection.address, None)

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))


class WatchedProtocol(HttpToolsProtocol):
    """One connection: watched from when it is opened, and from when another request begins on it, until the
    head of the request is whole."""

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
        """Ends the connection at once; what it has begun is nothing."""
        self.watch.end(self)
        self.transport.abort()


def watched_protocol(watch: HeadWatch) -> type[WatchedProtocol]:
    """What uvicorn makes of each connection of a server."""
    return type("WatchedProtocol", (WatchedProtocol,), {"watch": watch})
