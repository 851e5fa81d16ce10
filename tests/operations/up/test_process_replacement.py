"""All processes of a running `up` are replaced in turn while phones mark: no hand is lost."""

from __future__ import annotations

import http.client
import json
import shutil
import signal
import sqlite3
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

import pytest

from tests.support.streams import Listener
from tests.support.waiting import TIMEOUT_SECONDS, wait_until

from .conftest import RunningUp, prepare_night

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc"),
    pytest.mark.slow,
]

TABLES = 4
PAUSE = 0.05
"""Seconds between two hands of a phone: of four phones, two have a hand under way at any moment."""


class Night(RunningUp):
    """An `up` with two web processes and a night whose matches never end."""

    night: dict[str, Any]


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory, prepared_folder: Path) -> Iterator[Night]:
    data = shutil.copytree(prepared_folder, tmp_path_factory.mktemp("replacing") / "data")
    night = prepare_night(data, TABLES)
    up = Night(data, "--processes", "2")
    up.night = night.data
    try:
        wait_until(up.is_answering)
        wait_until(up.are_all_children_running)
        wait_until(lambda: len(up.list_web_processes()) == 2)
        yield up
    finally:
        up.end()


class Phones:
    """One phone at each table that marks hand after hand; ``met`` counts statuses and errors.

    Every other phone keeps its connection as long as it may, as a proxy does.
    """

    def __init__(self, up: Night) -> None:
        self.met: Counter[object] = Counter()
        self._up, self._is_over = up, threading.Event()
        self._threads = [
            threading.Thread(target=self._mark, args=[table, number % 2 == 0])
            for number, table in enumerate(up.night["tables"])
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        for thread in self._threads:
            thread.join()

    def mark_more(self, hands: int) -> None:
        wanted = self.met[201] + hands
        wait_until(lambda: self.met[201] >= wanted or bool(set(self.met) - {201}))

    def _mark(self, table: dict[str, Any], is_persistent: bool) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._up.port, timeout=TIMEOUT_SECONDS)
        path = f"/api/tables/{table['code']}/hands"
        connection.request("GET", path.removesuffix("/hands"))
        number = len(json.loads(connection.getresponse().read())["marks"])
        while not self._is_over.is_set():
            number += 1
            hand = {"side": "A", "contract": "6", "tricks": 7}
            body = {"match": table["match"], "entry_key": str(uuid4()), "number": number, "hand": hand}
            try:
                connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
                answer = connection.getresponse()
                answer.read()
                self.met[answer.status] += 1
            except (OSError, http.client.HTTPException) as error:
                self.met[type(error).__name__] += 1
                return
            if not is_persistent:
                connection.close()
            time.sleep(PAUSE)
        connection.close()


def replace_all(up: RunningUp) -> None:
    so_far = up.read_output().count("All processes were replaced.")
    up.process.send_signal(signal.SIGUSR1)
    wait_until(lambda: up.read_output().count("All processes were replaced.") > so_far)


def count_recorded(up: RunningUp) -> int:
    with closing(sqlite3.connect(up.data / "charlemagne.sqlite3")) as database:
        (count,) = database.execute("SELECT COUNT(*) FROM scoring_mark").fetchone()
    return int(count)


@pytest.mark.long("starts ten processes twice; the ended web process is not long")
def test_every_hand_sent_during_replacement_is_recorded_once(up: Night) -> None:
    before, old = count_recorded(up), up.get_processes()
    with Phones(up) as phones:
        phones.mark_more(10)
        replace_all(up)
        phones.mark_more(10)
    assert set(phones.met) == {201}, phones.met
    assert count_recorded(up) - before == phones.met[201]
    new = up.get_processes()
    assert not new.keys() & old.keys()
    assert sorted(new.values()) == sorted(old.values())


def count_running_jobs(up: RunningUp) -> int:
    with closing(sqlite3.connect(up.data / "charlemagne.sqlite3")) as database:
        (count,) = database.execute("SELECT COUNT(*) FROM jobs_job WHERE ended_at IS NULL").fetchone()
    return int(count)


@pytest.mark.long
def test_stream_reconnects_to_the_new_process(up: Night) -> None:
    wait_until(lambda: not count_running_jobs(up))  # standings of hands that were marked before
    with Listener(up.port, f"/e/{up.night['event']}") as listener:
        retry = listener.answer.readline().decode()
        assert retry.startswith("retry: ")
        assert 1_000 <= int(retry.split()[1]) <= 4_000
        assert listener.read_revision() == listener.shown_revision
        replace_all(up)
        while listener.read_revision():
            pass
    with Listener(up.port, stream=listener.stream) as again:
        assert again.read_revision() == listener.shown_revision


@contextmanager
def block_migrations(up: RunningUp) -> Iterator[None]:
    """Record a migration of a newer version while the block runs, so that no new process can start."""
    step = ("tournaments", "0999_lots_of_two", "2031-03-04 19:00:00")
    with closing(sqlite3.connect(up.data / "charlemagne.sqlite3", timeout=TIMEOUT_SECONDS)) as database:
        with database:
            database.execute("INSERT INTO django_migrations (app, name, applied) VALUES (?, ?, ?)", step)
        yield
        with database:
            database.execute("DELETE FROM django_migrations WHERE name = ?", step[1:2])


@pytest.mark.long("starts ten processes twice")
def test_processes_stay_if_their_replacements_cannot_start(up: Night) -> None:
    wait_until(lambda: len(up.list_web_processes()) == 2)
    old = up.get_processes()
    with block_migrations(up):
        up.process.send_signal(signal.SIGUSR1)
        wait_until(lambda: "cannot start, so the old processes keep running." in up.read_output())
    assert "A newer Charlemagne updated these data on" in up.read_output()
    assert up.get_processes() == old
    assert up.look("/ready") == 200
