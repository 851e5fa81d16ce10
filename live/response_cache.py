"""A cache of public pages and fragments, which answers without Django while their revision is the same.

Django makes a response and says what it depends on (``mark_cacheable``). Further equal requests get it from here,
or 304, until a topic has a new revision, and for some seconds at most: a page may also change with time
alone. Pages with forms, and personal ones, always come from Django.

However many ask for an outdated response, Django is asked once for all of them, and then rests: in a hall
where results come in within seconds, the same process also records hands.
"""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, parse_cookie

from .asgi import ROUTE, Application, Headers, Message, Receive, Scope, Send, send_response
from .hub import Hub

MAX_AGE = 5.0
"""Seconds after which Django is asked again: only it knows what changes with time, such as that
standings are late."""
MAX_RESPONSES, MAX_BYTES = 500, 16 * 1024 * 1024
"""Responses in the cache, and the bytes of all their bodies."""
REST_FACTOR = 2.0
"""A response is made again after this many times the time it took. Requests wait until then,
and share the next one."""
MAX_REST = 1.0
SCOPE_KEY = "live.answer"
VARY_HEADERS = (b"host", b"accept-language", b"accept-encoding", b"hx-request")
NOT_MODIFIED_HEADERS = frozenset({b"cache-control", b"vary", b"etag", b"content-language", b"charlemagne"})

Key = tuple[object, ...]


@dataclass(slots=True)
class StoredResponse:
    """A response of Django, with the times of the loop's clock when it was and may again be rendered.

    ``numbers`` is the sum of the topics' public numbers at ``rendered_at``. ``route`` is for counting requests.
    """

    rendered_at: float
    next_render_at: float
    topics: tuple[str, ...]
    numbers: int
    route: str
    headers: list[tuple[bytes, bytes]]
    etag: bytes
    body: bytes


def mark_cacheable(request: HttpRequest, topics: tuple[str, ...], numbers: int) -> None:
    """Declare that the response depends only on these topics, at these public numbers, on the
    URL and on the language."""
    note = getattr(request, "scope", {}).get(SCOPE_KEY)
    if note is not None:
        note.update(topics=topics, numbers=numbers)


class ResponseCache:
    """The cache of one process, for the event loop of this hub."""

    def __init__(self, application: Application, hub: Hub) -> None:
        self._application, self.hub = application, hub
        self._stored: OrderedDict[Key, StoredResponse] = OrderedDict()
        self._rendering: dict[Key, asyncio.Event] = {}

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer from the cache, or let Django answer."""
        header_list = scope.get("headers", ())
        headers = dict(header_list)
        is_cacheable = scope.get("method") == "GET" and len(headers) == len(header_list)  # no repeated header
        if not is_cacheable:
            await self._application(scope, receive, send)
            return
        key, received_at = _get_cache_key(scope, headers), self.hub.now()
        while (stored := self._stored.get(key)) is not None and not self._is_newest(stored, start_time=received_at):
            if key not in self._rendering:
                await self._render_again(key, stored, scope)
            else:
                await self._rendering[key].wait()
        if stored is None:
            await self._render(key, scope, receive, send)
        else:
            self._stored.move_to_end(key)
            scope[ROUTE] = stored.route
            await _send_stored(stored, headers.get(b"if-none-match", b""), send)

    def _is_newest(self, stored: StoredResponse, *, start_time: float) -> bool:
        """Return whether the stored response is current, or made after that time."""
        is_fresh = self.hub.now() - stored.rendered_at < MAX_AGE and self.hub.has_numbers(stored.topics, stored.numbers)
        return stored.rendered_at >= start_time or is_fresh

    async def _render_again(self, key: Key, stored: StoredResponse, scope: Scope) -> None:
        """Let Django answer once for all waiting requests, even if they disconnect. If the response cannot be
        stored any more, each request is then passed on by itself."""
        rendered = self._rendering[key] = asyncio.Event()
        try:
            await asyncio.sleep(stored.next_render_at - self.hub.now())
            headers = [each for each in scope["headers"] if each[0] != b"if-none-match"]
            render_scope = {**scope, "headers": headers}
            await self._render(key, render_scope, _build_empty_receive(), _discard_message)
        finally:
            if self._stored.get(key) is stored:
                del self._stored[key]
            del self._rendering[key]
            rendered.set()

    async def _render(self, key: Key, scope: Scope, receive: Receive, send: Send) -> None:
        scope[SCOPE_KEY], started_at = {}, self.hub.now()
        start: Message = {}
        pieces: list[bytes] = []  # Django sends a large response in several

        async def forward(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
            elif scope[SCOPE_KEY] and start["status"] == 200:
                pieces.append(message["body"])
                if not message.get("more_body"):
                    self._store(key, started_at, scope, start["headers"], b"".join(pieces))
            await send(message)

        await self._application(scope, receive, forward)

    def _store(self, key: Key, started_at: float, scope: Scope, headers: Headers, body: bytes) -> None:
        headers = [(name.lower(), value) for name, value in headers]
        etag = dict(headers).get(b"etag", b"").removeprefix(b"W/")
        if not etag or b"set-cookie" in dict(headers):
            return
        now = self.hub.now()
        rest = min(REST_FACTOR * (now - started_at), MAX_REST)
        self.hub.track_topics(scope[SCOPE_KEY]["topics"])
        self._stored[key] = StoredResponse(
            started_at, now + rest, **scope[SCOPE_KEY], route=scope[ROUTE], headers=headers, etag=etag, body=body
        )
        self._stored.move_to_end(key)
        size = sum(len(each.body) for each in self._stored.values())
        while len(self._stored) > MAX_RESPONSES or size > MAX_BYTES:
            _, evicted = self._stored.popitem(last=False)
            size -= len(evicted.body)


def _build_empty_receive() -> Receive:
    """Return the input of a request without a body, whose client never disconnects."""
    messages = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> Message:
        return next(messages, None) or await asyncio.get_running_loop().create_future()

    return receive


async def _discard_message(message: Message) -> None:
    """Discard the message: the requests are answered from the cache."""


async def _send_stored(stored: StoredResponse, known_etags: bytes, send: Send) -> None:
    is_known = stored.etag in known_etags
    headers = [each for each in stored.headers if each[0] in NOT_MODIFIED_HEADERS] if is_known else stored.headers
    await send_response(send, 304 if is_known else 200, headers, b"" if is_known else stored.body)


def _get_cache_key(scope: Scope, headers: dict[bytes, bytes]) -> Key:
    """Return everything in a request on which its response may depend, parsed like Django does."""
    cookies = parse_cookie(headers.get(b"cookie", b"").decode("latin1"))
    return (
        *(scope["scheme"], scope["path"], scope["query_string"], cookies.get(settings.LANGUAGE_COOKIE_NAME)),
        *(headers.get(name) for name in VARY_HEADERS),
    )
