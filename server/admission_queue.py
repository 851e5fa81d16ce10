"""Limit of the requests that are processed at once, and the order of those that wait.

Each request has its own thread, and they share one processor: with forty of them at once all take as long as
the whole lot, and phones that gave up meanwhile send their requests again. So a few are processed, and the
others wait in two queues; tables get three turns of four, and two places of their own. One table, and one sender
of other requests, take few places, so that a club that keeps the server busy leaves some to the others. Requests
whose client has left are dropped.
"""

import asyncio
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from contextvars import copy_context
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary

from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.db import close_old_connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from .body_limits import ANONYMOUS_LIMIT
from .body_rates import get_body_size
from .utf8_request import Utf8Request

MAX_CONCURRENT = 8
"""Number of requests at once. With more, all take longer:
``docs/decisions/0033-queue-requests-before-django.md``."""
RESERVED_FOR_TABLES = 2
"""Number of these that only tables may take: slow requests to other pages never occupy all."""
TABLE_PREFIXES = ("/t/", "/match/")
MAX_PER_SHARE = 2
"""Number of these that a table or an account may take, with all its sessions and API keys; and all large bodies
together."""
MAX_KNOWN_SENDERS = 10_000
"""Number of sessions and API keys whose account is remembered."""
MAX_TABLE_TURNS = 3
"""Turns that tables may take in a row.

If tables always went first, nobody else would be answered during a steady stream of them. With a fixed head
start in seconds, they would wait as long as everybody else, less those seconds.
"""


class AdmissionQueue:
    """Queue that admits so many requests ``run_concurrently``, of which others than tables take all but the
    ``reserved`` ones.

    Tables go first, in order of arrival, but after three of them in a row comes one of the others.
    """

    def __init__(self, capacity: int, reserved_count: int = 0) -> None:
        self._free, self._free_for_others = capacity, capacity - reserved_count
        self._tables, self._others = deque[asyncio.Future[None]](), deque[asyncio.Future[None]]()
        self._table_turns = 0

    async def enter(self, *, is_table: bool) -> None:
        """Wait for a place. A cancelled request gets none."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        (self._tables if is_table else self._others).append(turn)
        self._admit()
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # its turn had just come
                self.leave(is_table=is_table)
            raise

    def leave(self, *, is_table: bool) -> None:
        """Pass the place to the next request."""
        self._free += 1
        self._free_for_others += not is_table
        self._admit()

    def _admit(self) -> None:
        while self._free and (self._tables or (self._others and self._free_for_others)):
            is_table = self._is_turn_of_table()
            turn = (self._tables if is_table else self._others).popleft()
            if not turn.done():
                self._table_turns = self._table_turns + 1 if is_table else 0
                self._free -= 1
                self._free_for_others -= not is_table
                turn.set_result(None)

    def _is_turn_of_table(self) -> bool:
        can_admit_others = bool(self._others and self._free_for_others)
        return bool(self._tables) and (self._table_turns < MAX_TABLE_TURNS or not can_admit_others)


class AdmittedHandler(ASGIHandler):
    """Django's handler, with the queue in front.

    A request waits only after its body is complete. Django cancels it when its client leaves, which also
    removes it from the queue. Once a thread works on it, it keeps its place until that ends. Each place is a
    thread, which keeps its connection to the database.
    """

    request_class = Utf8Request

    def __init__(self) -> None:
        super().__init__()
        self._queues: WeakKeyDictionary[asyncio.AbstractEventLoop, AdmissionQueue] = WeakKeyDictionary()
        self._shares: WeakValueDictionary[tuple[asyncio.AbstractEventLoop, str], asyncio.Semaphore] = (
            WeakValueDictionary()
        )
        self._accounts: dict[str, str] = {}
        self._threads = ThreadPoolExecutor(MAX_CONCURRENT, thread_name_prefix="place")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle a request without the clean-up thread that Django would start for each: one does that for
        all."""
        if scope["type"] == "http":
            await self.handle(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)

    def load_middleware(self, is_async: bool = False) -> None:  # noqa: FBT001, FBT002 (as Django has it)
        """Build the middleware as for synchronous servers, so that a request goes to its thread once.

        With Django's asynchronous chain, the middleware would be in one thread, the view in another, and the
        event loop between them.
        """
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Wait in the queue of this event loop, then answer in a thread."""
        loop = asyncio.get_running_loop()
        queue = self._queues.setdefault(loop, AdmissionQueue(MAX_CONCURRENT, RESERVED_FOR_TABLES))
        is_table = request.path_info.startswith(TABLE_PREFIXES)
        with ExitStack() as places:
            for name in self._list_shares(request, is_table=is_table):
                share = self._shares.setdefault((loop, name), asyncio.Semaphore(MAX_PER_SHARE))
                await share.acquire()
                places.callback(share.release)
            await queue.enter(is_table=is_table)
            places.callback(queue.leave, is_table=is_table)
            response_future = loop.run_in_executor(self._threads, copy_context().run, self._answer, request)
            held_places = places.pop_all()
            response_future.add_done_callback(lambda _: held_places.close())
        try:
            return await asyncio.shield(response_future)
        except asyncio.CancelledError:
            await asyncio.wait([response_future])  # its thread still reads the body, which is closed afterwards
            raise

    def _answer(self, request: HttpRequest) -> HttpResponseBase:
        """Answer in a thread, closing a database connection that is too old or was broken."""
        try:
            return self.get_response(request)
        finally:
            self._remember_account(request)
            close_old_connections()

    def _list_shares(self, request: HttpRequest, *, is_table: bool) -> Iterator[str]:
        """Yield the names of the shares of which the request needs a place: its table's; or its sender's, and that of
        large bodies. Senders without an account, who may be a whole hall at one address, have none."""
        if is_table:
            yield "/".join(request.path_info.split("/", 3)[:3])
            return
        if sender := _get_sender(request):
            yield self._accounts.get(sender, sender)
        if get_body_size(request) >= ANONYMOUS_LIMIT:
            yield "large bodies"

    def _remember_account(self, request: HttpRequest) -> None:
        """Remember whose session or API key the request has, if the view has looked: the next one shares the
        account's places."""
        is_known = not {"_cached_user", "auth"}.isdisjoint(vars(request))  # of Django's sessions, and of the API
        if is_known and request.user.is_authenticated and (sender := _get_sender(request)):
            self._accounts[sender] = f"account {request.user.pk}"
            if len(self._accounts) > MAX_KNOWN_SENDERS:
                self._accounts.pop(next(iter(self._accounts)), None)


def _get_sender(request: HttpRequest) -> str | None:
    """Return the API key or session of the request, None without either."""
    return request.META.get("HTTP_AUTHORIZATION") or request.COOKIES.get(settings.SESSION_COOKIE_NAME)
