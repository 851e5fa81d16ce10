"""Public pages and fragments are answered without Django as long as nothing changes."""

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
from live.asgi import Receive, Scope, Send
from live.response_cache import ResponseCache
from tests.builders import build_running_night, matches_of, play
from tests.journeys.hall import Server
from tests.live.test_streams import server
from tests.support.waiting import wait_until
from tournaments.models import Event
from tournaments.publishing.services.publishing import change_release

__all__ = ["server"]
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("reads by another connection"),
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
    """Yield a list to which each request that reaches Django adds its path."""
    paths: list[str] = []

    def note(scope: dict[str, str], **_: object) -> None:
        paths.append(scope["path"])

    request_started.connect(note)
    yield paths
    request_started.disconnect(note)


def send_request(server: Server, address: str, etag: str = "", **headers: str) -> Answer:
    """Send a request as the page's own script does."""
    headers = {"HX-Request": "true", "Accept-Language": "en", "If-None-Match": etag} | headers
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)) as connection:
        connection.request("GET", address, headers={name: value for name, value in headers.items() if value})
        answer = connection.getresponse()
        names = frozenset(name.lower() for name, _ in answer.getheaders()) - {"date", "server", "connection"}
        return Answer(status=answer.status, etag=answer.headers.get("ETag", ""), body=answer.read(), headers=names)


def ask_until_cached(server: Server, address: str, django_paths: list[str], **headers: str) -> Answer:
    """Send requests until one is answered without Django, once the process knows the newest revision."""
    for _ in range(100):
        django_paths.clear()
        answer = send_request(server, address, **headers)
        if not django_paths:
            return answer
    pytest.fail("Django was asked each time")


@pytest.fixture
def event(server: Server) -> Event:
    return build_running_night(4)


@pytest.mark.long
def test_cached_response_equals_the_django_response(server: Server, event: Event, asked_django: list[str]) -> None:
    first = send_request(server, f"/e/{event.short}")
    cached_answer = ask_until_cached(server, f"/e/{event.short}", asked_django)
    assert cached_answer == first
    assert send_request(server, f"/e/{event.short}", cached_answer.etag).status == 304
    assert not asked_django


def test_chunked_response_is_cached_completely(
    server: Server, event: Event, asked_django: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check a response that Django sends in several chunks, as it does with the tables of a large event."""
    monkeypatch.setattr(ASGIHandler, "chunk_size", 1_000)
    address = f"/e/{event.short}"
    first = send_request(server, address)
    assert len(first.body) > ASGIHandler.chunk_size
    assert ask_until_cached(server, address, asked_django) == first


@pytest.mark.long
def test_cache_answers_304_like_django(server: Server, event: Event, asked_django: list[str]) -> None:
    address = f"/e/{event.short}/rounds/1"
    etag = send_request(server, address).etag
    by_django = send_request(server, address, etag, **{"Accept-Language": "en;q=0.9"})
    ask_until_cached(server, address, asked_django)
    cached_answer = send_request(server, address, etag)
    assert (
        (cached_answer.status, cached_answer.etag, cached_answer.body)
        == (304, etag, b"")
        == (by_django.status, by_django.etag, by_django.body)
    )
    assert {"etag", "cache-control", "vary", "charlemagne"} <= cached_answer.headers <= by_django.headers
    assert not asked_django


@pytest.mark.long
def test_change_refreshes_the_cached_response_immediately(
    server: Server, event: Event, asked_django: list[str]
) -> None:
    address = f"/e/{event.short}/rounds/1/tables/1"
    for count in (1, 2):
        before = ask_until_cached(server, address, asked_django)
        play(matches_of(event)[0], "A 6 7")
        after = send_request(server, address, before.etag)
        assert (after.status, after.body.count(b'scope="row"')) == (200, count)


def test_concurrent_readers_reach_django_at_most_twice(
    server: Server, event: Event, asked_django: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that Django renders for the first readers, and once more for all who come during that."""
    address, received = f"/e/{event.short}/rounds/1/tables/1", []
    before = ask_until_cached(server, address, asked_django)
    play(matches_of(event)[0], "A 6 7")
    answer = ResponseCache.answer

    async def note_and_answer(cache: ResponseCache, scope: Scope, receive: Receive, send: Send) -> None:
        received.append(scope["path"])
        await answer(cache, scope, receive, send)

    def wait_for_all_readers(**_: object) -> None:
        wait_until(lambda: len(received) == 40)

    monkeypatch.setattr(ResponseCache, "answer", note_and_answer)
    request_started.connect(wait_for_all_readers)
    with ThreadPoolExecutor(40) as crowd:
        answers = list(crowd.map(lambda _: send_request(server, address, before.etag), range(40)))
    request_started.disconnect(wait_for_all_readers)
    assert {(each.status, each.body.count(b'scope="row"')) for each in answers} == {(200, 1)}
    assert len({each.etag for each in answers}) == 1
    assert 1 <= len(asked_django) <= 2


@pytest.mark.long
def test_disconnected_reader_does_not_block_the_next(server: Server, event: Event, asked_django: list[str]) -> None:
    address = f"/e/{event.short}/rounds/1/tables/1"
    ask_until_cached(server, address, asked_django)
    play(matches_of(event)[0], "A 6 7")
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", server.port)) as gone:
            lines = (f"GET {address} HTTP/1.1", "Host: 127.0.0.1", "HX-Request: true", "Accept-Language: en")
            gone.sendall("\r\n".join([*lines, "\r\n"]).encode())
    assert send_request(server, address).body.count(b'scope="row"') == 1


@pytest.mark.long
def test_cache_separates_languages_and_parameters(server: Server, event: Event, asked_django: list[str]) -> None:
    address = f"/e/{event.short}"
    cached_answers = [
        ask_until_cached(server, path, asked_django, **headers)
        for path, headers in (
            (address, {}),
            (address, {"Accept-Language": "fr"}),
            (f"{address}?who=paul", {}),
            (f"{address}/standings", {}),
        )
    ]
    assert len({each.body for each in cached_answers}) == 4
    by_cookie = ask_until_cached(server, address, asked_django, Cookie="a=b; django_language=fr")
    assert by_cookie.body == cached_answers[1].body


@pytest.mark.long
@pytest.mark.parametrize("cookie", ["django_language=en; django_language=fr", "django_language =fr", "x; =; "])
def test_malformed_cookie_does_not_affect_other_readers(
    server: Server, event: Event, asked_django: list[str], cookie: str
) -> None:
    address = f"/e/{event.short}"
    send_request(server, address, Cookie=cookie)
    ask_until_cached(server, address, asked_django, Cookie=cookie)
    assert b"Tables of round" in send_request(server, address).body
    assert b"Tables of round" in send_request(server, address, Cookie="django_language=en").body


@pytest.mark.long
def test_desk_and_own_pages_bypass_the_cache(server: Server, event: Event, asked_django: list[str]) -> None:
    ask_until_cached(server, f"/e/{event.short}", asked_django)
    for address in (f"/e/{event.short}/desk", f"/e/{event.short}/mine"):
        for _ in range(3):
            asked_django.clear()
            send_request(server, address)
            assert asked_django == [address]


@pytest.mark.long
def test_full_page_and_fragment_are_cached_separately(server: Server, event: Event, asked_django: list[str]) -> None:
    address = f"/e/{event.short}"
    fragment = ask_until_cached(server, address, asked_django)
    page = ask_until_cached(server, address, asked_django, **{"HX-Request": ""})
    assert (b"<!DOCTYPE html>" in page.body, b"<!DOCTYPE html>" in fragment.body) == (True, False)
    assert page.etag != fragment.etag
    assert ask_until_cached(server, address, asked_django) == fragment
    assert send_request(server, address, page.etag, **{"HX-Request": ""}).status == 304
    assert not asked_django


@pytest.mark.long
def test_cached_full_page_shows_a_change_immediately(server: Server, event: Event, asked_django: list[str]) -> None:
    address, whole = f"/e/{event.short}/rounds/1/tables/1", {"HX-Request": ""}
    before = ask_until_cached(server, address, asked_django, **whole)
    play(matches_of(event)[0], "A 6 7")
    after = send_request(server, address, before.etag, **whole)
    assert (after.status, after.body.count(b'scope="row"')) == (200, 1)


def test_hidden_event_is_removed_from_the_cache(server: Server, event: Event, asked_django: list[str]) -> None:
    cached_answer = ask_until_cached(server, f"/e/{event.short}", asked_django)
    change_release(event_id=event.pk, release=Release(is_public=False))
    assert send_request(server, f"/e/{event.short}", cached_answer.etag).status == 404


@pytest.mark.long
def test_cached_response_is_logged_under_its_route(
    server: Server, event: Event, asked_django: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    address = f"/e/{event.short}"
    ask_until_cached(server, address, asked_django)
    with caplog.at_level(logging.INFO, "charlemagne.requests"):
        send_request(server, address)
        wait_until(lambda: bool(caplog.records))  # the line is logged after the response was sent
    (line,) = caplog.records
    assert (line.fields["route"], asked_django) == ("e/<slug:short>", [])  # type: ignore[attr-defined]
