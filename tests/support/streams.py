"""A client that listens to the stream of a page, as a browser does."""

from __future__ import annotations

import http.client
from typing import Self

from tests.support.markup import parse_html

TIMEOUT_SECONDS = 60.0
"""Seconds after which anything awaited counts as missing."""


class Listener:
    """A client that opens a page at ``port``, then the stream that the page names."""

    def __init__(self, port: int, page: str = "", *, stream: str = "", cookie: str = "") -> None:
        self._port, self._cookie = port, cookie
        self.shown_revision = ""
        if page:
            (element,) = [each for each in parse_html(self.get(page)).find_all() if "data-live" in each.attrs]
            stream, self.shown_revision = element.attrs["data-live"], element.attrs.get("data-revision", "")
        self.stream = stream
        self._connection = self._connect()
        self._connection.request("GET", stream, headers={"Accept": "text/event-stream"})
        self.answer = self._connection.getresponse()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def get(self, page: str) -> str:
        connection = self._connect()
        connection.request("GET", page, headers={"Cookie": self._cookie})
        body = connection.getresponse().read().decode()
        connection.close()
        return body

    def read_revision(self) -> str:
        """Return the next revision that the stream announces; "" where the stream ends."""
        while line := self.answer.readline().decode():
            if line.startswith("id: "):
                return line.removeprefix("id: ").strip()
        return ""

    def read_new_revision(self, revision: str) -> str:
        """Return the next other revision; fail once ``revision`` was repeated four times."""
        heard = next((heard for _ in range(4) if (heard := self.read_revision()) != revision), None)
        assert heard is not None, "nothing new was heard"
        return heard

    def _connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self._port, timeout=TIMEOUT_SECONDS)
