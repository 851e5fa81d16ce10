"""Failures of PostgreSQL and Redis during a night.

No acknowledged hand is lost or doubled, jobs end exactly once, pages say what is wrong, and the service
recovers by itself. The output shows how long each recovery took (``-rP``).
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from operations.data_dir import DATA_VARIABLE, KEY_FILE, PROJECT
from tests.operations.up.conftest import RunningUp, build_environment
from tests.support.waiting import TIMEOUT_SECONDS, wait_until

from .phones import Phones
from .servers import PostgreSQL, Redis, find_postgresql_program, run_postgresql, run_redis

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc"),
    pytest.mark.skipif(not find_postgresql_program("initdb"), reason="no programs of a PostgreSQL server"),
    pytest.mark.skipif(shutil.which("redis-server") is None, reason="no program of a Redis server"),
    pytest.mark.slow,
]

TABLES = 4
REPLACED_MESSAGE = "All processes were replaced."
POOL = 10
"""Maximum number of connections of a web process (``config.database.POOL``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    up: RunningUp
    database: PostgreSQL
    broker: Redis
    event: str
    tables: list[dict[str, Any]]

    def phones(self) -> Phones:
        return Phones(self.up.port, self.tables)

    def look(self, path: str) -> tuple[int, str]:
        with closing(http.client.HTTPConnection("127.0.0.1", self.up.port, timeout=TIMEOUT_SECONDS)) as connection:
            connection.request("GET", path, headers={"Accept-Language": "en"})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Night]:
    data = tmp_path_factory.mktemp("night") / "data"
    with run_postgresql() as database, run_redis() as broker:
        server: dict[str, Any] = {"DATABASE_URL": database.url, "CHARLEMAGNE_BROKER_URL": broker.url}
        made = subprocess.run(
            [sys.executable, "-m", "bench.hall.room", "make", str(TABLES)],
            cwd=PROJECT,
            env=build_environment(**server, **{DATA_VARIABLE: str(data), "DJANGO_SETTINGS_MODULE": "config.settings"}),
            capture_output=True, encoding="utf-8", check=True,
        )  # fmt: skip
        up = RunningUp(data, "--processes", "2", **server)
        try:
            wait_until(up.is_answering)
            wait_until(up.are_all_children_running)
            yield Night(up=up, database=database, broker=broker, **json.loads(made.stdout.splitlines()[-1]))
        finally:
            up.end()


def check_nothing_is_lost(night: Night, phones: Phones) -> None:
    """Check that each acknowledged hand is stored once, and each job has ended.

    The last job must have succeeded: it computes the standings with all hands.
    """
    mark_counts = Counter(str(key) for (key,) in night.database.run_query("SELECT entry_key FROM scoring_mark"))
    assert [key for key in phones.acknowledged if mark_counts[key] != 1] == []
    wait_until(lambda: not night.database.run_query("SELECT 1 FROM jobs_job WHERE ended_at IS NULL"))
    (last,) = night.database.run_query("SELECT status FROM jobs_job ORDER BY id DESC LIMIT 1")
    assert last == ("done",)
    assert night.look("/ready")[0] == 200


@pytest.mark.long("an accident to PostgreSQL; the killed server is not long")
def test_hands_survive_cut_database_connections(night: Night) -> None:
    with night.phones() as phones:
        for _ in range(3):
            night.database.run_query(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
            )
            print(f"hands again after {phones.wait_for_more():.1f} s")
    assert phones.met.keys() <= {200, 201, 503}, phones.met
    check_nothing_is_lost(night, phones)


@pytest.mark.long
def test_hands_survive_a_killed_database_server(night: Night) -> None:
    with night.phones() as phones:
        night.database.kill()
        status, page = night.look("/e/none")
        assert (status, "The database is not responding" in page) == (503, True)
        assert json.loads(night.look("/ready")[1])["database"] is False
        assert night.look("/health")[0] == 200
        wait_until(lambda: "The database server does not answer. Pages show this" in night.up.read_output())
        night.database.start()
        print(f"hands again after {phones.wait_for_more():.1f} s")
        wait_until(lambda: "The database server answers again." in night.up.read_output())
    assert phones.met.keys() <= {200, 201, 503}, phones.met
    check_nothing_is_lost(night, phones)


@pytest.mark.long
def test_hands_survive_a_killed_redis(night: Night) -> None:
    with night.phones() as phones:
        night.broker.kill()
        print(f"hands go on after {phones.wait_for_more(40):.1f} s")
        assert json.loads(night.look("/ready")[1]) == {
            "ready": True, "database": True, "migrations": True, "broker": False, "ending": False,
        }  # fmt: skip
        night.broker.start()
        phones.wait_for_more()
    assert phones.met.keys() == {200, 201}, phones.met
    output = night.up.read_output()
    assert [each for each in ("Cannot connect to redis", "DeprecationWarning") if each in output] == []
    assert output.count("Redis does not answer (") <= len(night.up.list_web_processes())
    begun = time.monotonic()
    check_nothing_is_lost(night, phones)
    print(f"all jobs ended after {time.monotonic() - begun:.1f} s")


def test_hands_survive_an_emptied_redis(night: Night) -> None:
    with night.phones() as phones:
        for _ in range(5):
            night.broker.empty()
            phones.wait_for_more()
    assert phones.met.keys() == {200, 201}, phones.met
    check_nothing_is_lost(night, phones)


def lose_work(night: Night) -> int:
    """Insert a job without its message, and return its id: only the sweep, started by the beat, finds it."""
    ((lost,),) = night.database.run_query(
        "INSERT INTO jobs_job (kind, key, status, attempts, created_at, sent_at, error)"
        " SELECT 'refresh_seasons', id, 'queued', 0, now(), now(), '' FROM clubs_club LIMIT 1 RETURNING id"
    )
    assert isinstance(lost, int)
    return lost


def check_it_is_done_once(night: Night, lost: int) -> None:
    begun = time.monotonic()
    wait_until(
        lambda: bool(
            night.database.run_query(f"SELECT 1 FROM jobs_job WHERE id = {lost} AND ended_at > now() - interval '1 h'")
        )
    )
    print(f"lost work was done after {time.monotonic() - begun:.1f} s")
    assert night.database.run_query(f"SELECT status, attempts FROM jobs_job WHERE id = {lost}") == [("done", 1)]


@pytest.mark.long
def test_jobs_run_once_after_a_killed_beat(night: Night) -> None:
    with night.phones() as phones:
        for _ in range(3):
            killed = night.up.get_children()["beat"]
            os.kill(killed, signal.SIGKILL)
            check_it_is_done_once(night, lose_work(night))
            assert night.up.get_children()["beat"] != killed
    assert phones.met.keys() == {200, 201}, phones.met
    check_nothing_is_lost(night, phones)


@pytest.fixture
def another_machine(night: Night, tmp_path: Path) -> Iterator[RunningUp]:
    """Yield a second `up` on the same PostgreSQL and Redis, with the same key and its own data folder."""
    up = RunningUp(
        tmp_path / "data",
        DATABASE_URL=night.database.url,
        CHARLEMAGNE_BROKER_URL=night.broker.url,
        CHARLEMAGNE_SECRET_KEY=(night.up.data / KEY_FILE).read_text(encoding="utf-8").strip(),
    )
    try:
        wait_until(up.is_answering)
        wait_until(up.are_all_children_running)
        yield up
    finally:
        up.end()


@pytest.mark.long("two machines for a minute")
def test_two_machines_run_jobs_once_with_either_beat(night: Night, another_machine: RunningUp) -> None:
    beats = [up.get_children()["beat"] for up in (night.up, another_machine)]
    with night.phones() as phones:
        check_it_is_done_once(night, lose_work(night))
        for silent in beats:
            os.kill(silent, signal.SIGSTOP)  # the process stays alive, so `up` starts no other
            try:
                check_it_is_done_once(night, lose_work(night))
            finally:
                os.kill(silent, signal.SIGCONT)
        deploy_all(night.up, another_machine)
    assert phones.met.keys() <= {200, 201, 503}, phones.met
    check_nothing_is_lost(night, phones)


def deploy_all(*machines: RunningUp) -> None:
    """Replace all processes of all machines at the same time."""
    so_far = [up.read_output().count(REPLACED_MESSAGE) for up in machines]
    for up in machines:
        up.process.send_signal(signal.SIGUSR1)
    for up, before in zip(machines, so_far, strict=True):
        wait_until(lambda up=up, before=before: up.read_output().count(REPLACED_MESSAGE) > before)  # type: ignore[misc]


@pytest.mark.long("an accident to PostgreSQL; the killed server is not long")
def test_hands_survive_a_slow_database_without_free_connections(night: Night) -> None:
    """A lock holds the table of hands for longer than requests wait, and requests outnumber the connections."""
    status_counts: Counter[int] = Counter()

    def ask(code: str) -> None:
        status_counts[night.look(f"/api/tables/{code}")[0]] += 1

    more = [
        threading.Thread(target=ask, args=[table["code"]])
        for table in night.tables
        for _ in range(2 * POOL // TABLES + 4)
    ]
    with night.phones() as phones:
        with psycopg.connect(night.database.url) as holder:
            holder.execute("LOCK TABLE scoring_mark IN ACCESS EXCLUSIVE MODE")
            begun = time.monotonic()
            for thread in more:
                thread.start()
            assert night.look("/health")[0] == 200
            for thread in more:
                thread.join()
            print(f"everybody was told so after {time.monotonic() - begun:.1f} s")
            assert set(status_counts) == {503}
        print(f"hands again after {phones.wait_for_more():.1f} s")
    assert phones.met.keys() <= {200, 201, 503}, phones.met
    check_nothing_is_lost(night, phones)
