"""Requests that say twice, or in two ways, where they end: nobody reads them otherwise than a proxy did."""

from __future__ import annotations

import socket
import sys

import pytest

from tests.support.waiting import PATIENCE

from .conftest import Up

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

HIDDEN = b"GET /rules HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
"""What somebody would hide in the body of another request."""
FRAMED = {
    "a length and chunks": b"Content-Length: %d\r\nTransfer-Encoding: chunked\r\n" % (5 + len(HIDDEN)),
    "chunks and a length": b"Transfer-Encoding: chunked\r\nContent-Length: %d\r\n" % (5 + len(HIDDEN)),
    "two lengths": b"Content-Length: 5\r\nContent-Length: %d\r\n" % (5 + len(HIDDEN)),
    "two lengths in one": b"Content-Length: 5, %d\r\n" % (5 + len(HIDDEN)),
    "a length that is none": b"Content-Length: 5x\r\n",
    "a length below zero": b"Content-Length: -5\r\n",
    "a length with a sign": b"Content-Length: +5\r\n",
    "chunks that are not last": b"Transfer-Encoding: chunked, identity\r\n",
    "chunks said twice": b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
    "a space before the colon": b"Transfer-Encoding : chunked\r\n",
    "a header that goes on": b"Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n",
}


def answers(up: Up, sent: bytes) -> bytes:
    """All that comes back until the server closes."""
    with socket.create_connection(("127.0.0.1", up.port), timeout=PATIENCE) as connection:
        connection.sendall(sent)
        said = b""
        try:
            while part := connection.recv(65_536):
                said += part
        except ConnectionResetError:
            pass
        return said


@pytest.mark.parametrize("framed", FRAMED.values(), ids=list(FRAMED))
def test_is_refused_or_the_connection_ends(up: Up, framed: bytes) -> None:
    head = b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\n" + framed + b"\r\n"
    said = answers(up, head + b"0\r\n\r\n" + HIDDEN)
    assert said.count(b"HTTP/1.1 ") <= 1
    assert b" 200 " not in said


@pytest.mark.slow
def test_one_that_says_it_once_is_answered_and_so_is_the_next(up: Up) -> None:
    said = answers(up, HIDDEN + HIDDEN.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
    assert said.count(b"HTTP/1.1 200 ") == 2


@pytest.mark.slow
def test_no_line_of_an_answer_is_made_of_what_was_asked(up: Up) -> None:
    for path in (b"/fr%0d%0aX-Evil:%201", b"/rules%0d%0aX-Evil:%201?a=%0d%0aX-Evil:%201"):
        said = answers(up, b"GET " + path + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        head = said.partition(b"\r\n\r\n")[0]
        assert b"\r\nX-Evil" not in head
