"""Attack a server as the owner of one club, and time a table and a page of another club meanwhile.

The four attacks, each for the same number of seconds: links to a public site that answers very slowly,
workbooks that unpack to far more, feeds that answer very slowly, and streams held open from one address.
During the feeds, the other club also orders a PDF. Both pages are first measured without an attack, to compare.
Linux only: the streams come from this computer, which needs as many open files.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import re
import resource
import socket
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from bench.abuse import TOKEN, build_upload_form, send_request
from bench.hall import Hall, open_hall
from bench.hall.server import Server

CONCURRENT_FORMS = 24
"""Number of forms that are sent at the same time."""
FEEDS = 8
REQUEST_INTERVAL = 0.1
"""Seconds between two requests of the other club."""
OK = (200, 304)


def main(argv: list[str]) -> dict[str, Any]:
    """Return ``forms`` of the attacker that were answered, and times of the other club by attack.

    - ``other_table_p99_ms``, ``other_page_p99_ms``: the highest of all attacks
    - ``errors``: requests of the other club that failed, over all attacks
    - ``in_peace`` and each attack by name: ``table_p50_ms``, ``table_p99_ms``, ``page_p50_ms``, ``page_p99_ms``,
      ``errors``; also ``paper_seconds`` (``follow_feeds``) and ``streams_held`` (``hold_streams``)
    """
    parser = argparse.ArgumentParser(prog="bench attack")
    parser.add_argument("--seconds", type=int, default=30, help="of each way")
    parser.add_argument("--streams", type=int, default=2_000, help="tried from one address")
    options = parser.parse_args(argv)
    local = {"CHARLEMAGNE_LOCAL_TARGETS": "127.0.0.0/8"}
    with open_hall(tables=2) as base_hall:
        venue = Hall(
            environment=base_hall.environment | local, event=base_hall.event, tables=base_hall.tables, pages=[]
        )
        rival = json.loads(venue.run_role("rival"))
        with Server(venue.environment) as server, serve_slowly() as slow:
            attacker = Attacker(port=server.port, slow=slow, hall=venue, streams=options.streams, **rival)
            ways = [attacker.pair, attacker.send_workbooks, attacker.follow_feeds, attacker.hold_streams]
            idle_figures = _measure(venue, server.port, options.seconds, lambda _: {})
            figures = {way.__name__: _measure(venue, server.port, options.seconds, way) for way in ways}
    return {
        "forms": attacker.forms,
        "other_table_p99_ms": max(each["table_p99_ms"] for each in figures.values()),
        "other_page_p99_ms": max(each["page_p99_ms"] for each in figures.values()),
        "errors": sum(each["errors"] for each in figures.values()),
        "in_peace": idle_figures,
        **figures,
    }


def _measure(venue: Hall, port: int, seconds: int, way: Callable[[float], dict[str, Any]]) -> dict[str, Any]:
    """Time the table and the page of the other club while the attack ``way`` runs."""
    deadline = time.monotonic() + seconds
    table, page = (
        Reader(port, address, deadline) for address in (f"/t/{venue.tables[0]['code']}", f"/e/{venue.event}/rules")
    )
    with contextlib.ExitStack() as reading:
        for reader in (table, page):
            thread = threading.Thread(target=reader.read)
            thread.start()
            reading.callback(thread.join)
        attack_figures = way(deadline)
    errors = [*table.errors, *page.errors]
    figures = {**table.get_figures("table"), **page.get_figures("page"), "errors": len(errors)}
    return figures | ({"first_errors": errors[:3]} if errors else {}) | attack_figures


@dataclass
class Reader:
    """Reader of the other club, who opens one address again and again."""

    port: int
    address: str
    deadline: float
    times: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def read(self) -> None:
        while (started := time.monotonic()) < self.deadline:
            try:
                status, _ = send_request(self.port, "GET", self.address)
            except (OSError, http.client.HTTPException) as error:
                self.errors.append(repr(error))
            else:
                if status not in OK:
                    self.errors.append(str(status))
                self.times.append(time.monotonic() - started)
            time.sleep(REQUEST_INTERVAL)

    def get_figures(self, name: str) -> dict[str, float]:
        hundredths = statistics.quantiles(self.times, n=100)
        return {f"{name}_p{part}_ms": round(1000 * hundredths[part - 1], 1) for part in (50, 99)}


@dataclass(kw_only=True)
class Attacker:
    """Owner of another club."""

    port: int
    slow: int
    hall: Hall
    streams: int
    club: str
    federation: int
    session: str
    forms: int = 0

    def pair(self, deadline: float) -> dict[str, Any]:
        """Enter links to a public site that answers very slowly."""
        self._send_concurrently(
            lambda _: ("/mirrors/pair", {"link": self._build_slow_url("mirror/pairings#abc")}), deadline
        )
        return {}

    def send_workbooks(self, deadline: float) -> dict[str, Any]:
        from tests.support.bombs import build_endless_styles

        form = build_upload_form(build_endless_styles())
        self._send_concurrently(lambda _: ("/people/import", form), deadline)
        return {}

    def follow_feeds(self, deadline: float) -> dict[str, Any]:
        """Follow feeds that answer very slowly and fetch them again, while the other club orders a PDF."""
        feeds = f"/federations/{self.federation}"
        for number in range(FEEDS):
            self._send(f"{feeds}/follow", {"address": self._build_slow_url(f"{number}/feed.json")})
        time.sleep(1)
        paper = json.loads(self.hall.run_role("paper"))
        self._send_concurrently(lambda _: (f"{feeds}/fetch", {}), deadline)
        return {"paper_seconds": paper["seconds"]}

    def hold_streams(self, deadline: float) -> dict[str, Any]:
        """Open up to ``streams`` streams from one address."""
        _, maximum = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (maximum, maximum))
        _, page = send_request(self.port, "GET", f"/e/{self.hall.event}")
        stream = re.search(rb'data-live="([^"]+)"', page)
        assert stream is not None
        request = b"GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" % stream[1]
        with contextlib.ExitStack() as stack:
            sockets = [line for _ in range(self.streams) if (line := _open_stream(self.port, request, stack))]
            is_streamed = [_read_first_bytes(line).startswith(b"HTTP/1.1 200") for line in sockets]
            time.sleep(max(0.0, deadline - time.monotonic()))
        return {"streams_held": sum(is_streamed)}

    def _build_slow_url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.slow}/{path}"

    def _send_concurrently(self, form: Callable[[int], tuple[str, Any]], deadline: float) -> None:
        def send_repeatedly(number: int) -> None:
            while time.monotonic() < deadline:
                self._send(*form(number))
                time.sleep(1)

        threads = [threading.Thread(target=send_repeatedly, args=(number,)) for number in range(CONCURRENT_FORMS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _send(self, path: str, form: dict[str, str] | bytes) -> None:
        headers = {"Cookie": f"sessionid={self.session}; csrftoken={TOKEN}"}
        if isinstance(form, bytes):
            headers["Content-Type"], body = "multipart/form-data; boundary=limit", form
        else:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = urlencode({**form, "csrfmiddlewaretoken": TOKEN}).encode()
        with contextlib.suppress(OSError, http.client.HTTPException):
            status, _ = send_request(self.port, "POST", self.club + path, body, headers)
            self.forms += status < 500


@contextmanager
def serve_slowly() -> Iterator[int]:
    """Serve a byte a second while the block runs, and yield the port."""

    def answer(client: socket.socket) -> None:
        with contextlib.suppress(OSError), client:
            client.recv(65_536)
            client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n")
            while True:
                client.sendall(b" ")
                time.sleep(1)

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=answer, args=(listener.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0), backlog=200) as listener:
        threading.Thread(target=serve, daemon=True).start()
        yield listener.getsockname()[1]


def _open_stream(port: int, request: bytes, stack: contextlib.ExitStack) -> socket.socket | None:
    with contextlib.suppress(OSError):
        client = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
        client.sendall(request)
        return client
    return None


def _read_first_bytes(client: socket.socket) -> bytes:
    with contextlib.suppress(OSError):
        return client.recv(100)
    return b""
