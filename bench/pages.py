"""The public pages of a club under load: how many a second, how heavy, how late while results come in.

A real server, as `up` starts it, on SQLite or on DATABASE_URL. Readers are Python, keep one connection each,
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

from bench.hall import Hall, hall

_ASSET = re.compile(rb'(?:href|src)="(/static/[^"]+)"')
_NUMBER = re.compile(r"\d+")
KEPT_BACK = "table par table ne sont pas publiés".encode()
"""What the page says while the results are hidden."""


@dataclass
class Reader:
    """Somebody's browser: it keeps cookies, and the last revision that it was sent of its page."""

    port: int
    cookie: str = ""
    etag: str = ""
    times: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def get(self, address: str, *, encoding: str = "gzip", asks_anew: bool = True) -> tuple[int, bytes]:
        """Status and body as sent; without ``asks_anew`` a page that is known is not sent again."""
        headers = {"Accept-Encoding": encoding, "Cookie": self.cookie}
        if self.etag and not asks_anew:
            headers["If-None-Match"] = self.etag
        begun = time.perf_counter()
        self.connection.request("GET", address, headers=headers)
        answer = self.connection.getresponse()
        body = answer.read()
        self.times.append(time.perf_counter() - begun)
        if answer.status not in (200, 304):
            raise RuntimeError(f"{address} answered {answer.status}")
        if sent := answer.getheader("Set-Cookie"):
            self.cookie = sent.partition(";")[0]
        self.etag = answer.getheader("ETag", "")
        return answer.status, body


def main(argv: list[str]) -> dict[str, Any]:
    """By page: kB (1,000 bytes) as sent, requests a second made and from cache, p99 in ms alone and while
    hands come in. Then how late, in seconds, a release was seen by who asks without pause."""
    parser = argparse.ArgumentParser(prog="bench pages")
    parser.add_argument("--tables", type=int, default=25, help="of the night")
    parser.add_argument("--readers", type=int, default=8, help="who ask at once")
    parser.add_argument("--requests", type=int, default=40, help="of each reader, of each page")
    parser.add_argument("--hands", type=float, default=5, help="marked a second while results come in")
    parser.add_argument("--releases", type=int, default=10)
    options = parser.parse_args(argv)
    with hall(tables=options.tables, role="public") as here, here.served() as port:
        figures: dict[str, Any] = {"tables": options.tables, "readers": options.readers}
        hands = 0
        for address in here.pages:
            page = _weighed(port, f"/fr{address}")
            for name, asks_anew in (("made", True), ("cached", False)):
                page |= _read(port, f"/fr{address}", name, options, asks_anew=asks_anew)
            with _marking(port, here, options.hands) as marked:
                page |= _read(port, f"/fr{address}", "busy", options, asks_anew=False)
            hands += len(marked)
            figures[_NUMBER.sub("n", address.replace(here.event, "event"))] = page
        with _marking(port, here, options.hands) as marked:
            figures["release_seen_s"] = _release(port, here, options.releases)
        figures["hands_marked"] = hands + len(marked)
    return figures


def _weighed(port: int, address: str) -> dict[str, float]:
    html, page = Reader(port).get(address)[1], Reader(port).get(address, encoding="identity")[1]
    assets = {match.decode() for match in _ASSET.findall(page)}
    total = len(html) + sum(len(Reader(port).get(asset, encoding="br")[1]) for asset in assets)
    return {"html_kb": round(len(html) / 1000, 1), "all_kb": round(total / 1000, 1)}


def _read(
    port: int, address: str, name: str, options: argparse.Namespace, *, asks_anew: bool
) -> dict[str, float]:
    """The readers ask for the page, each again and again."""
    readers = [Reader(port) for _ in range(options.readers)]
    for reader in readers:
        reader.get(address)
        reader.get(address)  # with its cookie
        reader.times.clear()

    def read(reader: Reader) -> None:
        for _ in range(options.requests):
            reader.get(address, asks_anew=asks_anew)

    threads = [threading.Thread(target=read, args=(reader,)) for reader in readers]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - begun
    times = [each for reader in readers for each in reader.times]
    return {
        f"{name}_per_second": round(len(times) / seconds, 1),
        f"{name}_p99_ms": round(1000 * statistics.quantiles(times, n=100)[98], 1),
    }


@contextmanager
def _marking(port: int, here: Hall, per_second: float) -> Iterator[list[float]]:
    """Meanwhile hands are marked at one table after the other; the moments at which they were."""
    marked: list[float] = []
    is_over = threading.Event()

    def mark() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        for table in cycle(here.tables):
            if is_over.wait(1 / per_second):
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
            marked.append(time.time())

    writer = threading.Thread(target=mark)
    writer.start()
    try:
        yield marked
    finally:
        is_over.set()
        writer.join()


def _release(port: int, here: Hall, times: int) -> list[float]:
    """Seconds from each commit of a release until it was read on the page of the event, in rising order."""
    seen: list[float] = []
    is_over = threading.Event()

    def watch() -> None:
        reader, was_kept_back = Reader(port), False
        body = reader.get(f"/fr/e/{here.event}", encoding="identity")[1]
        while not is_over.is_set():
            status, body = reader.get(f"/fr/e/{here.event}", encoding="identity", asks_anew=False)
            if status == 200 and (KEPT_BACK in body) != was_kept_back:
                was_kept_back = not was_kept_back
                seen.append(time.time())

    watcher = threading.Thread(target=watch)
    watcher.start()
    committed = json.loads(here.in_room("release", times))
    time.sleep(2)
    is_over.set()
    watcher.join()
    if len(seen) != times:
        raise RuntimeError(f"{len(seen)} of {times} releases were seen")
    return sorted(round(after - at, 3) for at, after in zip(committed, seen, strict=True))
