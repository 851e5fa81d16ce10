"""Health endpoints of a running program, and the request id that links its logs."""

from __future__ import annotations

import http.client
import json
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.test import RequestFactory

from jobs.request_id import begin_request, continue_request
from operations.data_dir import DATA_VARIABLE, PROJECT
from server.outage_pages import server_error
from tests.support.waiting import TIMEOUT_SECONDS, wait_until

from .conftest import RunningUp, build_environment

pytestmark = pytest.mark.slow

NEW = re.compile(r"[0-9a-f]{16}")


@pytest.fixture(scope="module")
def logging_up(tmp_path_factory: pytest.TempPathFactory, prepared_folder: Path) -> Iterator[RunningUp]:
    """Yield an `up` with JSON logs, behind a proxy on this computer."""
    data = shutil.copytree(prepared_folder, tmp_path_factory.mktemp("logs") / "data")
    up = RunningUp(data, CHARLEMAGNE_LOGS="json", CHARLEMAGNE_PROXIES="127.0.0.1")
    try:
        wait_until(up.is_answering)
        yield up
    finally:
        up.end()


def fetch(up: RunningUp, path: str, **headers: str) -> tuple[http.client.HTTPResponse, str]:
    with closing(http.client.HTTPConnection("127.0.0.1", up.port, timeout=TIMEOUT_SECONDS)) as connection:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("GET", path, headers={"Host": "10.0.0.7", **sent})
        answer = connection.getresponse()
        return answer, answer.read().decode()


def read_log_lines(up: RunningUp) -> list[dict[str, Any]]:
    return [json.loads(line) for line in up.read_output().splitlines() if line.startswith("{")]


def test_health_and_readiness_endpoints_report_the_state(up: RunningUp) -> None:
    alive, body = fetch(up, "/health")
    assert (alive.status, json.loads(body)) == (200, {"alive": True})
    ready, body = fetch(up, "/ready")
    assert (ready.status, ready.headers["Cache-Control"]) == (200, "no-store")
    assert json.loads(body) == {
        "ready": True, "database": True, "migrations": True, "broker": True, "ending": False,
    }  # fmt: skip


@pytest.mark.long
def test_process_is_not_ready_with_missing_migrations(up: RunningUp) -> None:
    with closing(sqlite3.connect(up.data / "charlemagne.sqlite3", timeout=TIMEOUT_SECONDS)) as database:
        with database:
            row = database.execute("SELECT id, app, name, applied FROM django_migrations ORDER BY id DESC").fetchone()
            database.execute("DELETE FROM django_migrations WHERE id = ?", row[:1])
        answer, body = fetch(up, "/ready")
        assert (answer.status, json.loads(body)["migrations"]) == (503, False)
        assert fetch(up, "/health")[0].status == 200
        with database:
            database.execute("INSERT INTO django_migrations VALUES (?, ?, ?, ?)", row)
    assert fetch(up, "/ready")[0].status == 200


@pytest.mark.long
def test_every_answer_has_its_own_request_id(up: RunningUp) -> None:
    paths = ("/sign-in", "/sign-in", "/e/none", "/health")
    ids = {fetch(up, path)[0].headers["X-Request-ID"] for path in paths}
    assert len(ids) == 4
    assert all(map(NEW.fullmatch, ids))


def test_only_a_trusted_proxy_sets_the_request_id(up: RunningUp, logging_up: RunningUp) -> None:
    given = "0af7651916cd43dd8448eb211c80319c"
    assert fetch(up, "/sign-in", X_Request_ID=given)[0].headers["X-Request-ID"] != given
    assert fetch(logging_up, "/sign-in", X_Request_ID=given)[0].headers["X-Request-ID"] == given
    forged = 'one","level":"ERROR'
    assert NEW.fullmatch(fetch(logging_up, "/sign-in", X_Request_ID=forged)[0].headers["X-Request-ID"] or "")


@pytest.mark.long
def test_json_log_has_a_line_per_request_without_addresses(logging_up: RunningUp) -> None:
    answer, _ = fetch(logging_up, "/e/none", X_Request_ID="a-request-of-ours")
    assert answer.status == 404
    wait_until(lambda: any(line["request"] == "a-request-of-ours" for line in read_log_lines(logging_up)))
    (line,) = (line for line in read_log_lines(logging_up) if line["request"] == "a-request-of-ours")
    assert (line["logger"], line["level"], line["message"]) == ("charlemagne.requests", "INFO", "answered")
    assert (line["method"], line["route"], line["status"]) == ("GET", "e/<slug:short>", 404)
    assert line["ms"] > 0


FAILING_JOB_SCRIPT = """
import django
django.setup()
from server.warm_up import load_process
load_process()
from jobs.request_id import begin_request
from jobs.services import enqueue
begin_request("asked-by-a-phone")
enqueue(kind="club_file", key="0")
"""


@pytest.mark.long
def test_worker_log_names_the_request_behind_a_job(logging_up: RunningUp) -> None:
    variables = {DATA_VARIABLE: str(logging_up.data), "DJANGO_SETTINGS_MODULE": "config.settings"}
    subprocess.run(
        [sys.executable, "-c", FAILING_JOB_SCRIPT], cwd=PROJECT, env=build_environment(**variables), check=True
    )

    def list_failures() -> list[dict[str, Any]]:
        return [line for line in read_log_lines(logging_up) if line["logger"] == "jobs.services"]

    wait_until(lambda: bool(list_failures()))
    first = list_failures()[0]
    assert (first["request"], first["level"]) == ("asked-by-a-phone", "ERROR")
    assert first["error"].splitlines()[-1].endswith("DoesNotExist: Club matching query does not exist.")


@pytest.mark.long
def test_error_page_shows_the_request_id() -> None:
    begin_request("0af7651916cd43dd8448eb211c80319c")
    try:
        raise ValueError
    except ValueError:
        page = server_error(RequestFactory().get("/"))
    finally:
        continue_request("")
    assert page.status_code == 500
    assert page.content.decode().count("<strong>0af76519</strong>") == 2  # once in French, once in English
