"""PostgreSQL outage during a night: requests are told so quickly, and succeed again once it is back."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from urllib.parse import urlsplit
from uuid import uuid4

import pytest

from tests import external_tools
from tests.relay import Relay
from tests.support.waiting import wait_until
from tests.workspaces import create_database

from .conftest import RunningUp, run_manage

pytestmark = pytest.mark.slow

ENGLISH_READER = {"Accept-Language": "en"}
A_HAND = {"match": 1, "entry_key": str(uuid4()), "number": 1, "hand": {"kind": "passed_out"}}
PATIENCE = 15.0
"""Seconds: three times as long as a request may wait for the database."""


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    """Yield the URL of a new, empty database."""
    server = external_tools.find_postgres()
    if server is None:
        pytest.skip("no PostgreSQL server")
    with create_database(server, "away") as url:
        yield url


@pytest.fixture(scope="module")
def relay(database: str) -> Iterator[Relay]:
    server = urlsplit(database)
    relay = Relay(server.hostname or "localhost", server.port or 5432)
    yield relay
    relay.end()


@pytest.fixture(scope="module")
def up(database: str, relay: Relay, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningUp]:
    """Yield an `up` that reaches its prepared database through the relay."""
    data = tmp_path_factory.mktemp("away") / "data"
    prepared = run_manage("showmigrations", "--data", str(data), DATABASE_URL=database)
    assert prepared.returncode == 0, prepared.stderr
    server = urlsplit(database)
    who = f"{server.netloc.rpartition('@')[0]}@" if "@" in server.netloc else ""
    url = server._replace(netloc=f"{who}127.0.0.1:{relay.port}").geturl()
    started = RunningUp(data, DATABASE_URL=url)
    try:
        wait_until(started.is_answering)
        yield started
    finally:
        relay.recover()
        started.end()


@pytest.fixture(
    params=[Relay.refuse, pytest.param(Relay.hang, marks=pytest.mark.long("the same page, after five seconds"))],
    ids=["refused", "hanging"],
)
def away(request: pytest.FixtureRequest, up: RunningUp, relay: Relay) -> Iterator[RunningUp]:
    wait_until(lambda: ask_up(up, "GET", "/e/none")[0].status == 404)
    request.param(relay)
    yield up
    relay.recover()


def ask_up(up: RunningUp, method: str, path: str, body: str | None = None) -> tuple[http.client.HTTPResponse, str]:
    """Return the response of `up`; fail if it takes longer than people would wait."""
    connection = http.client.HTTPConnection("127.0.0.1", up.port, timeout=PATIENCE)
    try:
        connection.request(method, path, body, {"Content-Type": "application/json", **ENGLISH_READER})
        response = connection.getresponse()
        return response, response.read().decode()
    finally:
        connection.close()


def test_outage_page_is_bilingual_and_reloads_itself(away: RunningUp) -> None:
    response, page = ask_up(away, "GET", "/e/none")
    assert response.status == 503
    assert int(response.headers["Retry-After"]) == int(response.headers["Refresh"]) == 5
    assert response.headers["Cache-Control"] == "no-store"
    assert "La base de données ne répond pas" in page
    assert "The database is not responding" in page
    assert "This page reloads by itself." in page


@pytest.mark.long
def test_failed_post_is_not_resent_by_the_page(away: RunningUp) -> None:
    response, page = ask_up(away, "POST", "/api/tables/234567/hands", json.dumps(A_HAND))
    assert response.status == 503
    assert "Refresh" not in response.headers
    assert json.loads(page)["code"] == "database_away"


@pytest.mark.long
def test_api_answers_an_outage_with_code_and_detail(away: RunningUp) -> None:
    response, body = ask_up(away, "GET", "/api/tables/234567")
    assert (response.status, response.headers["Retry-After"]) == (503, "5")
    assert json.loads(body) == {
        "code": "database_away", "field": None,
        "detail": "The database is not responding. Wait a moment.",
    }  # fmt: skip


@pytest.mark.long
def test_requests_succeed_after_the_outage_without_a_traceback(away: RunningUp, relay: Relay) -> None:
    ask_up(away, "GET", "/e/none")
    relay.recover()
    wait_until(lambda: ask_up(away, "GET", "/e/none")[0].status == 404)
    assert "Traceback" not in away.read_output()


@pytest.mark.long
def test_terminal_reports_outage_and_recovery_once(up: RunningUp, relay: Relay) -> None:
    relay.refuse()
    wait_until(lambda: "The database server does not answer. Pages show this" in up.read_output())
    relay.recover()
    wait_until(lambda: "The database server answers again." in up.read_output())
