"""Requests with an ambiguous length are refused, so that no proxy reads their end elsewhere."""

from __future__ import annotations

import socket
import sys

import pytest

from tests.support.waiting import TIMEOUT_SECONDS

from .conftest import RunningUp

pytestmark = [pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc"), pytest.mark.slow]


HIDDEN_REQUEST = b"GET /rules HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
"""A request that an attacker would hide in the body of another one."""
AMBIGUOUS_FRAMES = {
    "a length and chunks": b"Content-Length: %d\r\nTransfer-Encoding: chunked\r\n" % (5 + len(HIDDEN_REQUEST)),
    "chunks and a length": b"Transfer-Encoding: chunked\r\nContent-Length: %d\r\n" % (5 + len(HIDDEN_REQUEST)),
    "two lengths": b"Content-Length: 5\r\nContent-Length: %d\r\n" % (5 + len(HIDDEN_REQUEST)),
    "two lengths in one": b"Content-Length: 5, %d\r\n" % (5 + len(HIDDEN_REQUEST)),
    "a length that is none": b"Content-Length: 5x\r\n",
    "a length below zero": b"Content-Length: -5\r\n",
    "a length with a sign": b"Content-Length: +5\r\n",
    "chunks that are not last": b"Transfer-Encoding: chunked, identity\r\n",
    "chunks said twice": b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
    "a space before the colon": b"Transfer-Encoding : chunked\r\n",
    "a header that goes on": b"Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n",
}


def read_answers(up: RunningUp, sent: bytes) -> bytes:
    """Return all bytes that arrive until the server closes the connection."""
    with socket.create_connection(("127.0.0.1", up.port), timeout=TIMEOUT_SECONDS) as connection:
        connection.sendall(sent)
        answer_bytes = b""
        try:
            while part := connection.recv(65_536):
                answer_bytes += part
        except ConnectionResetError:
            pass
        return answer_bytes


@pytest.mark.long
@pytest.mark.parametrize("framed", AMBIGUOUS_FRAMES.values(), ids=list(AMBIGUOUS_FRAMES))
def test_ambiguous_request_length_is_refused_or_closes_the_connection(up: RunningUp, framed: bytes) -> None:
    head = b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\n" + framed + b"\r\n"
    answer_bytes = read_answers(up, head + b"0\r\n\r\n" + HIDDEN_REQUEST)
    assert answer_bytes.count(b"HTTP/1.1 ") <= 1
    assert b" 200 " not in answer_bytes


def test_unambiguous_pipelined_requests_are_answered(up: RunningUp) -> None:
    answer_bytes = read_answers(
        up, HIDDEN_REQUEST + HIDDEN_REQUEST.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    )
    assert answer_bytes.count(b"HTTP/1.1 200 ") == 2


@pytest.mark.long
def test_encoded_line_breaks_inject_no_response_header(up: RunningUp) -> None:
    for path in (b"/fr%0d%0aX-Evil:%201", b"/rules%0d%0aX-Evil:%201?a=%0d%0aX-Evil:%201"):
        answer_bytes = read_answers(up, b"GET " + path + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        head = answer_bytes.partition(b"\r\n\r\n")[0]
        assert b"\r\nX-Evil" not in head
