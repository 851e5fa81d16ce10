"""Admission when more requests come than are worked on at once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.urls import path
from hypothesis import given
from hypothesis import strategies as st

from clubs.access import for_everybody
from server.admission_queue import AT_ONCE, RESERVED, AdmissionQueue, AdmittedHandler

PLACES = 3


async def moment() -> None:
    """Until nothing more happens by itself."""
    for _ in range(5):
        await asyncio.sleep(0)


class Visits:
    """A line of so many places, and who was let in, in order; each stays until sent away."""

    def __init__(self, places: int, reserved: int = 0) -> None:
        self.line = AdmissionQueue(places, reserved)
        self.inside, self.came = set[str](), list[str]()
        self.present: dict[str, asyncio.Task[None]] = {}

    async def come(self, name: str) -> None:
        self.present[name] = asyncio.create_task(self._visit(name))
        await moment()

    async def send_away(self, name: str) -> None:
        """From inside, or out of the line."""
        self.present.pop(name).cancel()
        await moment()

    async def _visit(self, name: str) -> None:
        await self.line.enter(is_table=name.startswith("table"))
        self.came.append(name)
        self.inside.add(name)
        try:
            await asyncio.Event().wait()
        finally:
            self.inside.remove(name)
            self.line.leave(is_table=name.startswith("table"))


@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("comes"), st.sampled_from(["table", "other"])),
            st.tuples(st.just("goes"), st.integers(0, 20)),
        )
    ),
    st.integers(0, PLACES - 1),
)
def test_all_places_are_taken_while_somebody_waits_and_each_kind_is_let_in_as_it_came(
    events: list[tuple[str, Any]], reserved: int
) -> None:
    async def run() -> None:
        visits = Visits(PLACES, reserved)
        for number, (event, value) in enumerate(events):
            if event == "comes":
                await visits.come(f"{value} {number:03}")
            elif visits.present:
                await visits.send_away(list(visits.present)[value % len(visits.present)])
            tables = sum(name.startswith("table") for name in visits.present)
            others = min(PLACES - reserved, len(visits.present) - tables)
            assert len(visits.inside) == min(PLACES, tables + others)
            assert sum(name.startswith("other") for name in visits.inside) <= PLACES - reserved
            for kind in ("table", "other"):
                came = [name for name in visits.came if name.startswith(kind)]
                assert came == sorted(came)
        for task in visits.present.values():
            task.cancel()

    asyncio.run(run())


def test_three_tables_come_before_each_of_the_others_who_wait() -> None:
    async def run() -> list[str]:
        visits = Visits(1)
        for name in ("first", *(f"other {n}" for n in range(3)), *(f"table {n}" for n in range(7))):
            await visits.come(name)
        while visits.present:
            await visits.send_away(visits.came[-1])
        return [name.partition(" ")[0] for name in visits.came[1:]]

    row = ["table"] * 3
    assert asyncio.run(run()) == [*row, "other", *row, "other", "table", "other"]


def test_a_table_enters_at_once_while_others_fill_all_places_they_may_take() -> None:
    async def run() -> set[str]:
        visits = Visits(PLACES, reserved=1)
        for name in (*(f"other {n}" for n in range(9)), "table"):
            await visits.come(name)
        return set(visits.inside)

    assert asyncio.run(run()) == {"other 0", "other 1", "table"}


class Hall:
    """Views that stay until they are let go, and what they were asked."""

    def __init__(self) -> None:
        self.doors = threading.Semaphore(0)
        self.asked: list[str] = []
        self.sent: list[bytes] = []

    def view(self, request: HttpRequest, name: str) -> HttpResponse:
        self.asked.append(name)
        self.doors.acquire(timeout=20)
        self.sent.append(request.body)
        return HttpResponse(name)


@pytest.fixture
def hall(settings: Any) -> Hall:
    hall = Hall()
    view = for_everybody(hall.view)

    class Urls:
        urlpatterns = (path("<str:name>", view), path("t/<str:name>", view))

    settings.ROOT_URLCONF = Urls
    settings.MIDDLEWARE = []
    return hall


class Client:
    """One request; ``leave`` is the client's end of the connection closed."""

    def __init__(
        self, application: Callable[..., Coroutine[Any, Any, None]], address: str, sent: bytes = b""
    ) -> None:
        self._gone = asyncio.Event()
        self._heard, self._sent = 0, sent
        self.body = b""
        scope = {
            "type": "http", "method": "POST" if sent else "GET",
            "path": address, "raw_path": address.encode(),
            "query_string": b"", "headers": [(b"host", b"testserver")], "http_version": "1.1",
        }  # fmt: skip
        self.task = asyncio.create_task(application(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        self._heard += 1
        if self._heard == 1:
            return {"type": "http.request", "body": self._sent, "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        self.body += message.get("body", b"")

    def leave(self) -> None:
        self._gone.set()


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not holds():  # noqa: ASYNC110 (another thread says so)
            await asyncio.sleep(0.01)


@pytest.mark.django_db
def test_tables_come_before_others_and_who_has_left_is_not_served(hall: Hall) -> None:
    async def run() -> list[bytes]:
        django = AdmittedHandler()
        inside = [Client(django, f"/first-{number}") for number in range(AT_ONCE - RESERVED)]
        inside += [Client(django, f"/t/first-{number}") for number in range(RESERVED)]
        await until(lambda: len(hall.asked) == AT_ONCE)
        late = [Client(django, address) for address in ("/somebody", "/gone", "/t/table")]
        await asyncio.sleep(0.05)
        assert len(hall.asked) == AT_ONCE
        late[1].leave()
        await late[1].task
        hall.doors.release()
        await until(lambda: "table" in hall.asked)
        assert not {"somebody", "gone"} & set(hall.asked)
        hall.doors.release(AT_ONCE + 1)
        clients = [*inside, late[0], late[2]]
        await until(lambda: all(client.body for client in clients))
        for client in clients:
            client.leave()
            await client.task
        return [client.body for client in clients]

    answers = asyncio.run(run())
    assert answers[-2:] == [b"somebody", b"table"]
    assert "gone" not in hall.asked


@pytest.mark.django_db
def test_a_place_is_taken_as_long_as_its_thread_works_though_the_client_has_left(hall: Hall) -> None:
    async def run() -> None:
        django = AdmittedHandler()
        inside = [Client(django, f"/t/first-{number}") for number in range(AT_ONCE)]
        await until(lambda: len(hall.asked) == AT_ONCE)
        for client in inside:
            client.leave()
        next_one = Client(django, "/next")
        await asyncio.sleep(0.1)
        assert "next" not in hall.asked
        hall.doors.release(AT_ONCE + 1)
        await until(lambda: next_one.body == b"next")
        next_one.leave()
        for client in [*inside, next_one]:
            with suppress(asyncio.CancelledError):
                await client.task

    asyncio.run(run())


@pytest.mark.django_db
def test_what_was_sent_is_read_to_the_end_though_the_client_has_left(hall: Hall) -> None:
    async def run() -> None:
        client = Client(AdmittedHandler(), "/t/table", b"tricks=6")
        await until(lambda: hall.asked == ["table"])
        client.leave()
        await asyncio.sleep(0.05)
        hall.doors.release()
        await client.task

    asyncio.run(run())
    assert hall.sent == [b"tricks=6"]
