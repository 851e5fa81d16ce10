"""The URLs of streams, and the ASGI application that serves them beside Django.

A server-sent event contains the name of a revision (its ``id``), and nothing of what changed: the page
compares it with its own, and fetches its fragment again. Why not Django's streaming responses:
``docs/decisions/0045-announce-revisions-by-server-sent-events.md``.
"""

from __future__ import annotations

import asyncio
import random
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from django.conf import settings
from django.utils.crypto import salted_hmac
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode

from .announcements import channel
from .asgi import Application, Headers, Receive, Scope, Send, send_whole
from .hub import Hub, Subject, Watcher
from .response_cache import ResponseCache

PATH = "/live/"
STAFF_DAYS = 1
"""Days after which a page of the desk must be opened again to get updates."""
RETRY = (1_000, 4_000)
"""Milliseconds, from and to, after which a browser reconnects a broken stream: each at a time of its own."""
MOST_STREAMS = 20_000
"""Streams per process, if the system allows twice as many open files; further visitors poll instead."""
MOST_OF_ADDRESS = 500
"""Streams of one client address; a hall behind one router has hundreds of phones."""
RESERVED = 10
"""One place in so many is for tables alone."""


def stream_path(subject: Subject, now: datetime) -> str:
    """Return the URL of a stream: permanent for public subjects, temporary for staff. It is encrypted, so
    that nobody can read or forge it."""
    until = "" if subject.is_public else str(now.toordinal() + STAFF_DAYS)
    sealed = _cipher(settings.SECRET_KEY).encrypt(f"{until} {subject.topic}".encode(), None)
    return PATH + urlsafe_base64_encode(sealed)


def subject_at(path: str, now: datetime) -> Subject | None:
    """Return the subject of a stream's URL; None if it is not valid, or expired."""
    token = path.removeprefix(PATH)
    try:
        sealed = urlsafe_base64_decode(token)
        until, _, topic = _cipher(settings.SECRET_KEY).decrypt(sealed, None).decode().partition(" ")
    except (ValueError, InvalidTag):
        return None
    if until and int(until) < now.toordinal():
        return None
    return Subject(topic, is_public=not until)


@cache
def _cipher(secret: str) -> AESSIV:
    return AESSIV(salted_hmac("live.streams", "", secret=secret, algorithm="sha512").digest())


def most_streams() -> int:
    """Return how many streams this process may hold: they take at most half of its open files."""
    if sys.platform == "win32":  # Windows has no such limit
        return MOST_STREAMS
    import resource

    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_STREAMS if files == resource.RLIM_INFINITY else min(MOST_STREAMS, files // 2)


class StreamPlaces:
    """Places for the streams of one process, of which each client address gets some, and tables the last."""

    def __init__(self, most: int) -> None:
        self._most, self._taken = most, 0
        self._of_address: Counter[str] = Counter()

    @contextmanager
    def take(self, address: str, *, is_table: bool) -> Iterator[bool]:
        """Take a place for as long as the stream is open. Yield whether there is one."""
        most = self._most if is_table else self._most - self._most // RESERVED
        if self._taken >= most or self._of_address[address] >= MOST_OF_ADDRESS:
            yield False
            return
        self._taken += 1
        self._of_address[address] += 1
        try:
            yield True
        finally:
            self._taken -= 1
            self._of_address[address] -= 1
            if not self._of_address[address]:
                del self._of_address[address]


class Streams:
    """An application that serves streams and passes on everything else. ``headers`` are added
    to each response."""

    def __init__(self, application: Application, headers: Headers = ()) -> None:
        self._application = application
        self._headers = [
            (b"content-type", b"text/event-stream"),
            (b"cache-control", b"no-cache, no-transform"),
            (b"x-accel-buffering", b"no"),
            *headers,
        ]
        self._answers: dict[asyncio.AbstractEventLoop, ResponseCache] = {}
        self._places = StreamPlaces(most_streams())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"].removeprefix(scope.get("root_path", "")) if scope["type"] == "http" else ""
        if path.startswith(PATH):
            await self._serve(scope, subject_at(path, datetime.now(UTC)), receive, send)
        else:
            await self._here().answer(scope, receive, send)

    def end(self) -> None:
        """End every stream now, since the server is stopping. Call it on the loop that serves."""
        self._here().hub.end()

    def is_ending(self) -> bool:
        """Return whether ``end`` was called. Call it on the loop that serves."""
        return self._here().hub.is_ending

    def watchers(self) -> int:
        """Return the number of open streams in this process. May be called from any thread."""
        return sum(len(kept.hub) for kept in list(self._answers.values()))

    async def _serve(self, scope: Scope, subject: Subject | None, receive: Receive, send: Send) -> None:
        if subject is None or scope["method"] != "GET":
            await send_whole(send, 404, self._headers[1:])
            return
        address, _ = scope.get("client") or ("", 0)  # behind a trusted proxy, the client's
        with self._places.take(address, is_table=subject.is_of_table) as has_place:
            if has_place and not self._here().hub.is_ending:
                await self._watch(subject, receive, send)
            else:
                await send_whole(send, 503, [*self._headers[1:], (b"connection", b"close")])

    async def _watch(self, subject: Subject, receive: Receive, send: Send) -> None:
        hub, task = self._here().hub, asyncio.current_task()
        assert task is not None
        watcher = Watcher(send, task)
        try:
            if await hub.revision(subject) is None:
                await send_whole(send, 404, self._headers[1:])
                return
            await send({"type": "http.response.start", "status": 200, "headers": self._headers})
            watcher.tell(f"retry: {random.randint(*RETRY)}\n".encode())  # noqa: S311
            hub.join(subject, watcher)
            while (await receive())["type"] != "http.disconnect":
                pass
        except asyncio.CancelledError:
            return  # it was disconnected: only that, or the end of the loop, cancels it
        finally:
            hub.leave(subject, watcher)

    def _here(self) -> ResponseCache:
        """Return the cache and hub of the current loop, and drop those of closed loops."""
        loop = asyncio.get_running_loop()
        if loop not in self._answers:
            self._answers = {each: kept for each, kept in self._answers.items() if not each.is_closed()}
            hub = Hub()
            self._answers[loop] = ResponseCache(self._application, hub)
            if settings.LIVE_REDIS_URL:
                hub.run(_hear_others(hub))
        return self._answers[loop]


async def _hear_others(hub: Hub) -> None:
    """Pass announcements of other processes to the hub, which reads by itself what it missed
    while Redis was away."""
    from redis import RedisError
    from redis.asyncio import Redis

    while True:
        try:
            async with (
                Redis.from_url(settings.LIVE_REDIS_URL) as server,
                server.pubsub() as heard,
            ):
                await heard.subscribe(channel())
                async for message in heard.listen():
                    if message["type"] == "message":
                        hub.hear(message["data"].decode())
                    else:
                        hub.look()
        except (RedisError, OSError):
            await asyncio.sleep(1)
