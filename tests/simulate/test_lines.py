"""A device's way to the server: what browsers do by themselves is no error."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest

from simulate.lines import Line
from simulate.measures import Measures
from tests.support.small_servers import a_small_server


class ClosingUnsaid(BaseHTTPRequestHandler):
    """Answers, and closes the connection without saying so, as a server does after some idle seconds."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def address() -> Iterator[str]:
    with a_small_server(ClosingUnsaid) as port:
        yield f"http://127.0.0.1:{port}"


def test_a_kept_connection_that_was_closed_meanwhile_is_opened_again(address: str) -> None:
    measures = Measures()
    line = Line(address, measures)
    assert [line.get("page", "/").text for _ in range(3)] == ["ok", "ok", "ok"]
    assert measures.errors == []


def test_each_answer_counts_in_what_is_reported_of_its_kind(address: str) -> None:
    measures = Measures()
    line = Line(address, measures)
    for kind in ("page", "page", "part"):
        line.get(kind, "/")
    assert [row.split()[:2] for row in measures.lines() if row[:1] == "p"] == [["page", "2"], ["part", "1"]]
