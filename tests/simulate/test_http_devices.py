"""HTTP connections of a simulated device: it reconnects without an error, as browsers do."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest

from simulate.http_device import HttpDevice
from simulate.measurements import Measurements
from tests.support.small_servers import run_small_server


class ClosingHandler(BaseHTTPRequestHandler):
    """Handler that answers and closes the connection unannounced, as a server does after some idle seconds."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    with run_small_server(ClosingHandler) as port:
        yield f"http://127.0.0.1:{port}"


def test_closed_keep_alive_connection_is_reopened_without_an_error(address: str) -> None:
    measures = Measurements()
    line = HttpDevice(address, measures)
    assert [line.get("page", "/").text for _ in range(3)] == ["ok", "ok", "ok"]
    assert measures.errors == []


def test_report_counts_answers_by_kind(address: str) -> None:
    measures = Measurements()
    line = HttpDevice(address, measures)
    for kind in ("page", "page", "part"):
        line.get(kind, "/")
    assert [row.split()[:2] for row in measures.format_report() if row[:1] == "p"] == [["page", "2"], ["part", "1"]]
