"""Streams: who listens hears at once that there is another revision, as far as it is theirs to know."""

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
from live.streams import Streams, stream_path
from tests.builders import a_club, a_running_night, an_account, matches_of, play, play_round, standings_after
from tests.journeys.hall import Server
from tests.support.browser import Browser
from tests.support.streams import Listener
from tests.support.waiting import wait_until
from tournaments.models import Event
from tournaments.publishing.services.publishing import change_release
from tournaments.rounds.services.rounds import discard_draft, draw_round, publish_round

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("another connection reads what this one commits"),
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
    return a_running_night(4)


def watcher(server: Server, event: Event, page: str = "") -> Listener:
    """Somebody on a public page of it."""
    return Listener(server.port, f"/e/{event.short}{page}")


def helper(server: Server, event: Event) -> Listener:
    """Somebody at its desk."""
    owner = an_account()
    event.club.memberships.create(account=owner, role="owner")
    browser = Browser(account=owner)
    cookie = f"sessionid={browser.client.cookies['sessionid'].value}"
    return Listener(server.port, f"/e/{event.short}/desk", cookie=cookie)


@pytest.fixture
def looks() -> Iterator[list[set[str]]]:
    """The topics of each look of a hub into the database."""
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


@pytest.mark.parametrize("page", [*PAGES, "/board"])
def test_who_opens_a_page_hears_first_that_it_is_the_newest(server: Server, event: Event, page: str) -> None:
    with watcher(server, event, page) as listener:
        assert listener.hears() == listener.shown


def test_a_hand_is_heard_of_and_the_page_then_shows_that_revision(server: Server, event: Event) -> None:
    with watcher(server, event) as listener:
        listener.hears()
        play(matches_of(event)[0], "A 6 7")
        heard = listener.hears_another_than(listener.shown)
    with watcher(server, event) as next_one:
        assert next_one.shown == heard


def test_who_was_cut_off_hears_first_what_was_missed(server: Server, event: Event) -> None:
    with watcher(server, event) as listener:
        listener.hears()
    play(matches_of(event)[0], "A 6 7")
    with Listener(server.port, stream=listener.stream) as again:
        assert again.hears() not in ("", listener.shown)


def test_a_hand_has_the_revisions_of_its_own_event_read_and_of_no_other(
    server: Server, event: Event, looks: list[set[str]]
) -> None:
    """All that is watched is read twice a second, but not with each hand of a thousand nights."""
    other = a_running_night(4, club=a_club("Club de Matane"))
    with watcher(server, event) as listener, watcher(server, other) as theirs:
        listener.hears()
        theirs.hears()
        known = theirs.shown
        for match in matches_of(other):  # one of them between two looks at everything
            play(match, "A 6 7")
            known = theirs.hears_another_than(known)
        wait_until(lambda: any(topics >= {event.topic, other.topic} for topics in list(looks)))
    assert any(other.topic in topics and event.topic not in topics for topics in looks)


def test_a_change_of_another_event_is_not_heard_of(server: Server, event: Event) -> None:
    other = a_running_night(4, club=a_club("Club de Matane"))
    with watcher(server, event) as listener, watcher(server, other) as theirs:
        assert (listener.hears(), theirs.hears()) == (listener.shown, theirs.shown)
        play(matches_of(other)[0], "A 6 7")
        assert theirs.hears_another_than(theirs.shown)
        play(matches_of(event)[0], "A 6 7")
        only = listener.hears_another_than(listener.shown)
    with watcher(server, event) as next_one:
        assert next_one.shown == only


class TestADraft:
    @pytest.fixture
    def event(self, event: Event) -> Event:
        play_round(event)
        standings_after(event)
        return event

    def test_is_heard_of_at_the_desk_and_nowhere_else(self, server: Server, event: Event) -> None:
        with watcher(server, event) as everybody, helper(server, event) as desk:
            assert (everybody.hears(), desk.hears()) == (everybody.shown, desk.shown)
            draw_round(event_id=event.pk)
            assert desk.hears_another_than(desk.shown)
        with watcher(server, event) as next_one:
            assert next_one.hears() == next_one.shown == everybody.shown

    def test_changes_no_public_page_nor_its_entity_tag(self, event: Event) -> None:
        reader = Browser()
        before = {page: reader.open(f"/e/{event.short}{page}") for page in PAGES}
        draw_round(event_id=event.pk)
        discard_draft(event_id=event.pk, number=2)
        draw_round(event_id=event.pk, seed=5)
        for page, shown in before.items():
            tag = {"If-None-Match": shown.revision}
            assert reader.open(f"/e/{event.short}{page}", **tag).status == 304, page
            assert Browser().open(f"/e/{event.short}{page}").one("main").text == shown.one("main").text, page

    def test_is_everybodys_once_it_is_published(self, server: Server, event: Event) -> None:
        draw_round(event_id=event.pk)
        with watcher(server, event) as listener:
            listener.hears()
            publish_round(event_id=event.pk, number=2)
            assert listener.hears_another_than(listener.shown)


class TestNobodyHears:
    def test_of_what_nobody_made_up_for_them(self, server: Server, event: Event) -> None:
        with watcher(server, event) as listener:
            good = listener.stream
        for stream in ("/live/", "/live/x", good[:-1], good[:-2] + "AA", f"/live/event:{event.pk}"):
            with Listener(server.port, stream=stream) as nobody:
                assert nobody.answer.status == 404, stream

    def test_of_an_event_that_is_hidden_by_now(self, server: Server, event: Event) -> None:
        with watcher(server, event) as listener:
            listener.hears()
            change_release(event_id=event.pk, release=Release(is_public=False))
            assert listener.hears_another_than(listener.shown) == ""
        with Listener(server.port, stream=listener.stream) as again:
            assert again.answer.status == 404
        change_release(event_id=event.pk, release=Release())
        with Listener(server.port, stream=listener.stream) as again:
            assert again.hears() not in ("", listener.shown)

    def test_of_the_desk_by_what_a_public_page_says(self, server: Server, event: Event) -> None:
        with watcher(server, event) as everybody, helper(server, event) as desk:
            assert everybody.stream != desk.stream
            assert everybody.shown != desk.shown


async def no_application(*_: object) -> None:
    raise AssertionError("a stream is not Django's")


def test_a_reader_who_takes_nothing_any_more_is_let_go_and_keeps_nobody_waiting(event: Event) -> None:
    """At the border to the web server, whose connections wait in ``send``."""
    path = stream_path(Subject(event.topic, is_public=True), datetime.now(UTC))
    scope = {"type": "http", "method": "GET", "path": path, "headers": []}

    async def listen() -> list[bytes]:
        streams, told, stays = Streams(no_application), asyncio.Queue[bytes](), asyncio.Event()
        bodies = 0

        async def receive() -> dict[str, str]:
            await stays.wait()
            return {"type": "http.disconnect"}

        async def hand_over(message: MutableMapping[str, Any]) -> None:
            if message.get("body"):
                told.put_nowait(message["body"])

        async def hand_over_once(message: MutableMapping[str, Any]) -> None:
            nonlocal bodies
            bodies += message["type"] == "http.response.body"
            if bodies > 2:
                await stays.wait()

        stuck = asyncio.ensure_future(streams(dict(scope), receive, hand_over_once))
        other = asyncio.ensure_future(streams(dict(scope), receive, hand_over))
        heard = [await told.get(), await told.get()]
        await asyncio.to_thread(in_a_thread_of_its_own, partial(play, matches_of_event[0], "A 6 7"))
        heard.append(await told.get())
        await asyncio.wait_for(stuck, 60)
        stays.set()
        await other
        assert streams.watchers() == 0, "who has gone is waited for no more"
        return heard

    matches_of_event = matches_of(event)
    retry, first, second = asyncio.run(listen())
    assert retry.startswith(b"retry: ")
    assert first != second


def in_a_thread_of_its_own(work: Callable[[], object]) -> None:
    try:
        work()
    finally:
        connection.close()


def at_table(server: Server, event: Event, number: int) -> Listener:
    """A phone at that table."""
    return Listener(server.port, f"/t/{matches_of(event)[number - 1].card.code}")


def test_a_table_hears_of_its_own_marks_and_not_of_another_tables(server: Server, event: Event) -> None:
    with at_table(server, event, 1) as one, at_table(server, event, 2) as other:
        before, quiet = one.hears(), other.hears()
        play(matches_of(event)[0], "A 6 7")
        heard = one.hears_another_than(before)
        assert heard
        with Listener(server.port, stream=other.stream) as again:
            assert again.hears() == quiet


def test_every_table_hears_of_what_the_desk_changes(server: Server, event: Event) -> None:
    with at_table(server, event, 1) as listener:
        before = listener.hears()
        play_round(event)
        publish_round(event_id=event.pk, number=draw_round(event_id=event.pk).number)
        assert listener.hears_another_than(before)


def test_a_table_marks_on_where_nobody_else_may_watch(server: Server, event: Event) -> None:
    change_release(event_id=event.pk, release=Release(is_public=False))
    with at_table(server, event, 1) as listener:
        before = listener.hears()
        play(matches_of(event)[0], "A 6 7")
        assert listener.hears_another_than(before)
