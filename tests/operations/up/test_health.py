"""Health and metrics of a running program, and the id that finds one request in all logs."""

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

from jobs.request_id import begin_request, go_on_with
from operations.data_dir import PROJECT, VARIABLE
from server.outage_pages import server_error
from tests.support.waiting import PATIENCE, wait_until

from .conftest import Up, environment

NEW = re.compile(r"[0-9a-f]{16}")


@pytest.fixture(scope="module")
def logging_up(tmp_path_factory: pytest.TempPathFactory, prepared_folder: Path) -> Iterator[Up]:
    """One that writes its log for programs, behind a proxy on this computer."""
    data = shutil.copytree(prepared_folder, tmp_path_factory.mktemp("logs") / "data")
    up = Up(data, CHARLEMAGNE_LOGS="json", CHARLEMAGNE_PROXIES="127.0.0.1")
    try:
        wait_until(up.answers)
        yield up
    finally:
        up.end()


def ask(up: Up, path: str, **headers: str) -> tuple[http.client.HTTPResponse, str]:
    with closing(http.client.HTTPConnection("127.0.0.1", up.port, timeout=PATIENCE)) as connection:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("GET", path, headers={"Host": "10.0.0.7", **sent})
        answer = connection.getresponse()
        return answer, answer.read().decode()


def lines(up: Up) -> list[dict[str, Any]]:
    return [json.loads(line) for line in up.said().splitlines() if line.startswith("{")]


@pytest.mark.slow
def test_a_process_says_that_it_lives_and_what_it_reaches(up: Up) -> None:
    alive, said = ask(up, "/health")
    assert (alive.status, json.loads(said)) == (200, {"alive": True})
    ready, said = ask(up, "/ready")
    assert (ready.status, ready.headers["Cache-Control"]) == (200, "no-store")
    assert json.loads(said) == {
        "ready": True, "database": True, "migrations": True, "broker": True, "ending": False,
    }  # fmt: skip


def test_it_is_not_ready_while_its_database_lacks_a_step(up: Up) -> None:
    with closing(sqlite3.connect(up.data / "charlemagne.sqlite3", timeout=PATIENCE)) as database:
        with database:
            row = database.execute(
                "SELECT id, app, name, applied FROM django_migrations ORDER BY id DESC"
            ).fetchone()
            database.execute("DELETE FROM django_migrations WHERE id = ?", row[:1])
        answer, said = ask(up, "/ready")
        assert (answer.status, json.loads(said)["migrations"]) == (503, False)
        assert ask(up, "/health")[0].status == 200
        with database:
            database.execute("INSERT INTO django_migrations VALUES (?, ?, ?, ?)", row)
    assert ask(up, "/ready")[0].status == 200


def test_each_answer_bears_an_id_of_its_own(up: Up) -> None:
    paths = ("/sign-in", "/sign-in", "/e/none", "/health")
    ids = {ask(up, path)[0].headers["X-Request-ID"] for path in paths}
    assert len(ids) == 4
    assert all(map(NEW.fullmatch, ids))


@pytest.mark.slow
def test_nobody_but_a_proxy_that_is_named_gives_a_request_its_id(up: Up, logging_up: Up) -> None:
    given = "0af7651916cd43dd8448eb211c80319c"
    assert ask(up, "/sign-in", X_Request_ID=given)[0].headers["X-Request-ID"] != given
    assert ask(logging_up, "/sign-in", X_Request_ID=given)[0].headers["X-Request-ID"] == given
    forged = 'one","level":"ERROR'
    assert NEW.fullmatch(ask(logging_up, "/sign-in", X_Request_ID=forged)[0].headers["X-Request-ID"] or "")


@pytest.mark.slow
def test_a_log_for_programs_has_a_line_of_each_request_which_tells_no_address(logging_up: Up) -> None:
    answer, _ = ask(logging_up, "/e/none", X_Request_ID="a-request-of-ours")
    assert answer.status == 404
    wait_until(lambda: any(line["request"] == "a-request-of-ours" for line in lines(logging_up)))
    (line,) = (line for line in lines(logging_up) if line["request"] == "a-request-of-ours")
    assert (line["logger"], line["level"], line["message"]) == ("charlemagne.requests", "INFO", "answered")
    assert (line["method"], line["route"], line["status"]) == ("GET", "e/<slug:short>", 404)
    assert line["ms"] > 0


A_JOB_THAT_FAILS = """
import django
django.setup()
from server.warm_up import load
load()
from jobs.request_id import begin_request
from jobs.services import enqueue
begin_request("asked-by-a-phone")
enqueue(kind="club_file", key="0")
"""


@pytest.mark.slow
def test_a_worker_writes_of_a_job_by_which_request_it_was_asked_for(logging_up: Up) -> None:
    asked = {VARIABLE: str(logging_up.data), "DJANGO_SETTINGS_MODULE": "config.settings"}
    subprocess.run(
        [sys.executable, "-c", A_JOB_THAT_FAILS], cwd=PROJECT, env=environment(**asked), check=True
    )

    def failures() -> list[dict[str, Any]]:
        return [line for line in lines(logging_up) if line["logger"] == "jobs.services"]

    wait_until(lambda: bool(failures()))
    first = failures()[0]
    assert (first["request"], first["level"]) == ("asked-by-a-phone", "ERROR")
    assert first["error"].splitlines()[-1].endswith("DoesNotExist: Club matching query does not exist.")


@pytest.mark.slow
def test_a_page_that_fails_has_the_number_by_which_its_line_is_found() -> None:
    begin_request("0af7651916cd43dd8448eb211c80319c")
    try:
        raise ValueError
    except ValueError:
        page = server_error(RequestFactory().get("/"))
    finally:
        go_on_with("")
    assert page.status_code == 500
    assert page.content.decode().count("<strong>0af76519</strong>") == 2  # in French, and in English
