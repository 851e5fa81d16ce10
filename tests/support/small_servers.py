"""A server of a test's own on this computer, in a thread beside it."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

POLL_SECONDS = 0.01
"""Seconds until it sees that it is to stop: half a second, as is usual, each test would wait out."""


@contextmanager
def run_small_server(handler: type[BaseHTTPRequestHandler]) -> Iterator[int]:
    """Gives the port at which it answers."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, args=(POLL_SECONDS,), daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
