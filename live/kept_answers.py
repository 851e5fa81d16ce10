"""Pages and fragments that everybody reads, answered again without Django while their revision is the same.

Django makes one, and says what it depends on (``remember``). Who asks the same then has it from here, or 304:
until the revision of a topic is another, and never for longer than some seconds, for a page also says what
the clock alone changes. Whatever has a form, and whatever is of somebody's own, is Django's each time.

However many ask for one that is another by now, Django is asked by one of them for all, and then rests from
it for a while: in a hall where results come in within seconds, hands are recorded in the same process.
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
"""Seconds after which Django is asked again: it alone knows what the clock changes, such as that standings
are late."""
MOST = 500
"""Answers that are kept, of 10 kB or so."""
REST = 2.0
"""For how many times as long as an answer took nobody makes it again: whoever asks meanwhile waits, and all
of them have the next one."""
LONGEST_REST = 1.0
NOTE = "live.answer"
VARIES_BY = (b"host", b"accept-language", b"accept-encoding", b"hx-request")
WITH_304 = frozenset({b"cache-control", b"vary", b"etag", b"content-language", b"charlemagne"})

Key = tuple[object, ...]


@dataclass(slots=True)
class StoredResponse:
    """What Django answered who was asked ``at`` that moment of the loop's clock, when the topics had these
    public numbers together; ``next_at`` it may be asked again. Requests are counted by their ``route``."""

    at: float
    next_at: float
    topics: tuple[str, ...]
    numbers: int
    route: str
    headers: list[tuple[bytes, bytes]]
    etag: bytes
    body: bytes


def remember(request: HttpRequest, topics: tuple[str, ...], numbers: int) -> None:
    """Says of the answer to come that it follows from these topics, when their public numbers were these
    together, from the address and from the language: from nothing else of the request."""
    note = getattr(request, "scope", {}).get(NOTE)
    if note is not None:
        note.update(topics=topics, numbers=numbers)


class KeptAnswers:
    """Those of one process: of the loop of this hub."""

    def __init__(self, application: Application, hub: Hub) -> None:
        self._application, self.hub = application, hub
        self._kept: OrderedDict[Key, StoredResponse] = OrderedDict()
        self._making: dict[Key, asyncio.Event] = {}

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers from here, or has Django answer."""
        given = scope.get("headers", ())
        headers = dict(given)
        is_plain = scope.get("method") == "GET" and len(headers) == len(given)  # no header is there twice
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
        """Whether it says what is so at this moment, or later."""
        is_fresh = self.hub.now() - kept.at < ASKED_ANEW and self.hub.has(kept.topics, kept.numbers)
        return kept.at >= since or is_fresh

    async def _make_anew(self, key: Key, kept: StoredResponse, scope: Scope) -> None:
        """Has Django answer for all who ask by now, whoever of them stays; if that is nothing to keep any
        more, each asks for himself."""
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
        pieces: list[bytes] = []  # Django sends a large answer in several

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
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)


def _nothing_more() -> Receive:
    """Of a question without a body, from somebody who never goes away."""
    said = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> Message:
        return next(said, None) or await asyncio.get_running_loop().create_future()

    return receive


async def _say_nothing(message: Message) -> None:
    """To nobody: whoever asked has it from what was kept."""


async def _send(kept: StoredResponse, known: bytes, send: Send) -> None:
    is_known = kept.etag in known
    headers = [each for each in kept.headers if each[0] in WITH_304] if is_known else kept.headers
    await send_whole(send, 304 if is_known else 200, headers, b"" if is_known else kept.body)


def _key(scope: Scope, headers: dict[bytes, bytes]) -> Key:
    """All of a question that its answer may follow from, read as Django reads it."""
    cookies = parse_cookie(headers.get(b"cookie", b"").decode("latin1"))
    return (
        *(scope["scheme"], scope["path"], scope["query_string"], cookies.get(settings.LANGUAGE_COOKIE_NAME)),
        *(headers.get(name) for name in VARIES_BY),
    )
