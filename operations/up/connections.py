"""Closing of idle connections and of requests that never complete, so that they take no place.

uvicorn waits for the head of a request as long as the client likes.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from functools import cache
from typing import Any

from django.template.loader import render_to_string
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class RequestHeadWatch:
    """The connections of one server whose request's head is not complete yet.

    Each may take so many ``seconds``, and ``most`` may come from one address: one more closes the one that
    has waited longest.
    """

    def __init__(self, *, seconds: float = 20.0, limit: int = 100) -> None:
        self._seconds, self._limit = seconds, limit
        self._timers: defaultdict[str, dict[WatchedProtocol, asyncio.TimerHandle]] = defaultdict(dict)
        self._open: set[WatchedProtocol] = set()
        self.is_ending = False

    def add(self, connection: WatchedProtocol) -> None:
        self._open.add(connection)
        self.begin(connection)

    def remove(self, connection: WatchedProtocol) -> None:
        self._open.discard(connection)
        self.end(connection)

    def close_after_responses(self) -> None:
        """Make each answer from now on end its connection, so that clients send their next request
        elsewhere."""
        self.is_ending = True
        for connection in self._open:
            connection.close_after_response()

    def begin(self, connection: WatchedProtocol) -> None:
        self.end(connection)
        timers = self._timers[connection.address]
        if len(timers) >= self._limit:
            next(iter(timers)).abort_connection()
        timers[connection] = connection.loop.call_later(self._seconds, connection.abort_connection)

    def end(self, connection: WatchedProtocol) -> None:
        """End the watch of a connection. Safe to repeat."""
        timers = self._timers.get(connection.address, {})
        timer = timers.pop(connection, None)
        if timer is not None:
            timer.cancel()
        if not timers:
            self._timers.pop(connection.address, None)

    def __len__(self) -> int:
        return sum(map(len, self._timers.values()))


class WatchedProtocol(HttpToolsProtocol):
    """A connection, watched until the head of each request on it is complete.

    The watch begins when the connection opens, and with each further request.
    """

    watch: RequestHeadWatch

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
            self.close_after_response()

    def send_400_response(self, msg: str) -> None:
        """Answer an unreadable request, such as one with an endless address, with a page in both languages."""
        page = _render_unreadable_page()
        headers = [
            *self.server_state.default_headers,
            (b"content-type", b"text/html; charset=utf-8"),
            (b"content-length", b"%d" % len(page)),
            (b"connection", b"close"),
        ]
        lines = [b"HTTP/1.1 400 Bad Request", *(name + b": " + value for name, value in headers)]
        self.transport.write(b"\r\n".join([*lines, b"", page]))
        self.transport.close()

    def close_after_response(self) -> None:
        if self.cycle is not None:
            self.cycle.keep_alive = False

    def abort_connection(self) -> None:
        """Close the connection at once, dropping an unfinished request."""
        self.watch.end(self)
        self.transport.abort()


def build_protocol_class(watch: RequestHeadWatch) -> type[WatchedProtocol]:
    """Return the protocol class that uvicorn uses for each connection of a server."""
    return type("WatchedProtocol", (WatchedProtocol,), {"watch": watch})


@cache
def _render_unreadable_page() -> bytes:
    return render_to_string("malformed_request.html").encode()
