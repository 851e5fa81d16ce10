"""Streams: each listener hears at once of a new revision that it may see."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, MutableMapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.db.backends.signals import connection_created

from engine.visibility import Release
from live.hub import Subject
from live.streams import Streams, build_stream_path
from tests.builders import (
    build_account,
    build_club,
    build_running_night,
    compute_standings,
    matches_of,
    play,
    play_round,
)
from tests.journeys.hall import Server
from tests.support.browser import Browser
from tests.support.streams import Listener
from tests.support.waiting import wait_until
from tournaments.models import Event
from tournaments.publishing.services.publishing import change_release
from tournaments.rounds.services.rounds import discard_draft, draw_round, publish_round

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("reads by another connection"),
    pytest.mark.slow,
]


@pytest.fixture
def server(transactional_db: None) -> Iterator[Server]:
    server = Server()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def event(server: Server) -> Event:
    return build_running_night(4)


def open_watcher(server: Server, event: Event, page: str = "") -> Listener:
    """Listen to a public page of the event."""
    return Listener(server.port, f"/e/{event.short}{page}")


def open_helper(server: Server, event: Event) -> Listener:
    """Listen to the desk of the event, as an owner."""
    owner = build_account()
    event.club.memberships.create(account=owner, role="owner")
    browser = Browser(account=owner)
    cookie = f"sessionid={browser.client.cookies['sessionid'].value}"
    return Listener(server.port, f"/e/{event.short}/desk", cookie=cookie)


@pytest.fixture
def looks() -> Iterator[list[set[str]]]:
    """Yield a list of the topics of each query that a hub sends to the database."""
    seen: list[set[str]] = []

    def note(execute: Any, sql: str, topics: Any, many: bool, context: Any) -> Any:
        if "live_revision" in sql:
            seen.append(set(topics))
        return execute(sql, topics, many, context)

    def listen(connection: Any, **_: Any) -> None:
        if threading.current_thread().name.startswith("live"):
            connection.execute_wrappers.append(note)

    connection_created.connect(listen)
    yield seen
    connection_created.disconnect(listen)


PAGES = ("", "/rounds/1", "/rounds/1/tables/1", "/standings", "/charts")


@pytest.mark.long
@pytest.mark.parametrize("page", [*PAGES, "/board"])
def test_stream_starts_with_the_current_revision(server: Server, event: Event, page: str) -> None:
    with open_watcher(server, event, page) as listener:
        assert listener.read_revision() == listener.shown_revision


@pytest.mark.long
def test_hand_announces_the_revision_that_the_page_then_shows(server: Server, event: Event) -> None:
    with open_watcher(server, event) as listener:
        listener.read_revision()
        play(matches_of(event)[0], "A 6 7")
        heard = listener.read_new_revision(listener.shown_revision)
    with open_watcher(server, event) as next_one:
        assert next_one.shown_revision == heard


@pytest.mark.long
def test_reconnected_stream_starts_with_the_missed_revision(server: Server, event: Event) -> None:
    with open_watcher(server, event) as listener:
        listener.read_revision()
    play(matches_of(event)[0], "A 6 7")
    with Listener(server.port, stream=listener.stream) as again:
        assert again.read_revision() not in ("", listener.shown_revision)


def test_hand_reads_revisions_of_its_own_event_only(server: Server, event: Event, looks: list[set[str]]) -> None:
    """Check that a hand reads its own event only.

    All watched topics are read twice a second, which is too much to do with each hand of a thousand nights.
    """
    other = build_running_night(4, club=build_club("Club de Matane"))
    with open_watcher(server, event) as listener, open_watcher(server, other) as theirs:
        listener.read_revision()
        theirs.read_revision()
        revision = theirs.shown_revision
        for match in matches_of(other):  # one of them is between two reads of all topics
            play(match, "A 6 7")
            revision = theirs.read_new_revision(revision)
        wait_until(lambda: any(topics >= {event.topic, other.topic} for topics in list(looks)))
    assert any(other.topic in topics and event.topic not in topics for topics in looks)


@pytest.mark.long
def test_stream_ignores_changes_of_other_events(server: Server, event: Event) -> None:
    other = build_running_night(4, club=build_club("Club de Matane"))
    with open_watcher(server, event) as listener, open_watcher(server, other) as theirs:
        assert (listener.read_revision(), theirs.read_revision()) == (listener.shown_revision, theirs.shown_revision)
        play(matches_of(other)[0], "A 6 7")
        assert theirs.read_new_revision(theirs.shown_revision)
        play(matches_of(event)[0], "A 6 7")
        only = listener.read_new_revision(listener.shown_revision)
    with open_watcher(server, event) as next_one:
        assert next_one.shown_revision == only


class TestDraftRevisions:
    @pytest.fixture
    def event(self, event: Event) -> Event:
        play_round(event)
        compute_standings(event)
        return event

    @pytest.mark.long
    def test_draft_is_announced_at_the_desk_only(self, server: Server, event: Event) -> None:
        with open_watcher(server, event) as everybody, open_helper(server, event) as desk:
            assert (everybody.read_revision(), desk.read_revision()) == (everybody.shown_revision, desk.shown_revision)
            draw_round(event_id=event.pk)
            assert desk.read_new_revision(desk.shown_revision)
        with open_watcher(server, event) as next_one:
            assert next_one.read_revision() == next_one.shown_revision == everybody.shown_revision

    @pytest.mark.long
    def test_draft_leaves_public_pages_and_entity_tags_unchanged(self, event: Event) -> None:
        reader = Browser()
        before = {page: reader.open(f"/e/{event.short}{page}") for page in PAGES}
        draw_round(event_id=event.pk)
        discard_draft(event_id=event.pk, number=2)
        draw_round(event_id=event.pk, seed=5)
        for page, shown in before.items():
            tag = {"If-None-Match": shown.revision}
            assert reader.open(f"/e/{event.short}{page}", **tag).status == 304, page
            assert Browser().open(f"/e/{event.short}{page}").find_one("main").text == shown.find_one("main").text, page

    def test_published_round_is_announced_to_everyone(self, server: Server, event: Event) -> None:
        draw_round(event_id=event.pk)
        with open_watcher(server, event) as listener:
            listener.read_revision()
            publish_round(event_id=event.pk, number=2)
            assert listener.read_new_revision(listener.shown_revision)


class TestStreamAccess:
    def test_forged_stream_address_is_404(self, server: Server, event: Event) -> None:
        with open_watcher(server, event) as listener:
            good = listener.stream
        for stream in ("/live/", "/live/x", good[:-1], good[:-2] + "AA", f"/live/event:{event.pk}"):
            with Listener(server.port, stream=stream) as nobody:
                assert nobody.answer.status == 404, stream

    def test_hidden_event_closes_its_public_stream(self, server: Server, event: Event) -> None:
        with open_watcher(server, event) as listener:
            listener.read_revision()
            change_release(event_id=event.pk, release=Release(is_public=False))
            assert listener.read_new_revision(listener.shown_revision) == ""
        with Listener(server.port, stream=listener.stream) as again:
            assert again.answer.status == 404
        change_release(event_id=event.pk, release=Release())
        with Listener(server.port, stream=listener.stream) as again:
            assert again.read_revision() not in ("", listener.shown_revision)

    @pytest.mark.long
    def test_public_page_reveals_no_desk_stream(self, server: Server, event: Event) -> None:
        with open_watcher(server, event) as everybody, open_helper(server, event) as desk:
            assert everybody.stream != desk.stream
            assert everybody.shown_revision != desk.shown_revision


async def fail_application(*_: object) -> None:
    raise AssertionError("a stream is not Django's")


def test_stalled_reader_is_dropped_without_delaying_others(event: Event) -> None:
    """Check at the ASGI interface, where the web server lets a stalled connection wait in ``send``."""
    path = build_stream_path(Subject(event.topic, is_public=True), datetime.now(UTC))
    scope = {"type": "http", "method": "GET", "path": path, "headers": []}

    async def listen() -> list[bytes]:
        streams, body_queue, stays = Streams(fail_application), asyncio.Queue[bytes](), asyncio.Event()
        bodies = 0

        async def receive() -> dict[str, str]:
            await stays.wait()
            return {"type": "http.disconnect"}

        async def hand_over(message: MutableMapping[str, Any]) -> None:
            if message.get("body"):
                body_queue.put_nowait(message["body"])

        async def hand_over_once(message: MutableMapping[str, Any]) -> None:
            nonlocal bodies
            bodies += message["type"] == "http.response.body"
            if bodies > 2:
                await stays.wait()

        stuck = asyncio.ensure_future(streams(dict(scope), receive, hand_over_once))
        other = asyncio.ensure_future(streams(dict(scope), receive, hand_over))
        heard = [await body_queue.get(), await body_queue.get()]
        await asyncio.to_thread(run_in_thread, partial(play, matches_of_event[0], "A 6 7"))
        heard.append(await body_queue.get())
        await asyncio.wait_for(stuck, 60)
        stays.set()
        await other
        assert streams.count_watchers() == 0, "who has gone is waited for no more"
        return heard

    matches_of_event = matches_of(event)
    retry, first, second = asyncio.run(listen())
    assert retry.startswith(b"retry: ")
    assert first != second


def run_in_thread(work: Callable[[], object]) -> None:
    try:
        work()
    finally:
        connection.close()


def open_table_stream(server: Server, event: Event, number: int) -> Listener:
    """Listen at a table, as its phone does."""
    return Listener(server.port, f"/t/{matches_of(event)[number - 1].card.code}")


@pytest.mark.long
def test_table_stream_announces_only_its_own_marks(server: Server, event: Event) -> None:
    with open_table_stream(server, event, 1) as one, open_table_stream(server, event, 2) as other:
        before, quiet = one.read_revision(), other.read_revision()
        play(matches_of(event)[0], "A 6 7")
        heard = one.read_new_revision(before)
        assert heard
        with Listener(server.port, stream=other.stream) as again:
            assert again.read_revision() == quiet


@pytest.mark.long
def test_table_stream_announces_desk_changes(server: Server, event: Event) -> None:
    with open_table_stream(server, event, 1) as listener:
        before = listener.read_revision()
        play_round(event)
        publish_round(event_id=event.pk, number=draw_round(event_id=event.pk).number)
        assert listener.read_new_revision(before)


@pytest.mark.long
def test_table_stream_works_for_a_hidden_event(server: Server, event: Event) -> None:
    change_release(event_id=event.pk, release=Release(is_public=False))
    with open_table_stream(server, event, 1) as listener:
        before = listener.read_revision()
        play(matches_of(event)[0], "A 6 7")
        assert listener.read_new_revision(before)
