"""One club attacks, another plays: how long a table and a page of the other club take meanwhile.

Four ways, so many seconds each: links of a public site that trickles, workbooks that unpack to very much,
feeds that trickle, and streams held open from one address. All forms come from the owner of one club. The
last way but one also orders a paper of the other club. First both are measured in peace, to compare.
Linux: streams come from this computer, which needs as many open files.
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

from bench.abuse import TOKEN, ask, form_with
from bench.hall import Hall, hall
from bench.hall.server import Server

AT_ONCE = 24
"""Forms that are sent at the same time."""
FEEDS = 8
EVERY = 0.1
"""Seconds between two questions of the other club."""
OK = (200, 304)


def main(argv: list[str]) -> dict[str, Any]:
    """Answered forms of the attacker; the worst 99th percentile over all ways; errors of the other club, and
    by way the same, with the streams that were held and the seconds until a paper was made."""
    parser = argparse.ArgumentParser(prog="bench attack")
    parser.add_argument("--seconds", type=int, default=30, help="of each way")
    parser.add_argument("--streams", type=int, default=2_000, help="tried from one address")
    options = parser.parse_args(argv)
    local = {"CHARLEMAGNE_LOCAL_TARGETS": "127.0.0.0/8"}
    with hall(tables=2) as made:
        here = Hall(environment=made.environment | local, event=made.event, tables=made.tables, pages=[])
        rival = json.loads(here.in_room("rival"))
        with Server(here.environment) as server, trickle() as slow:
            attacker = Attacker(port=server.port, slow=slow, here=here, streams=options.streams, **rival)
            ways = [attacker.pair, attacker.send_workbooks, attacker.follow_feeds, attacker.hold_streams]
            peace = _measured(here, server.port, options.seconds, lambda _: {})
            found = {way.__name__: _measured(here, server.port, options.seconds, way) for way in ways}
    return {
        "forms": attacker.forms,
        "other_table_p99_ms": max(each["table_p99_ms"] for each in found.values()),
        "other_page_p99_ms": max(each["page_p99_ms"] for each in found.values()),
        "errors": sum(each["errors"] for each in found.values()),
        "in_peace": peace,
        **found,
    }


def _measured(here: Hall, port: int, seconds: int, way: Callable[[float], dict[str, Any]]) -> dict[str, Any]:
    """What the other club sees while this goes on."""
    until = time.monotonic() + seconds
    table, page = (
        Reader(port, address, until) for address in (f"/t/{here.tables[0]['code']}", f"/e/{here.event}/rules")
    )
    with contextlib.ExitStack() as reading:
        for reader in (table, page):
            thread = threading.Thread(target=reader.read)
            thread.start()
            reading.callback(thread.join)
        told = way(until)
    errors = [*table.errors, *page.errors]
    figures = {**table.figures("table"), **page.figures("page"), "errors": len(errors)}
    return figures | ({"first_errors": errors[:3]} if errors else {}) | told


@dataclass
class Reader:
    """Somebody of the other club, who opens the same address again and again."""

    port: int
    address: str
    until: float
    times: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def read(self) -> None:
        while (begun := time.monotonic()) < self.until:
            try:
                status, _ = ask(self.port, "GET", self.address)
            except (OSError, http.client.HTTPException) as error:
                self.errors.append(repr(error))
            else:
                if status not in OK:
                    self.errors.append(str(status))
                self.times.append(time.monotonic() - begun)
            time.sleep(EVERY)

    def figures(self, name: str) -> dict[str, float]:
        hundredths = statistics.quantiles(self.times, n=100)
        return {f"{name}_p{part}_ms": round(1000 * hundredths[part - 1], 1) for part in (50, 99)}


@dataclass(kw_only=True)
class Attacker:
    """The owner of another club."""

    port: int
    slow: int
    here: Hall
    streams: int
    club: str
    federation: int
    session: str
    forms: int = 0

    def pair(self, until: float) -> dict[str, Any]:
        """Enters links of a site that trickles."""
        self._send_at_once(lambda _: ("/mirrors/pair", {"link": self._slow("mirror/pairings#abc")}), until)
        return {}

    def send_workbooks(self, until: float) -> dict[str, Any]:
        from tests.support.bombs import styles_without_end

        form = form_with(styles_without_end())
        self._send_at_once(lambda _: ("/people/import", form), until)
        return {}

    def follow_feeds(self, until: float) -> dict[str, Any]:
        """Follows feeds that trickle, and fetches them again; the other club orders a paper."""
        feeds = f"/federations/{self.federation}"
        for number in range(FEEDS):
            self._send(f"{feeds}/follow", {"address": self._slow(f"{number}/feed.json")})
        time.sleep(1)
        made = json.loads(self.here.in_room("paper"))
        self._send_at_once(lambda _: (f"{feeds}/fetch", {}), until)
        return {"paper_seconds": made["seconds"]}

    def hold_streams(self, until: float) -> dict[str, Any]:
        """Opens as many streams as it can from one address."""
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        _, page = ask(self.port, "GET", f"/e/{self.here.event}")
        stream = re.search(rb'data-live="([^"]+)"', page)
        assert stream is not None
        request = b"GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" % stream[1]
        with contextlib.ExitStack() as open_ones:
            held = [line for _ in range(self.streams) if (line := _opened(self.port, request, open_ones))]
            is_streamed = [_first(line).startswith(b"HTTP/1.1 200") for line in held]
            time.sleep(max(0.0, until - time.monotonic()))
        return {"streams_held": sum(is_streamed)}

    def _slow(self, path: str) -> str:
        return f"http://127.0.0.1:{self.slow}/{path}"

    def _send_at_once(self, form: Callable[[int], tuple[str, Any]], until: float) -> None:
        def go_on(number: int) -> None:
            while time.monotonic() < until:
                self._send(*form(number))
                time.sleep(1)

        threads = [threading.Thread(target=go_on, args=(number,)) for number in range(AT_ONCE)]
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
            status, _ = ask(self.port, "POST", self.club + path, body, headers)
            self.forms += status < 500


@contextmanager
def trickle() -> Iterator[int]:
    """The port of a site that answers a byte a second."""

    def answer(line: socket.socket) -> None:
        with contextlib.suppress(OSError), line:
            line.recv(65_536)
            line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n")
            while True:
                line.sendall(b" ")
                time.sleep(1)

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=answer, args=(door.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0), backlog=200) as door:
        threading.Thread(target=serve, daemon=True).start()
        yield door.getsockname()[1]


def _opened(port: int, request: bytes, open_ones: contextlib.ExitStack) -> socket.socket | None:
    with contextlib.suppress(OSError):
        line = open_ones.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
        line.sendall(request)
        return line
    return None


def _first(line: socket.socket) -> bytes:
    with contextlib.suppress(OSError):
        return line.recv(100)
    return b""
