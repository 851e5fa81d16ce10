"""Measure the time from a tap on one phone to the bytes at each watcher, through a real `up`.

Watchers are connections of this process, on the same cores as the server. With `--storm`, all tables send their
result within seconds, and watchers fetch their fragment at each new revision, as pages do. With `--minutes`, a
night lasts that long, and a tenth of the streams is cut each minute. The database is that of DATABASE_URL, which
the caller creates and drops; otherwise SQLite in a temporary folder.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import os
import resource
import statistics
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any
from uuid import uuid4

from bench.hall import Hall, open_hall
from bench.hall.server import Server
from bench.hall.watchers import Audience, Client, Watcher, wait_until

COUNTING_FOLDER = Path(__file__).parent / "hall" / "counting"
BROKER = "CHARLEMAGNE_BROKER_URL"
STORM_SECONDS = 10.0
"""Seconds in which every table sends its result."""
SECONDS_BETWEEN_HANDS = 6.0
"""Seconds between two hands of a night of 25 tables."""
RETRY_SECONDS = 1.0
"""Seconds after which a hand that a busy server refused is sent again."""
MINUTES_BETWEEN_LOOKS = 10
"""Minutes between two measurements of the resources of the processes."""
CHILDREN = ("web", "worker", "long-worker", "outgoing-worker", "beat")


def main(argv: list[str]) -> dict[str, Any]:
    """Return the setup, and the figures of taps, of a storm (``--storm``) or of a night (``--minutes``).

    Of taps: ``p50_ms`` and ``p99_ms`` from the tap until a watcher has the bytes, ``kib_per_watcher`` of the web
    processes, and answers 304 per second through Django and without it, with their ``ratio``.
    """
    parser = argparse.ArgumentParser(prog="bench live")
    parser.add_argument("--watchers", type=int, default=1_000)
    parser.add_argument("--tables", type=int, default=25, help="of the night; with --storm, results")
    parser.add_argument("--taps", type=int, default=20)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--redis", default=os.environ.get(BROKER, ""), help="redis://… by which processes announce")
    parser.add_argument("--storm", action="store_true", help="every table has its result within ten seconds")
    parser.add_argument("--minutes", type=int, default=0, help="of a night, with memory and files of each")
    options = parser.parse_args(argv)
    _, maximum = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (maximum, maximum))
    measure = _run_storm if options.storm else _run_night if options.minutes else _measure_taps
    with (
        open_hall(tables=options.tables, hands=1 if options.storm else None) as venue,
        tempfile.TemporaryDirectory() as counts_folder,
    ):
        venue.environment.update({BROKER: options.redis})
        if options.storm:
            venue.environment.update(PYTHONPATH=str(COUNTING_FOLDER), COUNTS=counts_folder)
        with Server(venue.environment, "--processes", str(options.processes)) as server:
            figures = asyncio.run(measure(venue, server, options))
        counts = {each.name: json.loads(each.read_text()) for each in Path(counts_folder).iterdir()}
    if options.storm:
        figures |= _sum_counts(counts, figures)
    setup = {
        "watchers": options.watchers,
        "tables": options.tables,
        "processes": options.processes,
        "redis": bool(options.redis),
        "postgresql": bool(os.environ.get("DATABASE_URL")),
    }
    return setup | figures


async def _measure_taps(venue: Hall, server: Server, options: argparse.Namespace) -> dict[str, Any]:
    ratio = await asyncio.to_thread(_measure_polls, venue, server.port)
    before = server.get_memory("web")
    audience, client = Audience(server.port, venue.event), Client(server.port, 1)
    await audience.open(options.watchers)
    kib = (server.get_memory("web") - before) / 1024 / options.watchers
    times = []
    for number in range(1, options.taps + 1):
        previous_names = {watcher: watcher.name for watcher in audience.watchers}
        started = time.perf_counter()
        await _mark(client, venue.tables[0], number)
        await wait_until(partial(_have_all_updated, previous_names))
        times += [1000 * (watcher.at - started) for watcher in previous_names]
        await asyncio.sleep(max(1.0, 1.2 * options.watchers / 1_000))
    return {**_get_percentiles(times), "kib_per_watcher": round(kib, 1), **ratio}


def _have_all_updated(previous_names: dict[Watcher, bytes]) -> bool:
    return all(watcher.name != name for watcher, name in previous_names.items())


def _get_percentiles(times: list[float], prefix: str = "") -> dict[str, float]:
    return {
        f"{prefix}p50_ms": round(statistics.median(times), 1),
        f"{prefix}p99_ms": round(statistics.quantiles(times, n=100)[98], 1),
    }


def _measure_polls(venue: Hall, port: int) -> dict[str, float]:
    """Return unchanged answers (304) per second, one request after the other: a page through Django, and a fragment."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    rates = []
    for extent in ({}, {"HX-Request": "true"}):
        headers = {"If-None-Match": "", **extent}
        started, count = time.perf_counter(), 0
        while (took := time.perf_counter() - started) < 5:
            connection.request("GET", f"/fr/e/{venue.event}", headers=headers)
            answer = connection.getresponse()
            answer.read()
            headers["If-None-Match"] = answer.headers["ETag"]
            count += answer.status == 304
        rates.append(count / took)
    return {
        "django_304_per_second": round(rates[0]),
        "kept_304_per_second": round(rates[1]),
        "ratio": round(rates[1] / rates[0], 1),
    }


async def _run_storm(venue: Hall, server: Server, options: argparse.Namespace) -> dict[str, Any]:
    """Have each table mark its only hand, evenly over the storm, while all watchers keep up.

    The time of a mark includes waiting for its table's one connection.
    """
    audience, phones = Audience(server.port, venue.event), Client(server.port, len(venue.tables))
    await audience.open(options.watchers, follow=True)
    spent = {name: server.get_processor_time(name) for name in CHILDREN}
    ours, started = time.process_time(), time.perf_counter()

    async def mark(place: int, table: dict[str, Any]) -> float:
        due = started + STORM_SECONDS * place / len(venue.tables)
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        retries.update(await _mark(phones, table, 1))
        return 1000 * (time.perf_counter() - due)

    retries: Counter[str] = Counter()
    times = await asyncio.gather(*(mark(*each) for each in enumerate(venue.tables)))
    took = time.perf_counter() - started
    await asyncio.sleep(10)
    await audience.wait_until_idle()
    spent = {name: server.get_processor_time(name) - before for name, before in spent.items()}
    watchers = audience.watchers
    return {
        "results": len(venue.tables),
        "seconds": round(took, 1),
        **_get_percentiles(times, prefix="mark_"),
        "marks_sent_again": dict(retries),
        "told_each": round(statistics.mean(watcher.heard - 1 for watcher in watchers), 1),
        "fetched": sum(audience.statuses.values()),
        "statuses": dict(audience.statuses),
        "revisions_fetched": len(audience.etags),
        "all_have_the_last": len({watcher.name for watcher in watchers}) == 1,
        "processor_s": {
            **{name: round(seconds, 1) for name, seconds in spent.items()},
            "watchers": round(time.process_time() - ours, 1),
        },
    }


def _sum_counts(counts: dict[str, dict[str, int]], figures: dict[str, Any]) -> dict[str, Any]:
    def sum_files(name: str, key: str) -> int:
        return sum(each.get(key, 0) for file, each in counts.items() if file.startswith(name))

    return {
        "renderings": sum_files("web", "renderings"),
        "renderings_per_revision": round(sum_files("web", "renderings") / figures["revisions_fetched"], 2),
        "queries_of_web": sum_files("web", "queries"),
        "queries_of_web_per_result": round(sum_files("web", "queries") / figures["results"], 1),
        "refreshes": sum_files("worker", "raises"),
    }


async def _run_night(venue: Hall, server: Server, options: argparse.Namespace) -> dict[str, Any]:
    """Return the resources of each process at the start, every ten minutes and at the end of a night.

    Each measurement is also written to stderr, since a run lasts an hour.
    """
    audience, phones = Audience(server.port, venue.event), Client(server.port, 4)
    await audience.open(options.watchers, follow=True)
    started, minutes = time.perf_counter(), [_get_memory_by_child(server)]
    looks = [_look(server, 0)]
    marked = dict.fromkeys(range(len(venue.tables)), 0)
    pause, place = SECONDS_BETWEEN_HANDS * 25 / len(venue.tables), 0
    for minute in range(1, options.minutes + 1):
        while time.perf_counter() < started + 60 * minute:
            marked[place] += 1
            await _mark(phones, venue.tables[place], marked[place])
            place = (place + 1) % len(venue.tables)
            await asyncio.sleep(pause)
        await audience.cut(0.1)
        minutes.append(_get_memory_by_child(server))
        if minute % MINUTES_BETWEEN_LOOKS == 0 or minute == options.minutes:
            looks.append(_look(server, minute))
    half = len(minutes) // 2
    return {
        "minutes": options.minutes,
        "hands": sum(marked.values()),
        "fetched": sum(audience.statuses.values()),
        "looks": looks,
        "mib_grown_in_the_second_half": {
            name: round((minutes[-1][name] - minutes[half][name]) / 2**20, 1) for name in CHILDREN
        },
    }


def _get_memory_by_child(server: Server) -> dict[str, int]:
    return {name: server.get_memory(name) for name in CHILDREN}


def _look(server: Server, minute: int) -> dict[str, Any]:
    look = {"minute": minute, "processes": server.get_resource_usage()}
    print(json.dumps(look), file=sys.stderr, flush=True)
    return look


async def _mark(client: Client, table: dict[str, Any], number: int) -> Counter[str]:
    """Mark a hand as a phone does; while the server is busy, send it again. Return the retries by reason."""
    hand = {"side": "A", "contract": "6", "tricks": 7}
    body = {"match": table["match"], "entry_key": str(uuid4()), "number": number, "hand": hand}
    path = f"/api/tables/{table['code']}/hands"
    retries: Counter[str] = Counter()
    status, _, body_text = await client.send_request(path, body=json.dumps(body).encode())
    while status == HTTPStatus.SERVICE_UNAVAILABLE:
        retries[json.loads(body_text).get("code", "")] += 1
        await asyncio.sleep(RETRY_SECONDS)
        status, _, body_text = await client.send_request(path, body=json.dumps(body).encode())
    if status != HTTPStatus.CREATED:
        raise RuntimeError(f"{path} answered {status}: {body_text.decode()}")
    return retries
