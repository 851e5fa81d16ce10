"""A proxy between a phone and the server that makes requests fail, as the Wi-Fi of a hall does.

    with SpoilingProxy(server.port) as proxy:
        phone.open(proxy.url + hall.table)
        proxy.spoil = lambda method, path, count: Fault.PORTAL if method == "POST" else None
        ...
        proxy.spoil = find_no_fault
        assert ("POST", hall.table) in proxy.requests

``spoil`` is called for every request, with its method, its path and query, and its number, from 1, among
all requests to this proxy. It returns a fault, or None. It can be set at any time, even while requests are
under way; it is called in the proxy's thread, one request at a time. Requests without a fault reach the
server unchanged, with their ``Host``, so that the proxy's address is the site's own.

A connection carries one request: each has ``Connection: close``. The proxy listens on 127.0.0.1 only.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from http import HTTPStatus
from types import TracebackType
from typing import Any, Self, TypeAlias

PORTAL_PAGE = (
    b"<!DOCTYPE html><html><head><title>Welcome to the hall</title></head>"
    b"<body><main id=main><h1>Free Wi-Fi</h1><form method=post action=/portal-login>"
    b"<input name=room><button>Agree and go on</button></form></main></body></html>"
)
"""The page of a captive portal, which replaces any other page."""

LOGIN_PATH = "/portal-login"
"""Path of the portal's login page; on any host, requests for it go to the portal, never the server."""


class Fault(Enum):
    """A fault of a request. The server receives the request only where the text says so."""

    PORTAL = auto()
    """200 and the portal's page."""
    LOGIN = auto()
    """302 to the portal's login page, at another port."""
    LOGIN_HERE = auto()
    """302 to the portal's login page, at the site's own address."""
    REFRESH = auto()
    """200 and the portal's page, with headers that send htmx to the login page."""
    RESET = auto()
    """The connection is reset at once."""
    SILENCE = auto()
    """No response, for as long as the phone waits."""
    DROP_BEFORE = auto()
    """The connection is closed before the server receives the request."""
    DROP_ANSWER = auto()
    """The server receives the request; its response is lost."""
    CUT_BODY = auto()
    """The server receives the request; only half of the response's body comes back."""
    DUPLICATE = auto()
    """The server receives the request twice, one after the other; the second response comes back."""


@dataclass(frozen=True, slots=True)
class Status:
    """A box on the way answers with this status and its own page: 401, 403, 404, 408, 413, 429, 511 or another."""

    status: int


@dataclass(frozen=True, slots=True)
class Delay:
    """The server receives the request late, by this number of seconds."""

    seconds: float


FaultKind: TypeAlias = Fault | Status | Delay
Phone: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Spoil: TypeAlias = Callable[[str, str, int], FaultKind | None]


def find_no_fault(method: str, path: str, count: int) -> None:
    """Return no fault for any request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    method: str
    path: str
    data: bytes
    """Its head, which asks the server to close the connection, and its body."""


class SpoilingProxy:
    """Proxy in a thread of its own, between phones and the server at ``port`` of 127.0.0.1.

    ``url`` is the site's address through the proxy, ``portal`` that of the portal's server elsewhere, and ``requests``
    lists all requests in order of arrival.
    """

    def __init__(self, port: int, spoil: Spoil = find_no_fault) -> None:
        self._port = port
        self.spoil = spoil
        self.requests: list[tuple[str, str]] = []
        self.url = self.portal = ""
        self._tasks: set[object] = set()  # asyncio keeps only weak references to tasks
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def start(self) -> None:
        """Start to listen."""
        self._thread.start()
        self._wait(self._listen())

    def stop(self) -> None:
        """Break open connections, and refuse new ones."""
        self._wait(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _wait(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _listen(self) -> None:
        self._servers = [await asyncio.start_server(answer, "127.0.0.1", 0) for answer in (self._handle, self._login)]
        self.url, self.portal = (f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}" for server in self._servers)

    async def _end(self) -> None:
        for server in self._servers:
            server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _login(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer as the portal's own server."""
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            if await _read_request(reader):
                writer.write(_build_portal_answer(HTTPStatus.OK))
                await writer.drain()
        writer.close()

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        self._tasks.add(task)
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            request = await _read_request(reader)
            if request is not None:
                self.requests.append((request.method, request.path))
                writer.write(await self._answer(request, (reader, writer)))
                await writer.drain()
        writer.close()
        self._tasks.discard(task)

    async def _answer(self, request: Request, phone: Phone) -> bytes:
        """Return the response, or b"" if the connection is only closed."""
        if request.path.startswith(LOGIN_PATH):
            return _build_portal_answer(HTTPStatus.OK)
        fault = self.spoil(request.method, request.path, len(self.requests))
        if isinstance(fault, Delay):
            await asyncio.sleep(fault.seconds)
            return await self._forward(request)
        if isinstance(fault, Status):
            return _build_portal_answer(fault.status)
        if fault in PORTAL_ANSWERS:
            status, *headers = PORTAL_ANSWERS[fault]
            return _build_portal_answer(status, *(header.format(portal=self.portal) for header in headers))
        if fault in UNDELIVERED_FAULTS:
            await UNDELIVERED_FAULTS[fault](phone)
            return b""
        if fault is Fault.DUPLICATE:
            await self._forward(request)
        return ANSWER_FAULTS.get(fault, bytes)(await self._forward(request))

    async def _forward(self, request: Request) -> bytes:
        """Return the server's response. If the server is away, the connection closes."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(request.data)
        await writer.drain()
        try:
            return await reader.read()
        finally:
            writer.close()


async def _read_request(reader: asyncio.StreamReader) -> Request | None:
    """Read the one request of a connection, and make its head say so; return None if none comes."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    method, path, _ = first.split(" ")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    kept_headers = [line for line in lines if not line.lower().startswith(("connection:", "upgrade"))]
    data = "\r\n".join((first, *kept_headers, "Connection: close", "", "")).encode("latin-1")
    return Request(method=method, path=path, data=data + body)


def _build_portal_answer(status: int, *headers: str) -> bytes:
    """Build a response of the portal."""
    head = (
        f"HTTP/1.1 {status} Portal",
        "Content-Type: text/html; charset=utf-8",
        f"Content-Length: {len(PORTAL_PAGE)}",
        "Connection: close",
        *headers,
    )
    return "\r\n".join((*head, "", "")).encode("latin-1") + PORTAL_PAGE


def _cut_body(answer: bytes) -> bytes:
    head, end, body = answer.partition(b"\r\n\r\n")
    return head + end + body[: len(body) // 2]


async def _reset_connection(phone: Phone) -> None:
    connection: socket.socket = phone[1].get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


async def _keep_waiting(phone: Phone) -> None:
    """Wait until the phone gives up."""
    await phone[0].read()


async def _close_connection(phone: Phone) -> None:
    """Do nothing: every connection is closed at the end."""


PORTAL_ANSWERS: dict[FaultKind | None, tuple[Any, ...]] = {
    Fault.PORTAL: (HTTPStatus.OK,),
    Fault.LOGIN: (HTTPStatus.FOUND, f"Location: {{portal}}{LOGIN_PATH}"),
    Fault.LOGIN_HERE: (HTTPStatus.FOUND, f"Location: {LOGIN_PATH}"),
    Fault.REFRESH: (
        HTTPStatus.OK,
        *(f"HX-Redirect: {LOGIN_PATH}", "HX-Refresh: true", f"HX-Location: {LOGIN_PATH}"),
    ),
}
"""Status and headers of the portal's responses."""
UNDELIVERED_FAULTS: dict[FaultKind | None, Callable[[Phone], Coroutine[Any, Any, None]]] = {
    Fault.RESET: _reset_connection,
    Fault.SILENCE: _keep_waiting,
    Fault.DROP_BEFORE: _close_connection,
}
"""Treatment of the connection, for faults where the server never receives the request."""
ANSWER_FAULTS: dict[FaultKind | None, Callable[[bytes], bytes]] = {
    Fault.DROP_ANSWER: lambda answer: b"",
    Fault.CUT_BODY: _cut_body,
}
"""Change of the server's response."""
