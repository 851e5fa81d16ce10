"""A simulated reader of a public page, as a server sees it."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from threading import Event

import pytest

from simulate.measurements import Measurements
from simulate.watchers import PART, Watcher
from tests.support.small_servers import run_small_server

TAG = '"one"'


class ImmediateEvent(Event):
    """An event whose waits end almost at once."""

    def wait(self, timeout: float | None = None) -> bool:
        return super().wait(0 if timeout is None else min(timeout, 0.01))


class LossyHandler(BaseHTTPRequestHandler):
    """A page whose stream always has news.

    The first two requests for the news, on two connections, get no response. With the third one the night is over.
    """

    protocol_version = "HTTP/1.1"
    etags: list[str]
    finished: Event
    pages: list[bytes]
    """Pages to serve before the page that has a stream, last one first."""

    def do_GET(self) -> None:
        if self.path.startswith("/live/"):
            self._answer(200, b"".join(b"id: %d\ndata: 0\n\n" % number for number in range(9)))
        elif "HX-Request" not in self.headers:
            self._answer(200, self.pages.pop() if self.pages else b'<main data-live="/live/x">')
        else:
            self.etags.append(self.headers.get("If-None-Match", ""))
            self.close_connection = len(self.etags) < 3
            if not self.close_connection:
                self.finished.set()
                self._answer(304, b"")

    def _answer(self, status: int, content: bytes) -> None:
        self.send_response(status)
        self.send_header("ETag", TAG)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    LossyHandler.etags, LossyHandler.finished, LossyHandler.pages = [], ImmediateEvent(), []
    with run_small_server(LossyHandler) as port:
        yield f"http://127.0.0.1:{port}"


def test_watcher_repeats_a_lost_request_with_the_shown_etag(
    address: str,
) -> None:
    measures = Measurements()
    watcher = Watcher(address, "x", measures, LossyHandler.finished, seed="1")
    watcher.start()
    watcher.join(10)
    assert not watcher.is_alive()
    assert LossyHandler.etags == [TAG] * 3
    assert [PART in error for error in measures.errors] == [True]


def test_watcher_reopens_a_page_until_it_has_updates(address: str) -> None:
    LossyHandler.pages = [b"<main>", b"<main>"]
    watcher = Watcher(address, "x", Measurements(), LossyHandler.finished, seed="1")
    watcher.start()
    watcher.join(10)
    assert LossyHandler.pages == []
    assert LossyHandler.etags
