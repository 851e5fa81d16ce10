"""Measure hands recorded per second over HTTP, beside a bare view and bare commits of the same data.

A real server as `up` starts it, on an empty data folder (or on DATABASE_URL). Each phone keeps one connection
open and marks its table hand after hand. The phones are Python and run on the same cores.
"""

from __future__ import annotations

import argparse
import http.client
import json
import statistics
import threading
import time
from typing import Any
from uuid import uuid4

from bench.hall import open_hall


def main(argv: list[str]) -> dict[str, float]:
    """Return rates per second, ``p50_ms`` and ``p99_ms`` of a hand, and ratios of the times of a hand.

    - ``hands``, ``hands_per_second``, ``bare_view_per_second``, ``bare_commits_per_second``, ``service_per_second``
    - ``times_bare_view``: HTTP ÷ the bare view; ``http_times_bare``: HTTP ÷ a bare commit
    - ``service_times_bare``: the service called directly ÷ a bare commit
    """
    parser = argparse.ArgumentParser(prog="bench hands")
    parser.add_argument("--tables", type=int, default=25, help="tables, each with one phone")
    parser.add_argument("--hands", type=int, default=20, help="hands that each phone marks")
    parser.add_argument("--processes", type=int, default=1, help="web processes")
    options = parser.parse_args(argv)
    count = options.tables * options.hands
    with open_hall(tables=options.tables) as venue:
        with venue.serve("--processes", str(options.processes)) as port:
            seconds, times = _mark_everywhere(port, venue.tables, options.hands)
        service = float(venue.run_role("service", count)) / count
        with venue.serve_bare_view() as port:
            bare_view, _ = _mark_everywhere(port, venue.tables, options.hands)
        bare = float(venue.run_role("bare", count)) / count
    if len(times) != count:
        raise RuntimeError(f"{count - len(times)} hands were not recorded")
    return {
        "hands": count,
        "hands_per_second": round(count / seconds, 1),
        "bare_view_per_second": round(count / bare_view, 1),
        "times_bare_view": round(seconds / bare_view, 2),
        "p50_ms": round(1000 * statistics.median(times), 1),
        "p99_ms": round(1000 * statistics.quantiles(times, n=100)[98], 1),
        "bare_commits_per_second": round(1 / bare, 1),
        "service_per_second": round(1 / service, 1),
        "service_times_bare": round(service / bare, 2),
        "http_times_bare": round(seconds / count / bare, 2),
    }


def _mark_everywhere(port: int, tables: list[dict[str, Any]], hands: int) -> tuple[float, list[float]]:
    """Return the seconds for all hands, and the seconds of each."""
    times: list[float] = []
    phones = [threading.Thread(target=_run_phone, args=(port, table, hands, times)) for table in tables]
    started = time.perf_counter()
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    return time.perf_counter() - started, times


def _run_phone(port: int, table: dict[str, Any], hands: int, times: list[float]) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for number in range(1, hands + 1):
        body = {
            "match": table["match"],
            "entry_key": str(uuid4()),
            "number": number,
            "hand": {"side": "A", "contract": "6", "tricks": 7},
        }
        started = time.perf_counter()
        connection.request(
            "POST",
            f"/api/tables/{table['code']}/hands?card={table['secret']}",  # as after scanning the QR code
            json.dumps(body),
            {"Content-Type": "application/json"},
        )
        answer = connection.getresponse()
        answer.read()
        if answer.status == 201:
            times.append(time.perf_counter() - started)
