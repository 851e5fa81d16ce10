"""All processes of a running `up` are replaced, one after the other, while phones mark: nothing is lost."""

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
from tests.support.waiting import PATIENCE, wait_until

from .conftest import Up, prepared_night

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc"),
    pytest.mark.slow,
]

TABLES = 4
PAUSE = 0.05
"""Seconds between two hands of a phone: of four, two have one under way at any moment."""


class Night(Up):
    """Of two web processes, with a night of endless tables."""

    night: dict[str, Any]


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory, prepared_folder: Path) -> Iterator[Night]:
    data = shutil.copytree(prepared_folder, tmp_path_factory.mktemp("replacing") / "data")
    night = prepared_night(data, TABLES)
    up = Night(data, "--processes", "2")
    up.night = night.told
    try:
        wait_until(up.answers)
        wait_until(up.all_children_run)
        wait_until(lambda: len(up.web_processes()) == 2)
        yield up
    finally:
        up.end()


class Phones:
    """One at each table, that marks hand after hand; every other one keeps its connection as long as it may,
    as a proxy does. ``met`` counts answers by status, and errors."""

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

    def _mark(self, table: dict[str, Any], is_kept: bool) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._up.port, timeout=PATIENCE)
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
            if not is_kept:
                connection.close()
            time.sleep(PAUSE)
        connection.close()


def replace_all(up: Up) -> None:
    so_far = up.said().count("All processes were replaced.")
    up.process.send_signal(signal.SIGUSR1)
    wait_until(lambda: up.said().count("All processes were replaced.") > so_far)


def recorded(up: Up) -> int:
    with closing(sqlite3.connect(up.data / "charlemagne.sqlite3")) as database:
        (count,) = database.execute("SELECT COUNT(*) FROM scoring_mark").fetchone()
    return int(count)


def test_every_hand_that_is_sent_meanwhile_is_answered_and_recorded_once(up: Night) -> None:
    before, old = recorded(up), up.all_processes()
    with Phones(up) as phones:
        phones.mark_more(10)
        replace_all(up)
        phones.mark_more(10)
    assert set(phones.met) == {201}, phones.met
    assert recorded(up) - before == phones.met[201]
    new = up.all_processes()
    assert not new.keys() & old.keys()
    assert sorted(new.values()) == sorted(old.values())


def jobs_under_way(up: Up) -> int:
    with closing(sqlite3.connect(up.data / "charlemagne.sqlite3")) as database:
        (count,) = database.execute("SELECT COUNT(*) FROM jobs_job WHERE ended_at IS NULL").fetchone()
    return int(count)


def test_who_listens_is_sent_on_to_the_next_process_by_the_old_one(up: Night) -> None:
    wait_until(lambda: not jobs_under_way(up))  # standings of what was marked before
    with Listener(up.port, f"/e/{up.night['event']}") as listener:
        retry = listener.answer.readline().decode()
        assert retry.startswith("retry: ")
        assert 1_000 <= int(retry.split()[1]) <= 4_000
        assert listener.hears() == listener.shown
        replace_all(up)
        while listener.hears():
            pass
    with Listener(up.port, stream=listener.stream) as again:
        assert again.hears() == listener.shown


@contextmanager
def a_step_that_cannot_be_taken(up: Up) -> Iterator[None]:
    """The database is of a newer program, so that no folder is prepared by this one."""
    step = ("tournaments", "0999_lots_of_two", "2031-03-04 19:00:00")
    with closing(sqlite3.connect(up.data / "charlemagne.sqlite3", timeout=PATIENCE)) as database:
        with database:
            database.execute("INSERT INTO django_migrations (app, name, applied) VALUES (?, ?, ?)", step)
        yield
        with database:
            database.execute("DELETE FROM django_migrations WHERE name = ?", step[1:2])


@pytest.mark.long("processes are replaced: the next test stays")
def test_processes_stay_where_those_after_them_could_not_work(up: Night) -> None:
    wait_until(lambda: len(up.web_processes()) == 2)
    old = up.all_processes()
    with a_step_that_cannot_be_taken(up):
        up.process.send_signal(signal.SIGUSR1)
        wait_until(lambda: "cannot start, so the old processes keep running." in up.said())
    assert "A newer Charlemagne updated these data on" in up.said()
    assert up.all_processes() == old
    assert up.look("/ready") == 200
