"""A network that spoils requests: it stands between a phone and the server, and answers as a hall's Wi-Fi.

    with SpoilingProxy(server.port) as proxy:
        phone.open(proxy.url + hall.table)
        proxy.spoil = lambda method, path, count: Fault.PORTAL if method == "POST" else None
        ...
        proxy.spoil = no_fault
        assert ("POST", hall.table) in proxy.requests

``spoil`` is asked of every request: its method, its path with the query, and which one it is, from 1, of
all that came to this proxy. It says what goes wrong, or None. It can be set at any time, also while others
are on their way; it is called in the proxy's thread, one request at a time. What is not spoiled goes to the
server as it came, ``Host`` and all, so that the proxy's address is the site's own.

A connection carries one request: each says ``Connection: close``. The proxy listens on 127.0.0.1 only.
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
"""What a captive portal shows instead of anything else."""

LOGIN_PATH = "/portal-login"
"""Where its login page is, on any host: never the server's, always the portal's."""


class Fault(Enum):
    """A fault of a request. The server has received it only where that is said."""

    PORTAL = auto()
    """200, and a portal's page."""
    LOGIN = auto()
    """302 to a portal's login page, at another port."""
    LOGIN_HERE = auto()
    """302 to a portal's login page, as if it were one of the site."""
    REFRESH = auto()
    """200, and a portal's page that tells htmx to go to it."""
    RESET = auto()
    """The connection breaks at once."""
    SILENCE = auto()
    """Nothing comes back, for as long as the phone waits."""
    DROP_BEFORE = auto()
    """The connection is closed before the server has the request."""
    DROP_ANSWER = auto()
    """The server has it; its answer is lost."""
    CUT_BODY = auto()
    """The server has it; half of the answer's body comes back."""
    DUPLICATE = auto()
    """The server has it twice, one after the other; the second answer comes back."""


@dataclass(frozen=True, slots=True)
class Status:
    """A box between answers with this status and a page of its own: 401, 403, 404, 408, 413, 429, 511…"""

    status: int


@dataclass(frozen=True, slots=True)
class Delay:
    """The server has the request that many seconds late."""

    seconds: float


FaultKind: TypeAlias = Fault | Status | Delay
Phone: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Spoil: TypeAlias = Callable[[str, str, int], FaultKind | None]


def find_no_fault(method: str, path: str, count: int) -> None:
    """Spoils nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    method: str
    path: str
    data: bytes
    """Its head, which asks for one answer only, and its body."""


class SpoilingProxy:
    """Between phones and the server at that port of 127.0.0.1, in a thread of its own. ``url`` is the site's
    address then, ``portal`` that of the login page elsewhere, ``requests`` what came, in that order."""

    def __init__(self, port: int, spoil: Spoil = find_no_fault) -> None:
        self._port = port
        self.spoil = spoil
        self.requests: list[tuple[str, str]] = []
        self.url = self.portal = ""
        self._tasks: set[object] = set()  # asyncio itself lets go of tasks that nobody holds
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def start(self) -> None:
        """Listens from now on."""
        self._thread.start()
        self._wait(self._listen())

    def stop(self) -> None:
        """Breaks what is under way; from now on connections are refused."""
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
        """The portal's own server."""
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
        """Return what comes back; nothing where the connection is only to be closed."""
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
        """The server's answer. A server that is away is a connection that closes."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(request.data)
        await writer.drain()
        try:
            return await reader.read()
        finally:
            writer.close()


async def _read_request(reader: asyncio.StreamReader) -> Request | None:
    """The one request of a connection, whose head says that the connection ends with it; None where none
    comes."""
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
    """An answer that is not the server's."""
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
    """Until it gives up."""
    await phone[0].read()


async def _close_connection(phone: Phone) -> None:
    """As every connection is."""


PORTAL_ANSWERS: dict[FaultKind | None, tuple[Any, ...]] = {
    Fault.PORTAL: (HTTPStatus.OK,),
    Fault.LOGIN: (HTTPStatus.FOUND, f"Location: {{portal}}{LOGIN_PATH}"),
    Fault.LOGIN_HERE: (HTTPStatus.FOUND, f"Location: {LOGIN_PATH}"),
    Fault.REFRESH: (
        HTTPStatus.OK,
        *(f"HX-Redirect: {LOGIN_PATH}", "HX-Refresh: true", f"HX-Location: {LOGIN_PATH}"),
    ),
}
"""The status and the headers of a portal's page."""
UNDELIVERED_FAULTS: dict[FaultKind | None, Callable[[Phone], Coroutine[Any, Any, None]]] = {
    Fault.RESET: _reset_connection,
    Fault.SILENCE: _keep_waiting,
    Fault.DROP_BEFORE: _close_connection,
}
"""What becomes of the connection where the server never has the request."""
ANSWER_FAULTS: dict[FaultKind | None, Callable[[bytes], bytes]] = {
    Fault.DROP_ANSWER: lambda answer: b"",
    Fault.CUT_BODY: _cut_body,
}
"""What becomes of the server's answer."""
