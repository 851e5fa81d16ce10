"""PostgreSQL is away while people read and mark: each is told so soon, and served again once it is back."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit
from uuid import uuid4

import pytest

from tests import parts
from tests.places import fresh_database
from tests.relay import Relay
from tests.support.waiting import wait_until

from .conftest import Up, manage

pytestmark = pytest.mark.slow

ENGLISH_READER = {"Accept-Language": "en"}
A_HAND = {"match": 1, "entry_key": str(uuid4()), "number": 1, "hand": {"kind": "passed_out"}}
PATIENCE = 15.0
"""Seconds: three times what a request may wait for an answer of the database."""


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    """The URL of a database of its own, which is empty."""
    server = parts.postgres()
    if server is None:
        pytest.skip("no PostgreSQL server")
    with fresh_database(server, "away") as url:
        yield url


@pytest.fixture(scope="module")
def relay(database: str) -> Iterator[Relay]:
    server = urlsplit(database)
    relay = Relay(server.hostname or "localhost", server.port or 5432)
    yield relay
    relay.end()


@pytest.fixture(scope="module")
def up(database: str, relay: Relay, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """One that reaches the database, which is prepared, through the relay."""
    data = tmp_path_factory.mktemp("away") / "data"
    prepared = manage("showmigrations", "--data", str(data), DATABASE_URL=database)
    assert prepared.returncode == 0, prepared.stderr
    server = urlsplit(database)
    who = f"{server.netloc.rpartition('@')[0]}@" if "@" in server.netloc else ""
    url = server._replace(netloc=f"{who}127.0.0.1:{relay.port}").geturl()
    started = Up(data, DATABASE_URL=url)
    try:
        wait_until(started.answers)
        yield started
    finally:
        relay.recover()
        started.end()


CUTS: dict[str, Callable[[Relay], None]] = {"refused": Relay.refuse, "hanging": Relay.hang}


@pytest.fixture(params=list(CUTS.values()), ids=list(CUTS))
def away(request: pytest.FixtureRequest, up: Up, relay: Relay) -> Iterator[Up]:
    wait_until(lambda: asked(up, "GET", "/e/none")[0].status == 404)
    request.param(relay)
    yield up
    relay.recover()


def asked(up: Up, method: str, path: str, body: str | None = None) -> tuple[http.client.HTTPResponse, str]:
    """The answer of `up`, which comes within the patience of a person."""
    connection = http.client.HTTPConnection("127.0.0.1", up.port, timeout=PATIENCE)
    try:
        connection.request(method, path, body, {"Content-Type": "application/json", **ENGLISH_READER})
        response = connection.getresponse()
        return response, response.read().decode()
    finally:
        connection.close()


def test_a_page_says_so_in_both_languages_and_comes_back_by_itself(away: Up) -> None:
    response, page = asked(away, "GET", "/e/none")
    assert response.status == 503
    assert int(response.headers["Retry-After"]) == int(response.headers["Refresh"]) == 5
    assert response.headers["Cache-Control"] == "no-store"
    assert "La base de données ne répond pas" in page
    assert "The database is not responding" in page
    assert "This page reloads by itself." in page


def test_what_was_sent_is_said_to_be_lost_and_not_sent_again_unasked(away: Up) -> None:
    response, page = asked(away, "POST", "/api/tables/234567/hands", json.dumps(A_HAND))
    assert response.status == 503
    assert "Refresh" not in response.headers
    assert json.loads(page)["code"] == "database_away"


def test_programs_get_the_code_and_the_sentence(away: Up) -> None:
    response, body = asked(away, "GET", "/api/tables/234567")
    assert (response.status, response.headers["Retry-After"]) == (503, "5")
    assert json.loads(body) == {
        "code": "database_away", "field": None,
        "detail": "The database is not responding. Wait a moment.",
    }  # fmt: skip


def test_who_asks_again_once_it_is_back_is_served_and_no_traceback_was_printed(
    away: Up, relay: Relay
) -> None:
    asked(away, "GET", "/e/none")
    relay.recover()
    wait_until(lambda: asked(away, "GET", "/e/none")[0].status == 404)
    assert "Traceback" not in away.said()


def test_the_terminal_says_so_once_and_once_that_it_is_over(up: Up, relay: Relay) -> None:
    relay.refuse()
    wait_until(lambda: "The database server does not answer. Pages show this" in up.said())
    relay.recover()
    wait_until(lambda: "The database server answers again." in up.said())
