"""Measure a club's public pages under load: requests a second, size, and delay while results arrive.

A real server as `up` starts it, on SQLite or on DATABASE_URL. Readers are Python, keep one connection each,
and run on the same cores as the server and its worker.
"""

from __future__ import annotations

import argparse
import http.client
import json
import re
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any
from uuid import uuid4

from bench.hall import Hall, open_hall

_ASSET = re.compile(rb'(?:href|src)="(/static/[^"]+)"')
_NUMBER = re.compile(r"\d+")
HIDDEN_RESULTS_TEXT = "table par table ne sont pas publiés".encode()
"""Text of the page while the results are hidden."""


@dataclass
class Reader:
    """Browser that keeps cookies and the last revision of its page."""

    port: int
    cookie: str = ""
    etag: str = ""
    times: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def get(self, address: str, *, encoding: str = "gzip", ignores_cache: bool = True) -> tuple[int, bytes]:
        """Return the status and the body as sent. Without ``ignores_cache``, a known page is not sent again."""
        headers = {"Accept-Encoding": encoding, "Cookie": self.cookie}
        if self.etag and not ignores_cache:
            headers["If-None-Match"] = self.etag
        started = time.perf_counter()
        self.connection.request("GET", address, headers=headers)
        answer = self.connection.getresponse()
        body = answer.read()
        self.times.append(time.perf_counter() - started)
        if answer.status not in (200, 304):
            raise RuntimeError(f"{address} answered {answer.status}")
        if sent := answer.getheader("Set-Cookie"):
            self.cookie = sent.partition(";")[0]
        self.etag = answer.getheader("ETag", "")
        return answer.status, body


def main(argv: list[str]) -> dict[str, Any]:
    """Return sizes, requests a second and p99 by page, then ``release_seen_s``, the delays of releases.

    - ``html_kb``, ``all_kb``: kB (1,000 bytes) as sent
    - ``made``, ``cached`` and ``busy`` (while hands arrive), each with ``_per_second`` and ``_p99_ms``
    - ``release_seen_s``: seconds from each release until a reader who asks without pause sees it
    - ``tables``, ``readers``, ``hands_marked``: counts
    """
    parser = argparse.ArgumentParser(prog="bench pages")
    parser.add_argument("--tables", type=int, default=25, help="of the night")
    parser.add_argument("--readers", type=int, default=8, help="who ask at once")
    parser.add_argument("--requests", type=int, default=40, help="of each reader, of each page")
    parser.add_argument("--hands", type=float, default=5, help="marked a second while results come in")
    parser.add_argument("--releases", type=int, default=10)
    options = parser.parse_args(argv)
    with open_hall(tables=options.tables, role="public") as venue, venue.serve() as port:
        figures: dict[str, Any] = {"tables": options.tables, "readers": options.readers}
        hands = 0
        for address in venue.pages:
            page = _measure_weight(port, f"/fr{address}")
            for name, ignores_cache in (("made", True), ("cached", False)):
                page |= _measure_reads(port, f"/fr{address}", name, options, ignores_cache=ignores_cache)
            with _mark_in_background(port, venue, options.hands) as mark_times:
                page |= _measure_reads(port, f"/fr{address}", "busy", options, ignores_cache=False)
            hands += len(mark_times)
            figures[_NUMBER.sub("n", address.replace(venue.event, "event"))] = page
        with _mark_in_background(port, venue, options.hands) as mark_times:
            figures["release_seen_s"] = _measure_release(port, venue, options.releases)
        figures["hands_marked"] = hands + len(mark_times)
    return figures


def _measure_weight(port: int, address: str) -> dict[str, float]:
    html, page = Reader(port).get(address)[1], Reader(port).get(address, encoding="identity")[1]
    assets = {match.decode() for match in _ASSET.findall(page)}
    total = len(html) + sum(len(Reader(port).get(asset, encoding="br")[1]) for asset in assets)
    return {"html_kb": round(len(html) / 1000, 1), "all_kb": round(total / 1000, 1)}


def _measure_reads(
    port: int, address: str, name: str, options: argparse.Namespace, *, ignores_cache: bool
) -> dict[str, float]:
    """Measure readers who request the page concurrently, each again and again."""
    readers = [Reader(port) for _ in range(options.readers)]
    for reader in readers:
        reader.get(address)
        reader.get(address)  # with its cookie
        reader.times.clear()

    def read(reader: Reader) -> None:
        for _ in range(options.requests):
            reader.get(address, ignores_cache=ignores_cache)

    threads = [threading.Thread(target=read, args=(reader,)) for reader in readers]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - started
    times = [each for reader in readers for each in reader.times]
    return {
        f"{name}_per_second": round(len(times) / seconds, 1),
        f"{name}_p99_ms": round(1000 * statistics.quantiles(times, n=100)[98], 1),
    }


@contextmanager
def _mark_in_background(port: int, venue: Hall, rate: float) -> Iterator[list[float]]:
    """Mark hands at one table after the other while the block runs, and yield the times of the marks."""
    mark_times: list[float] = []
    is_over = threading.Event()

    def mark() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        for table in cycle(venue.tables):
            if is_over.wait(1 / rate):
                return
            table["next"] = table.get("next", 0) + 1
            hand = {"side": "A", "contract": "6", "tricks": 7}
            body = {"match": table["match"], "entry_key": str(uuid4()), "number": table["next"], "hand": hand}
            path = f"/api/tables/{table['code']}/hands"
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            if answer.status != 201:
                raise RuntimeError(f"{path} answered {answer.status}")
            mark_times.append(time.time())

    writer = threading.Thread(target=mark)
    writer.start()
    try:
        yield mark_times
    finally:
        is_over.set()
        writer.join()


def _measure_release(port: int, venue: Hall, times: int) -> list[float]:
    """Return the seconds from each commit of a release until the event page shows it, in ascending order."""
    seen_times: list[float] = []
    is_over = threading.Event()

    def watch() -> None:
        reader, was_hidden = Reader(port), False
        body = reader.get(f"/fr/e/{venue.event}", encoding="identity")[1]
        while not is_over.is_set():
            status, body = reader.get(f"/fr/e/{venue.event}", encoding="identity", ignores_cache=False)
            if status == 200 and (HIDDEN_RESULTS_TEXT in body) != was_hidden:
                was_hidden = not was_hidden
                seen_times.append(time.time())

    watcher = threading.Thread(target=watch)
    watcher.start()
    committed = json.loads(venue.run_role("release", times))
    time.sleep(2)
    is_over.set()
    watcher.join()
    if len(seen_times) != times:
        raise RuntimeError(f"{len(seen_times)} of {times} releases were seen")
    return sorted(round(seen_at - committed_at, 3) for committed_at, seen_at in zip(committed, seen_times, strict=True))
