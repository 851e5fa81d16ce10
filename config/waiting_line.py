"""How many requests are worked on at once, and who comes next.

Each request has a thread of its own, and they share one processor: with forty of them at once everybody waits
for as long as all of it takes, and phones that gave up meanwhile come again. So a few are worked on, the
others wait in two lines, of which that of the tables has three turns of four; whoever left is not served any
more.
"""

from __future__ import annotations

import asyncio
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any
from weakref import WeakKeyDictionary

from django.core.handlers.asgi import ASGIHandler
from django.db import close_old_connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase

AT_ONCE = 8
"""With more of them, all take longer: ``docs/decisions/0033-queue-requests-before-django.md``."""
TABLES = ("/t/", "/match/")
TABLES_IN_A_ROW = 3
"""Were tables always first, nobody else would be answered while as many of them come without pause. Were they
ahead by so many seconds, they would wait as long as everybody else does, less those seconds."""


class WaitingLine:
    """Lets so many in ``at_once``. Of those who wait, tables come first, in order of coming, but after three
    of them in a row one of the others."""

    def __init__(self, at_once: int) -> None:
        self._places = at_once
        self._tables, self._others = deque[asyncio.Future[None]](), deque[asyncio.Future[None]]()
        self._tables_in_a_row = 0

    async def enter(self, *, is_table: bool) -> None:
        """Waits for a place. Whoever is cancelled meanwhile has none."""
        if self._places:
            self._places -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        (self._tables if is_table else self._others).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # its turn had just come
                self.leave()
            raise

    def leave(self) -> None:
        """Gives the place to the next one."""
        while self._tables or self._others:
            turn = self._take_next()
            if not turn.done():
                turn.set_result(None)
                return
        self._places += 1

    def _take_next(self) -> asyncio.Future[None]:
        if self._tables and (self._tables_in_a_row < TABLES_IN_A_ROW or not self._others):
            self._tables_in_a_row += 1
            return self._tables.popleft()
        self._tables_in_a_row = 0
        return self._others.popleft()


class HandlerInTurn(ASGIHandler):
    """Django, which answers in turn. A request has its body before it waits; Django cancels it when its
    client leaves, and so it leaves the line. Once a thread works on it, it has its place until that ends.

    Each place is a thread, which keeps its connection to the database.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lines: WeakKeyDictionary[asyncio.AbstractEventLoop, WaitingLine] = WeakKeyDictionary()
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="place")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Without the thread that Django would start for each request, to tidy up behind its answer: one does
        that for all of them."""
        if scope["type"] == "http":
            await self.handle(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)

    def load_middleware(self, is_async: bool = False) -> None:  # noqa: FBT001, FBT002 (as Django has it)
        """As for synchronous servers: a request goes to its thread once. Joined for this one, the middleware
        would be in one thread, the view in another, and the loop between them."""
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """In the line of the loop that serves."""
        loop = asyncio.get_running_loop()
        line = self._lines.setdefault(loop, WaitingLine(AT_ONCE))
        await line.enter(is_table=request.path_info.startswith(TABLES))
        answering = loop.run_in_executor(self._threads, copy_context().run, self._answer, request)
        answering.add_done_callback(lambda _: line.leave())
        try:
            return await asyncio.shield(answering)
        except asyncio.CancelledError:
            await asyncio.wait([answering])  # its thread still reads the body, which is closed behind this
            raise

    def _answer(self, request: HttpRequest) -> HttpResponseBase:
        """In a thread whose connection may be too old by now, or broken by what came before."""
        try:
            return self.get_response(request)
        finally:
            close_old_connections()
