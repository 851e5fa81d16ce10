"""A laptop's disk becomes read-only during a night, then recovers."""

from __future__ import annotations

import http.client
import json
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError
from django.db.utils import ConnectionHandler

from operations.outages import FAILING_DISK, find_outage
from tests.operations.up.conftest import RunningUp, prepare_night
from tests.operations.up.test_streams import has_work
from tests.support.waiting import TIMEOUT_SECONDS, wait_until

from .phones import Phones

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

TABLES = 2


@contextmanager
def run_up(data: Path, **how: Any) -> Iterator[RunningUp]:
    up = RunningUp(data, **how)
    try:
        wait_until(up.is_answering)
        wait_until(up.are_all_children_running)
        yield up
    finally:
        up.end()


def check_nothing_is_lost(data: Path, phones: Phones) -> None:
    wait_until(lambda: not has_work(data))
    with closing(sqlite3.connect(data / "charlemagne.sqlite3")) as database:
        mark_counts = Counter(key for (key,) in database.execute("SELECT entry_key FROM scoring_mark"))
        (last,) = database.execute("SELECT status FROM jobs_job ORDER BY id DESC LIMIT 1").fetchone()
    assert [key for key in phones.acknowledged if mark_counts[key.replace("-", "")] != 1] == []
    assert last == "done"


@contextmanager
def make_read_only(data: Path) -> Iterator[None]:
    """Make the database files read-only while the block runs, like a failing disk."""
    files = list(data.glob("charlemagne.sqlite3*"))
    subprocess.run(["chattr", "+i", *files], check=True)
    try:
        yield
    finally:
        subprocess.run(["chattr", "-i", *files], check=True)


def may_turn_files_read_only() -> bool:
    with tempfile.NamedTemporaryFile(dir="/tmp") as tried:
        for how in ("+i", "-i"):
            if shutil.which("chattr") is None or subprocess.run(["chattr", how, tried.name], check=False).returncode:
                return False
    return True


def list_expected_errors(up: RunningUp) -> set[object]:
    """Return the errors that phones may meet if the system has ended the web process (SIGBUS).

    SQLite's shared memory is a file on that disk. `up` restarts the process, and phones resend their hands.
    """
    is_ended = f"web ended ({-signal.SIGBUS})" in up.read_output()
    return {"RemoteDisconnected", "ConnectionResetError"} if is_ended else set()


@pytest.mark.long("an accident to a laptop; the killed process is not long")
@pytest.mark.skipif(not may_turn_files_read_only(), reason="needs root, and chattr")
def test_hands_survive_a_read_only_data_folder(tmp_path: Path, prepared_folder: Path) -> None:
    data = shutil.copytree(prepared_folder, tmp_path / "data")
    night = prepare_night(data, TABLES).data
    with run_up(data) as up:
        with Phones(up.port, night["tables"]) as phones:
            with make_read_only(data):
                so_far = phones.met[503]
                wait_until(lambda: phones.met[503] > so_far + 5)
                assert get_hand_error_code(up, night["tables"][0]) == "disk_failing"
            print(f"hands again after {phones.wait_for_more():.1f} s")
        assert phones.met.keys() - list_expected_errors(up) <= {200, 201, 503}, phones.met
        check_nothing_is_lost(data, phones)
        assert "Traceback" not in up.read_output()


@pytest.mark.skipif(not may_turn_files_read_only(), reason="needs root, and chattr")
@pytest.mark.django_db  # the test opens its own databases
def test_connection_opened_on_a_read_only_disk_can_write_later(tmp_path: Path) -> None:
    one, two, three = (open_connection(tmp_path) for _ in range(3))
    with one.cursor() as cursor:
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("CREATE TABLE hand (tricks)")
    with make_read_only(tmp_path):
        with pytest.raises(OperationalError) as refused:
            two.cursor()
        assert find_outage(refused.value) == FAILING_DISK
    with two.cursor() as other, three.cursor() as last:
        other.execute("INSERT INTO hand VALUES (7)")
        last.execute("INSERT INTO hand VALUES (8)")
    for each in (one, two, three):
        each.close()


def open_connection(folder: Path) -> Any:
    """Open a separate connection to the folder's database."""
    settings = {"ENGINE": "config.sqlite", "NAME": str(folder / "charlemagne.sqlite3")}
    return ConnectionHandler({"default": settings}).create_connection("default")


def get_hand_error_code(up: RunningUp, table: dict[str, Any]) -> str:
    """Return the error code that the API answers to a hand."""
    body = {"match": table["match"], "entry_key": "5f0c55ba-9e2c-4f0e-8b62-6d0f3c9f0a11", "number": 1}
    with closing(http.client.HTTPConnection("127.0.0.1", up.port, timeout=TIMEOUT_SECONDS)) as connection:
        sent = json.dumps(body | {"hand": {"kind": "passed_out"}})
        path = f"/api/tables/{table['code']}/hands"
        connection.request("POST", path, sent, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        assert answer.status == 503
        return str(json.loads(answer.read())["code"])
