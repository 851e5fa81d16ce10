"""Public pages and fragments are answered without Django while nothing changes, and no longer."""

from __future__ import annotations

import http.client
import logging
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass

import pytest
from django.core.handlers.asgi import ASGIHandler
from django.core.signals import request_started

from engine.visibility import Release
from tests.builders import a_running_night, matches_of, play
from tests.journeys.hall import Server
from tests.live.test_streams import server
from tests.support.waiting import wait_until
from tournaments.models import Event
from tournaments.publishing.services.publishing import change_release

__all__ = ["server"]
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("another connection reads what this one commits"),
    pytest.mark.slow,
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    status: int
    etag: str
    body: bytes
    headers: frozenset[str]


@pytest.fixture
def asked_django() -> Iterator[list[str]]:
    """The addresses that Django was asked for meanwhile."""
    asked: list[str] = []

    def note(scope: dict[str, str], **_: object) -> None:
        asked.append(scope["path"])

    request_started.connect(note)
    yield asked
    request_started.disconnect(note)


def ask(server: Server, address: str, known: str = "", **headers: str) -> Answer:
    """As the page's own script asks."""
    headers = {"HX-Request": "true", "Accept-Language": "en", "If-None-Match": known} | headers
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)) as connection:
        connection.request("GET", address, headers={name: value for name, value in headers.items() if value})
        answer = connection.getresponse()
        names = frozenset(name.lower() for name, _ in answer.getheaders()) - {"date", "server", "connection"}
        return Answer(
            status=answer.status, etag=answer.headers.get("ETag", ""), body=answer.read(), headers=names
        )


def ask_until_kept(server: Server, address: str, asked: list[str], **headers: str) -> Answer:
    """Until it is answered without Django: the process has looked which revision is the newest."""
    for _ in range(100):
        asked.clear()
        answer = ask(server, address, **headers)
        if not asked:
            return answer
    pytest.fail("Django was asked each time")


@pytest.fixture
def event(server: Server) -> Event:
    return a_running_night(4)


def test_it_is_as_django_answers_it(server: Server, event: Event, asked_django: list[str]) -> None:
    first = ask(server, f"/e/{event.short}")
    kept = ask_until_kept(server, f"/e/{event.short}", asked_django)
    assert kept == first
    assert ask(server, f"/e/{event.short}", kept.etag).status == 304
    assert not asked_django


def test_one_that_django_sends_in_pieces_is_kept_whole(
    server: Server, event: Event, asked_django: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it does with the tables of a large event."""
    monkeypatch.setattr(ASGIHandler, "chunk_size", 1_000)
    address = f"/e/{event.short}"
    first = ask(server, address)
    assert len(first.body) > ASGIHandler.chunk_size
    assert ask_until_kept(server, address, asked_django) == first


def test_who_has_it_is_told_so_as_by_django(server: Server, event: Event, asked_django: list[str]) -> None:
    address = f"/e/{event.short}/rounds/1"
    etag = ask(server, address).etag
    by_django = ask(server, address, etag, **{"Accept-Language": "en;q=0.9"})
    ask_until_kept(server, address, asked_django)
    kept = ask(server, address, etag)
    assert (
        (kept.status, kept.etag, kept.body)
        == (304, etag, b"")
        == (by_django.status, by_django.etag, by_django.body)
    )
    assert {"etag", "cache-control", "vary", "charlemagne"} <= kept.headers <= by_django.headers
    assert not asked_django


def test_it_is_made_anew_at_once_after_a_change(
    server: Server, event: Event, asked_django: list[str]
) -> None:
    address = f"/e/{event.short}/rounds/1/tables/1"
    for count in (1, 2):
        before = ask_until_kept(server, address, asked_django)
        play(matches_of(event)[0], "A 6 7")
        after = ask(server, address, before.etag)
        assert (after.status, after.body.count(b'scope="row"')) == (200, count)


def test_however_many_ask_at_once_django_is_asked_for_all_of_them(
    server: Server, event: Event, asked_django: list[str]
) -> None:
    """Once for those who came first, and once for those who came while that was being made."""
    address = f"/e/{event.short}/rounds/1/tables/1"
    before = ask_until_kept(server, address, asked_django)
    play(matches_of(event)[0], "A 6 7")
    with ThreadPoolExecutor(40) as crowd:
        answers = list(crowd.map(lambda _: ask(server, address, before.etag), range(40)))
    assert {(each.status, each.body.count(b'scope="row"')) for each in answers} == {(200, 1)}
    assert len({each.etag for each in answers}) == 1
    assert 1 <= len(asked_django) <= 2


def test_who_goes_away_leaves_nobody_without_an_answer(
    server: Server, event: Event, asked_django: list[str]
) -> None:
    address = f"/e/{event.short}/rounds/1/tables/1"
    ask_until_kept(server, address, asked_django)
    play(matches_of(event)[0], "A 6 7")
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", server.port)) as gone:
            lines = (f"GET {address} HTTP/1.1", "Host: 127.0.0.1", "HX-Request: true", "Accept-Language: en")
            gone.sendall("\r\n".join([*lines, "\r\n"]).encode())
    assert ask(server, address).body.count(b'scope="row"') == 1


def test_each_language_and_each_question_has_its_own(
    server: Server, event: Event, asked_django: list[str]
) -> None:
    address = f"/e/{event.short}"
    kept = [
        ask_until_kept(server, asked, asked_django, **headers)
        for asked, headers in (
            (address, {}),
            (address, {"Accept-Language": "fr"}),
            (f"{address}?who=paul", {}),
            (f"{address}/standings", {}),
        )
    ]
    assert len({each.body for each in kept}) == 4
    by_cookie = ask_until_kept(server, address, asked_django, Cookie="a=b; django_language=fr")
    assert by_cookie.body == kept[1].body


@pytest.mark.parametrize(
    "cookie", ["django_language=en; django_language=fr", "django_language =fr", "x; =; "]
)
def test_an_odd_question_spoils_nobody_elses_answer(
    server: Server, event: Event, asked_django: list[str], cookie: str
) -> None:
    address = f"/e/{event.short}"
    ask(server, address, Cookie=cookie)
    ask_until_kept(server, address, asked_django, Cookie=cookie)
    assert b"Tables of round" in ask(server, address).body
    assert b"Tables of round" in ask(server, address, Cookie="django_language=en").body


def test_the_desk_and_a_page_of_somebodys_own_are_djangos(
    server: Server, event: Event, asked_django: list[str]
) -> None:
    ask_until_kept(server, f"/e/{event.short}", asked_django)
    for address in (f"/e/{event.short}/desk", f"/e/{event.short}/mine"):
        for _ in range(3):
            asked_django.clear()
            ask(server, address)
            assert asked_django == [address]


def test_a_whole_page_is_another_than_its_fragment(
    server: Server, event: Event, asked_django: list[str]
) -> None:
    address = f"/e/{event.short}"
    fragment = ask_until_kept(server, address, asked_django)
    page = ask_until_kept(server, address, asked_django, **{"HX-Request": ""})
    assert (b"<!DOCTYPE html>" in page.body, b"<!DOCTYPE html>" in fragment.body) == (True, False)
    assert page.etag != fragment.etag
    assert ask_until_kept(server, address, asked_django) == fragment
    assert ask(server, address, page.etag, **{"HX-Request": ""}).status == 304
    assert not asked_django


def test_a_whole_page_says_at_once_what_is_new(server: Server, event: Event, asked_django: list[str]) -> None:
    address, whole = f"/e/{event.short}/rounds/1/tables/1", {"HX-Request": ""}
    before = ask_until_kept(server, address, asked_django, **whole)
    play(matches_of(event)[0], "A 6 7")
    after = ask(server, address, before.etag, **whole)
    assert (after.status, after.body.count(b'scope="row"')) == (200, 1)


def test_it_is_nobodys_once_the_event_is_hidden(
    server: Server, event: Event, asked_django: list[str]
) -> None:
    kept = ask_until_kept(server, f"/e/{event.short}", asked_django)
    change_release(event_id=event.pk, release=Release(is_public=False))
    assert ask(server, f"/e/{event.short}", kept.etag).status == 404


def test_it_is_counted_among_the_requests_of_its_route(
    server: Server, event: Event, asked_django: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    address = f"/e/{event.short}"
    ask_until_kept(server, address, asked_django)
    with caplog.at_level(logging.INFO, "charlemagne.requests"):
        ask(server, address)
        wait_until(lambda: bool(caplog.records))  # the line is written after the answer was sent
    (line,) = caplog.records
    assert (line.said["route"], asked_django) == ("e/<slug:short>", [])  # type: ignore[attr-defined]
