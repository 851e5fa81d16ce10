"""Watchers of an event: each has a stream and fetches the fragment that changed, as pages do."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]
ADDRESSES = 200
"""Number of this computer's addresses that watchers use (Linux); the server limits the streams of each."""
IDLE = 3.0
"""Seconds after which an idle connection is not reused, since the server soon closes it."""
_REVISION = re.compile(rb"id: (\w+)\ndata: ([0-9.]+)")
_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)
_ETAG = re.compile(rb"\r\netag: (\S+)", re.IGNORECASE)
_STREAM = re.compile(rb'data-live="([^"]+)"')


class Watcher(asyncio.Protocol):
    """Stream, with its last revision and the time of that; ``close`` cuts it."""

    def __init__(self, request: bytes, on_revision: Callable[[Watcher, float], None] | None) -> None:
        self.request, self.on_revision = request, on_revision
        self.name, self.etag, self.at, self.heard = b"", b"", 0.0, 0

    def connection_made(self, transport: Any) -> None:
        self.close = transport.close
        transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        for name, delay in _REVISION.findall(data):
            if name != self.name:
                self.name, self.at, self.heard = name, time.perf_counter(), self.heard + 1
                if self.on_revision is not None and self.heard > 1:
                    self.on_revision(self, float(delay))


class Client:
    """Client that sends requests on a few open connections, without a thread for each."""

    def __init__(self, port: int, connections: int) -> None:
        self._port, self._free = port, asyncio.Semaphore(connections)
        self._idle: list[tuple[float, Connection]] = []

    async def send_request(
        self, address: str, headers: Mapping[str, str] | None = None, body: bytes | None = None
    ) -> tuple[int, bytes, bytes]:
        """Send a request, and return the status, the entity tag and the body."""
        lines = [f"{'GET' if body is None else 'POST'} {address} HTTP/1.1", f"Host: 127.0.0.1:{self._port}"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        if body is not None:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        async with self._open_connection() as (reader, writer):
            writer.write("\r\n".join([*lines, "\r\n"]).encode() + (body or b""))
            head = await reader.readuntil(b"\r\n\r\n")
            length, etag = _LENGTH.search(head), _ETAG.search(head)
            content = await reader.readexactly(int(length[1])) if length else b""
        return int(head.split(b" ", 2)[1]), etag[1] if etag else b"", content

    @asynccontextmanager
    async def _open_connection(self) -> AsyncIterator[Connection]:
        async with self._free:
            while self._idle and time.monotonic() - self._idle[-1][0] > IDLE:
                self._idle.pop()[1][1].close()
            has_idle = bool(self._idle)
            found = self._idle.pop()[1] if has_idle else await asyncio.open_connection("127.0.0.1", self._port)
            yield found
            self._idle.append((time.monotonic(), found))


class Audience:
    """Watchers of an event's page, who fetch its fragment if they ``follow``."""

    def __init__(self, port: int, event: str) -> None:
        self.port, self.address = port, f"/fr/e/{event}"
        self.watchers: list[Watcher] = []
        self.statuses: Counter[int] = Counter()
        self.etags: set[bytes] = set()
        self._client = Client(port, 64)
        self._asking: set[asyncio.Task[None]] = set()

    async def open(self, count: int, *, follow: bool = False) -> None:
        """Open ``count`` more streams, and wait until each has the current revision. Few come from one address."""
        _, _, page = await self._client.send_request(self.address)
        found = _STREAM.search(page)
        assert found is not None
        request = b"GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % (found[1], self.port)
        loop = asyncio.get_running_loop()
        for number in range(count):
            watcher = Watcher(request, self._start_fetch if follow else None)
            local_address = (f"127.0.1.{number % ADDRESSES + 1}", 0)
            await loop.create_connection(
                partial(_return_watcher, watcher), "127.0.0.1", self.port, local_addr=local_address
            )
            self.watchers.append(watcher)
        await wait_until(lambda: all(watcher.name for watcher in self.watchers))

    async def cut(self, share: float) -> None:
        """Cut a share of the streams, and open as many new ones."""
        cut, self.watchers = _split(self.watchers, round(share * len(self.watchers)))
        for watcher in cut:
            watcher.close()
        await self.open(len(cut), follow=True)

    async def wait_until_idle(self) -> None:
        """Wait until no fetch is in progress."""
        await wait_until(lambda: not self._asking)

    def _start_fetch(self, watcher: Watcher, delay: float) -> None:
        task = asyncio.ensure_future(self._fetch(watcher, delay))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _fetch(self, watcher: Watcher, delay: float) -> None:
        await asyncio.sleep(random.random() * delay)
        headers = {"HX-Request": "true", "Accept-Encoding": "gzip", "If-None-Match": watcher.etag.decode()}
        status, watcher.etag, _ = await self._client.send_request(self.address, headers)
        self.statuses[status] += 1
        self.etags.add(watcher.etag)


def _split(watchers: list[Watcher], count: int) -> tuple[list[Watcher], list[Watcher]]:
    return watchers[:count], watchers[count:]


def _return_watcher(watcher: Watcher) -> Watcher:
    return watcher


async def wait_until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 -- connections tell it one by one, and it is looked at rarely
        await asyncio.sleep(0.02)
