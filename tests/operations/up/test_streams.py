"""Streams of a running `up`: after a killed process, between several processes, and at shutdown."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import redis

from tests import external_tools
from tests.support.streams import Listener
from tests.support.waiting import TIMEOUT_SECONDS, wait_until

from .conftest import PreparedNight, RunningUp
from .test_web_process_restarts import isolate_process

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc"),
    pytest.mark.slow,
]

Night = tuple[RunningUp, dict[str, Any]]
StartNight = Callable[..., Night]


@pytest.fixture
def start_night(tmp_path: Path, night_of_one_table: PreparedNight) -> Iterator[StartNight]:
    """Yield a function that starts an `up` with a night of one table; it returns both."""
    ups: list[RunningUp] = []

    def start(*options: str, broker: str = "") -> Night:
        data = shutil.copytree(night_of_one_table.folder, tmp_path / "data")
        up = RunningUp(data, *options, CHARLEMAGNE_BROKER_URL=broker)
        ups.append(up)
        wait_until(up.is_answering)
        wait_until(lambda: not has_work(data))
        return up, night_of_one_table.data

    yield start
    for up in ups:
        up.end()


def has_work(data: Path) -> bool:
    """Return whether a job is still open, such as the standings of a published round."""
    with closing(sqlite3.connect(data / "charlemagne.sqlite3")) as database:
        return bool(database.execute("SELECT 1 FROM jobs_job WHERE ended_at IS NULL").fetchone())


def mark(up: RunningUp, night: dict[str, Any], number: int) -> None:
    """Record a hand at the table."""
    (table,) = night["tables"]
    hand = {"side": "A", "contract": "6", "tricks": 7}
    body = {"match": table["match"], "entry_key": str(uuid4()), "number": number, "hand": hand}
    with closing(http.client.HTTPConnection("127.0.0.1", up.port, timeout=TIMEOUT_SECONDS)) as connection:
        path = f"/api/tables/{table['code']}/hands"
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        assert connection.getresponse().status == 201


@pytest.mark.long
def test_client_cut_off_by_a_killed_process_receives_missed_changes(start_night: StartNight) -> None:
    up, night = start_night()
    with Listener(up.port, f"/e/{night['event']}") as listener:
        assert listener.read_revision() == listener.shown_revision
        os.kill(up.get_children()["web"], signal.SIGKILL)
        assert listener.read_revision() == ""
    mark(up, night, 1)  # through the new web process
    with Listener(up.port, stream=listener.stream) as again:
        assert again.read_revision() not in ("", listener.shown_revision)


@pytest.mark.long
def test_terminating_process_closes_its_streams_at_once(start_night: StartNight) -> None:
    up, night = start_night()
    with Listener(up.port, f"/e/{night['event']}") as listener:
        assert listener.read_revision() == listener.shown_revision
        up.process.send_signal(signal.SIGTERM)
        assert listener.read_revision() == ""
    assert up.process.wait(TIMEOUT_SECONDS) == 0
    assert "ERROR" not in up.read_output()  # which a stream cut off midway would log


@pytest.mark.long
def test_change_in_another_process_is_streamed_without_redis(start_night: StartNight) -> None:
    up, night = start_night("--processes", "2")
    check_streams_of_both(up, night)


def test_change_in_another_process_is_announced_through_redis(start_night: StartNight) -> None:
    url = external_tools.find_redis_server()
    if url is None:
        pytest.skip("no Redis server")
    up, night = start_night("--processes", "2", broker=url)
    with redis.Redis.from_url(url) as server, server.pubsub() as heard:
        heard.psubscribe("charlemagne.live.*")
        assert heard.get_message(timeout=TIMEOUT_SECONDS)["type"] == "psubscribe"
        check_streams_of_both(up, night)
        announced = {heard.get_message(timeout=TIMEOUT_SECONDS)["data"].partition(b":")[0] for _ in range(2)}
        assert announced == {b"event", b"table"}


def check_streams_of_both(up: RunningUp, night: dict[str, Any]) -> None:
    """Check that a listener at one of two web processes hears of a hand recorded at the other."""
    wait_until(lambda: len(up.list_web_processes()) == 2)
    first, second = up.list_web_processes()
    with isolate_process(up, first):
        listener = Listener(up.port, f"/e/{night['event']}")
        assert listener.read_revision() == listener.shown_revision
    with isolate_process(up, second):
        mark(up, night, 1)
    with listener:
        assert listener.read_new_revision(listener.shown_revision)
