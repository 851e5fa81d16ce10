"""The URLs of streams, and the ASGI application that serves them beside Django.

A server-sent event contains the name of a revision (its ``id``), and nothing of what changed: the page
compares it with its own, and fetches its fragment again. Why not Django's streaming responses:
``docs/decisions/0045-announce-revisions-by-server-sent-events.md``.
"""

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

from .announcements import get_redis_channel
from .asgi import Application, Headers, Receive, Scope, Send, send_response
from .hub import Hub, Subject, Watcher
from .response_cache import ResponseCache

PATH = "/live/"
STAFF_DAYS = 1
"""Days after which a page of the desk must be opened again to get updates."""
RETRY = (1_000, 4_000)
"""Milliseconds, from and to, after which a browser reconnects a broken stream: each at a time of its own."""
MAX_STREAMS = 20_000
"""Streams per process, if the system allows twice as many open files; further visitors poll instead."""
MAX_STREAMS_PER_ADDRESS = 500
"""Streams of one client address; a hall behind one router has hundreds of phones."""
RESERVED_SHARE = 10
"""One place in so many is for tables alone."""


def build_stream_path(subject: Subject, now: datetime) -> str:
    """Return the URL of a stream: permanent for public subjects, temporary for staff. It is encrypted, so
    that nobody can read or forge it."""
    last_day = "" if subject.is_public else str(now.toordinal() + STAFF_DAYS)
    encrypted = _get_cipher(settings.SECRET_KEY).encrypt(f"{last_day} {subject.topic}".encode(), None)
    return PATH + urlsafe_base64_encode(encrypted)


def parse_stream_path(path: str, now: datetime) -> Subject | None:
    """Return the subject of a stream's URL; None if it is not valid, or expired."""
    token = path.removeprefix(PATH)
    try:
        encrypted = urlsafe_base64_decode(token)
        last_day, _, topic = _get_cipher(settings.SECRET_KEY).decrypt(encrypted, None).decode().partition(" ")
    except (ValueError, InvalidTag):
        return None
    if last_day and int(last_day) < now.toordinal():
        return None
    return Subject(topic, is_public=not last_day)


@cache
def _get_cipher(secret: str) -> AESSIV:
    return AESSIV(salted_hmac("live.streams", "", secret=secret, algorithm="sha512").digest())


def get_max_streams() -> int:
    """Return how many streams this process may hold: they take at most half of its open files."""
    if sys.platform == "win32":  # Windows has no such limit
        return MAX_STREAMS
    import resource

    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MAX_STREAMS if files == resource.RLIM_INFINITY else min(MAX_STREAMS, files // 2)


class StreamLimiter:
    """Places for the streams of one process, of which each client address gets some, and tables the last."""

    def __init__(self, max_streams: int) -> None:
        self._max_streams, self._open_count = max_streams, 0
        self._counts_by_address: Counter[str] = Counter()

    @contextmanager
    def acquire(self, address: str, *, is_table: bool) -> Iterator[bool]:
        """Take a place for as long as the stream is open. Yield whether there is one."""
        limit = self._max_streams if is_table else self._max_streams - self._max_streams // RESERVED_SHARE
        if self._open_count >= limit or self._counts_by_address[address] >= MAX_STREAMS_PER_ADDRESS:
            yield False
            return
        self._open_count += 1
        self._counts_by_address[address] += 1
        try:
            yield True
        finally:
            self._open_count -= 1
            self._counts_by_address[address] -= 1
            if not self._counts_by_address[address]:
                del self._counts_by_address[address]


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
        self._caches: dict[asyncio.AbstractEventLoop, ResponseCache] = {}
        self._places = StreamLimiter(get_max_streams())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"].removeprefix(scope.get("root_path", "")) if scope["type"] == "http" else ""
        if path.startswith(PATH):
            await self._serve(scope, parse_stream_path(path, datetime.now(UTC)), receive, send)
        else:
            await self._get_cache().answer(scope, receive, send)

    def end_streams(self) -> None:
        """End every stream now, since the server is stopping. Call it on the loop that serves."""
        self._get_cache().hub.end_streams()

    def is_ending(self) -> bool:
        """Return whether ``end_streams`` was called. Call it on the loop that serves."""
        return self._get_cache().hub.is_ending

    def count_watchers(self) -> int:
        """Return the number of open streams in this process. May be called from any thread."""
        return sum(len(response_cache.hub) for response_cache in list(self._caches.values()))

    async def _serve(self, scope: Scope, subject: Subject | None, receive: Receive, send: Send) -> None:
        if subject is None or scope["method"] != "GET":
            await send_response(send, 404, self._headers[1:])
            return
        address, _ = scope.get("client") or ("", 0)  # behind a trusted proxy, the client's
        with self._places.acquire(address, is_table=subject.is_table) as has_place:
            if has_place and not self._get_cache().hub.is_ending:
                await self._watch(subject, receive, send)
            else:
                await send_response(send, 503, [*self._headers[1:], (b"connection", b"close")])

    async def _watch(self, subject: Subject, receive: Receive, send: Send) -> None:
        hub, task = self._get_cache().hub, asyncio.current_task()
        assert task is not None
        watcher = Watcher(send, task)
        try:
            if await hub.revision(subject) is None:
                await send_response(send, 404, self._headers[1:])
                return
            await send({"type": "http.response.start", "status": 200, "headers": self._headers})
            watcher.send_message(f"retry: {random.randint(*RETRY)}\n".encode())  # noqa: S311
            hub.add_watcher(subject, watcher)
            while (await receive())["type"] != "http.disconnect":
                pass
        except asyncio.CancelledError:
            return  # it was disconnected: only that, or the end of the loop, cancels it
        finally:
            hub.remove_watcher(subject, watcher)

    def _get_cache(self) -> ResponseCache:
        """Return the cache and hub of the current loop, and drop those of closed loops."""
        loop = asyncio.get_running_loop()
        if loop not in self._caches:
            self._caches = {
                each: response_cache for each, response_cache in self._caches.items() if not each.is_closed()
            }
            hub = Hub()
            self._caches[loop] = ResponseCache(self._application, hub)
            if settings.LIVE_REDIS_URL:
                hub.start_task(_forward_announcements(hub))
        return self._caches[loop]


async def _forward_announcements(hub: Hub) -> None:
    """Pass announcements of other processes to the hub, which reads by itself what it missed
    while Redis was away."""
    from redis import RedisError
    from redis.asyncio import Redis

    while True:
        try:
            async with (
                Redis.from_url(settings.LIVE_REDIS_URL) as server,
                server.pubsub() as subscription,
            ):
                await subscription.subscribe(get_redis_channel())
                async for message in subscription.listen():
                    if message["type"] == "message":
                        hub.on_announcement(message["data"].decode())
                    else:
                        hub.request_refresh()
        except (RedisError, OSError):
            await asyncio.sleep(1)
