"""Connections that send an unfinished request, or nothing at all, are closed; an unreadable one gets a page."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import uvicorn

from operations.up.connections import RequestHeadWatch, build_protocol_class

HEAD = b"GET / HTTP/1.1\r\nHost: hall\r\n"


async def answer_ok(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


Visit = Callable[[int, RequestHeadWatch], Awaitable[None]]


def visit_server(visit: Visit, watch: RequestHeadWatch) -> None:
    """Run the visit against a server on a free port that watches its connections."""

    async def run() -> None:
        config = uvicorn.Config(
            answer_ok, port=0, lifespan="off", log_level="warning", http=build_protocol_class(watch)
        )
        server = uvicorn.Server(config)
        config.load()
        server.lifespan = config.lifespan_class(config)
        await server.startup()
        try:
            await visit(server.servers[0].sockets[0].getsockname()[1], watch)
        finally:
            await server.shutdown()

    asyncio.run(run())


async def answer(reader: asyncio.StreamReader) -> bytes:
    return (await reader.readuntil(b"ok")).splitlines()[0]


@pytest.mark.parametrize("request_head", [b"", HEAD])
def test_connection_without_a_request_is_closed(request_head: bytes) -> None:
    async def visit(port: int, watch: RequestHeadWatch) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request_head)
        assert await reader.read() == b""
        assert len(watch) == 0

    visit_server(visit, RequestHeadWatch(seconds=0.05))


def test_connection_without_a_second_request_is_closed() -> None:
    async def visit(port: int, watch: RequestHeadWatch) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HEAD + b"\r\n")
        assert await answer(reader) == b"HTTP/1.1 200 OK"
        writer.write(HEAD)
        assert await reader.read() == b""

    visit_server(visit, RequestHeadWatch(seconds=0.2))


def test_connection_over_the_limit_closes_the_longest_waiting() -> None:
    async def visit(port: int, watch: RequestHeadWatch) -> None:
        silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HEAD + b"\r\n")
        assert await answer(reader) == b"HTTP/1.1 200 OK"
        assert await silent[0][0].read() == b""
        for reader, writer in silent[1:]:
            writer.write(HEAD + b"\r\n")
            assert await answer(reader) == b"HTTP/1.1 200 OK"
        assert len(watch) == 0

    visit_server(visit, RequestHeadWatch(limit=3))


@pytest.mark.parametrize(
    "request_head", [b"BREW / HTTP/1.1\r\n\r\n", b"GET /%s HTTP/1.1\r\nHost: hall\r\n\r\n" % (b"a" * 70_000)]
)
def test_unreadable_request_gets_a_page_with_a_way_on(request_head: bytes) -> None:
    async def visit(port: int, watch: RequestHeadWatch) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request_head)
        head, _, page = (await reader.read()).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 400 ")
        assert b"content-type: text/html; charset=utf-8" in head
        assert f"content-length: {len(page)}".encode() in head
        for words in ("Aller à l’accueil", "Go to the home page"):
            assert words.encode() in page
        assert len(watch) == 0

    visit_server(visit, RequestHeadWatch())
