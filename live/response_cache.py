"""A cache of public pages and fragments, which answers without Django while their revision is the same.

Django makes a response and says what it depends on (``remember``). Further equal requests get it from here,
or 304, until a topic has a new revision, and for some seconds at most: a page may also change with time
alone. Pages with forms, and personal ones, always come from Django.

However many ask for an outdated response, Django is asked once for all of them, and then rests: in a hall
where results come in within seconds, the same process also records hands.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, parse_cookie

from .asgi import ROUTE, Application, Headers, Message, Receive, Scope, Send, send_whole
from .hub import Hub

ASKED_ANEW = 5.0
"""Seconds after which Django is asked again: only it knows what changes with time, such as that
standings are late."""
MOST, MOST_BYTES = 500, 16 * 1024 * 1024
"""Responses in the cache, and the bytes of all their bodies."""
REST = 2.0
"""A response is made again after this many times the time it took. Requests wait until then,
and share the next one."""
LONGEST_REST = 1.0
NOTE = "live.answer"
VARIES_BY = (b"host", b"accept-language", b"accept-encoding", b"hx-request")
WITH_304 = frozenset({b"cache-control", b"vary", b"etag", b"content-language", b"charlemagne"})

Key = tuple[object, ...]


@dataclass(slots=True)
class StoredResponse:
    """A response of Django, made ``at`` that time of the loop's clock, when the topics' public numbers had
    this sum. It may be made again at ``next_at``. ``route`` is for counting requests."""

    at: float
    next_at: float
    topics: tuple[str, ...]
    numbers: int
    route: str
    headers: list[tuple[bytes, bytes]]
    etag: bytes
    body: bytes


def remember(request: HttpRequest, topics: tuple[str, ...], numbers: int) -> None:
    """Declare that the response depends only on these topics, at these public numbers, on the
    URL and on the language."""
    note = getattr(request, "scope", {}).get(NOTE)
    if note is not None:
        note.update(topics=topics, numbers=numbers)


class ResponseCache:
    """The cache of one process, for the event loop of this hub."""

    def __init__(self, application: Application, hub: Hub) -> None:
        self._application, self.hub = application, hub
        self._kept: OrderedDict[Key, StoredResponse] = OrderedDict()
        self._making: dict[Key, asyncio.Event] = {}

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer from the cache, or let Django answer."""
        given = scope.get("headers", ())
        headers = dict(given)
        is_plain = scope.get("method") == "GET" and len(headers) == len(given)  # no repeated header
        if not is_plain:
            await self._application(scope, receive, send)
            return
        key, came = _key(scope, headers), self.hub.now()
        while (kept := self._kept.get(key)) is not None and not self._is_newest(kept, since=came):
            if key not in self._making:
                await self._make_anew(key, kept, scope)
            else:
                await self._making[key].wait()
        if kept is None:
            await self._make(key, scope, receive, send)
        else:
            self._kept.move_to_end(key)
            scope[ROUTE] = kept.route
            await _send(kept, headers.get(b"if-none-match", b""), send)

    def _is_newest(self, kept: StoredResponse, *, since: float) -> bool:
        """Return whether the stored response is current, or made after that time."""
        is_fresh = self.hub.now() - kept.at < ASKED_ANEW and self.hub.has(kept.topics, kept.numbers)
        return kept.at >= since or is_fresh

    async def _make_anew(self, key: Key, kept: StoredResponse, scope: Scope) -> None:
        """Let Django answer once for all waiting requests, even if they disconnect. If the response cannot be
        stored any more, each request is then passed on by itself."""
        made = self._making[key] = asyncio.Event()
        try:
            await asyncio.sleep(kept.next_at - self.hub.now())
            headers = [each for each in scope["headers"] if each[0] != b"if-none-match"]
            asked = {**scope, "headers": headers}
            await self._make(key, asked, _nothing_more(), _say_nothing)
        finally:
            if self._kept.get(key) is kept:
                del self._kept[key]
            del self._making[key]
            made.set()

    async def _make(self, key: Key, scope: Scope, receive: Receive, send: Send) -> None:
        scope[NOTE], begun = {}, self.hub.now()
        start: Message = {}
        pieces: list[bytes] = []  # Django sends a large response in several

        async def pass_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
            elif scope[NOTE] and start["status"] == 200:
                pieces.append(message["body"])
                if not message.get("more_body"):
                    self._keep(key, begun, scope, start["headers"], b"".join(pieces))
            await send(message)

        await self._application(scope, receive, pass_on)

    def _keep(self, key: Key, begun: float, scope: Scope, headers: Headers, body: bytes) -> None:
        headers = [(name.lower(), value) for name, value in headers]
        etag = dict(headers).get(b"etag", b"").removeprefix(b"W/")
        if not etag or b"set-cookie" in dict(headers):
            return
        now = self.hub.now()
        rest = min(REST * (now - begun), LONGEST_REST)
        self.hub.track(scope[NOTE]["topics"])
        self._kept[key] = StoredResponse(
            begun, now + rest, **scope[NOTE], route=scope[ROUTE], headers=headers, etag=etag, body=body
        )
        self._kept.move_to_end(key)
        size = sum(len(each.body) for each in self._kept.values())
        while len(self._kept) > MOST or size > MOST_BYTES:
            _, dropped = self._kept.popitem(last=False)
            size -= len(dropped.body)


def _nothing_more() -> Receive:
    """Return the input of a request without a body, whose client never disconnects."""
    said = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> Message:
        return next(said, None) or await asyncio.get_running_loop().create_future()

    return receive


async def _say_nothing(message: Message) -> None:
    """Discard the message: the requests are answered from the cache."""


async def _send(kept: StoredResponse, known: bytes, send: Send) -> None:
    is_known = kept.etag in known
    headers = [each for each in kept.headers if each[0] in WITH_304] if is_known else kept.headers
    await send_whole(send, 304 if is_known else 200, headers, b"" if is_known else kept.body)


def _key(scope: Scope, headers: dict[bytes, bytes]) -> Key:
    """Return everything in a request on which its response may depend, parsed like Django does."""
    cookies = parse_cookie(headers.get(b"cookie", b"").decode("latin1"))
    return (
        *(scope["scheme"], scope["path"], scope["query_string"], cookies.get(settings.LANGUAGE_COOKIE_NAME)),
        *(headers.get(name) for name in VARIES_BY),
    )
