"""A small HTTP server on this computer, in a thread beside the test."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

POLL_SECONDS = 0.01
"""Seconds between checks whether to stop; the usual half second would delay the end of each test."""


@contextmanager
def run_small_server(handler: type[BaseHTTPRequestHandler]) -> Iterator[int]:
    """Run a server while the block runs, and yield its port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, args=(POLL_SECONDS,), daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
