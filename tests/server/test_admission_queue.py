"""Admission queue for requests beyond the number that the server handles at once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from io import BytesIO
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.urls import path
from hypothesis import given
from hypothesis import strategies as st

from clubs.models import Account
from clubs.pages import public_page
from server.admission_queue import MAX_CONCURRENT, MAX_PER_SHARE, RESERVED_FOR_TABLES, AdmissionQueue, AdmittedHandler

PLACES = 3


async def run_pending() -> None:
    """Let the event loop run until every task waits."""
    for _ in range(5):
        await asyncio.sleep(0)


class Visits:
    """Visitors of an admission queue: those admitted stay until they are sent away."""

    def __init__(self, places: int, reserved: int = 0) -> None:
        self.line = AdmissionQueue(places, reserved)
        self.inside, self.came = set[str](), list[str]()
        self.present: dict[str, asyncio.Task[None]] = {}

    async def start_visit(self, name: str) -> None:
        self.present[name] = asyncio.create_task(self._visit(name))
        await run_pending()

    async def send_away(self, name: str) -> None:
        """Cancel the visit, whether admitted or still waiting."""
        self.present.pop(name).cancel()
        await run_pending()

    async def _visit(self, name: str) -> None:
        await self.line.enter(is_table=name.startswith("table"))
        self.came.append(name)
        self.inside.add(name)
        try:
            await asyncio.Event().wait()
        finally:
            self.inside.remove(name)
            self.line.leave(is_table=name.startswith("table"))


@pytest.mark.slow
@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("comes"), st.sampled_from(["table", "other"])),
            st.tuples(st.just("goes"), st.integers(0, 20)),
        )
    ),
    st.integers(0, PLACES - 1),
)
def test_queue_uses_every_place_in_arrival_order(events: list[tuple[str, Any]], reserved: int) -> None:
    async def run() -> None:
        visits = Visits(PLACES, reserved)
        for number, (event, value) in enumerate(events):
            if event == "comes":
                await visits.start_visit(f"{value} {number:03}")
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


def test_queue_admits_three_tables_per_other_request() -> None:
    async def run() -> list[str]:
        visits = Visits(1)
        for name in ("first", *(f"other {n}" for n in range(3)), *(f"table {n}" for n in range(7))):
            await visits.start_visit(name)
        while visits.present:
            await visits.send_away(visits.came[-1])
        return [name.partition(" ")[0] for name in visits.came[1:]]

    row = ["table"] * 3
    assert asyncio.run(run()) == [*row, "other", *row, "other", "table", "other"]


def test_table_enters_at_once_through_its_reserved_place() -> None:
    async def run() -> set[str]:
        visits = Visits(PLACES, reserved=1)
        for name in (*(f"other {n}" for n in range(9)), "table"):
            await visits.start_visit(name)
        return set(visits.inside)

    assert asyncio.run(run()) == {"other 0", "other 1", "table"}


class Hall:
    """Views that block until the test releases them, and a record of their requests."""

    def __init__(self) -> None:
        self.gate = threading.Semaphore(0)
        self.requests: list[str] = []
        self.sent: list[bytes] = []

    def view(self, request: HttpRequest, name: str) -> HttpResponse:
        self.requests.append(name)
        self.gate.acquire(timeout=20)
        self.sent.append(request.body)
        return HttpResponse(name)


@pytest.fixture
def hall(settings: Any) -> Hall:
    hall = Hall()
    view = public_page(hall.view)

    class Urls:
        urlpatterns = (path("<str:name>", view), path("t/<str:name>", view))

    settings.ROOT_URLCONF = Urls
    settings.MIDDLEWARE = []
    return hall


class Client:
    """An ASGI request; ``leave`` closes the client's end of the connection."""

    def __init__(
        self,
        application: Callable[..., Coroutine[Any, Any, None]],
        address: str,
        sent: bytes = b"",
        headers: Sequence[tuple[bytes, bytes]] = (),
    ) -> None:
        self._gone = asyncio.Event()
        self._heard, self._sent = 0, sent
        self.body = b""
        scope = {
            "type": "http", "method": "POST" if sent else "GET",
            "path": address, "raw_path": address.encode(),
            "query_string": b"", "headers": [(b"host", b"testserver"), *headers], "http_version": "1.1",
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


async def wait_until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 (another thread says so)
            await asyncio.sleep(0.01)


@pytest.mark.django_db
def test_tables_are_served_first_and_departed_clients_never(hall: Hall) -> None:
    async def run() -> list[bytes]:
        django = AdmittedHandler()
        inside = [Client(django, f"/first-{number}") for number in range(MAX_CONCURRENT - RESERVED_FOR_TABLES)]
        inside += [Client(django, f"/t/first-{number}") for number in range(RESERVED_FOR_TABLES)]
        await wait_until(lambda: len(hall.requests) == MAX_CONCURRENT)
        late = [Client(django, address) for address in ("/somebody", "/gone", "/t/table")]
        await asyncio.sleep(0.05)
        assert len(hall.requests) == MAX_CONCURRENT
        late[1].leave()
        await late[1].task
        hall.gate.release()
        await wait_until(lambda: "table" in hall.requests)
        assert not {"somebody", "gone"} & set(hall.requests)
        hall.gate.release(MAX_CONCURRENT + 1)
        clients = [*inside, late[0], late[2]]
        await wait_until(lambda: all(client.body for client in clients))
        for client in clients:
            client.leave()
            await client.task
        return [client.body for client in clients]

    answers = asyncio.run(run())
    assert answers[-2:] == [b"somebody", b"table"]
    assert "gone" not in hall.requests


LARGE = (b"content-length", b"65536")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "headers",
    [
        [[(b"cookie", b"sessionid=a")]] * 4,
        [[(b"authorization", b"Bearer a")]] * 4,
        [[(b"cookie", b"sessionid=%d" % number), LARGE] for number in range(4)],
    ],
    ids=["session", "key", "large bodies"],
)
def test_one_sender_never_takes_all_places(hall: Hall, headers: list[list[tuple[bytes, bytes]]]) -> None:
    async def run() -> None:
        django = AdmittedHandler()
        clients = [Client(django, f"/busy-{number}", headers=each) for number, each in enumerate(headers)]
        await wait_until(lambda: len(hall.requests) == MAX_PER_SHARE)
        clients[MAX_PER_SHARE].leave()  # while it waits
        await clients[MAX_PER_SHARE].task
        clients += [Client(django, "/another"), Client(django, "/t/table", headers=headers[0])]
        await wait_until(lambda: {"another", "table"} <= set(hall.requests))
        assert hall.requests.count("busy-3") == 0
        hall.gate.release(len(clients))
        await wait_until(lambda: "busy-3" in hall.requests)
        for client in clients:
            client.leave()
            with suppress(asyncio.CancelledError):
                await client.task

    asyncio.run(run())
    assert f"busy-{MAX_PER_SHARE}" not in hall.requests


@pytest.mark.django_db
def test_one_table_never_takes_all_places(hall: Hall) -> None:
    async def run() -> None:
        django = AdmittedHandler()
        busy = [Client(django, "/t/busy") for _ in range(MAX_CONCURRENT)]
        await wait_until(lambda: len(hall.requests) == MAX_PER_SHARE)
        other = Client(django, "/t/other")
        await wait_until(lambda: "other" in hall.requests)
        assert hall.requests.count("busy") == MAX_PER_SHARE
        hall.gate.release(MAX_CONCURRENT + 1)
        await wait_until(lambda: len(hall.requests) == MAX_CONCURRENT + 1)
        for client in [*busy, other]:
            client.leave()
            with suppress(asyncio.CancelledError):
                await client.task

    asyncio.run(run())


@pytest.mark.django_db
def test_sessions_of_one_account_share_its_places(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    def sign_in(request: HttpRequest) -> HttpResponse:
        request._cached_user = request.user = account  # type: ignore[attr-defined]  # as a session's middleware does
        return hall.view(request, request.path_info.strip("/"))

    async def run() -> None:
        django = AdmittedHandler()
        monkeypatch.setattr(django, "get_response", sign_in)
        sessions = [[(b"cookie", b"sessionid=%d" % number)] for number in range(4)]
        hall.gate.release(len(sessions))
        clients = [Client(django, "/known", headers=session) for session in sessions]
        await wait_until(lambda: all(client.body for client in clients))
        clients += [Client(django, "/busy", headers=session) for session in sessions]
        await wait_until(lambda: hall.requests.count("busy") == MAX_PER_SHARE)
        clients.append(Client(django, "/other", headers=[(b"cookie", b"sessionid=other")]))
        await wait_until(lambda: "other" in hall.requests)
        assert hall.requests.count("busy") == MAX_PER_SHARE
        hall.gate.release(len(clients))
        await wait_until(lambda: all(client.body for client in clients))
        for client in clients:
            client.leave()
            with suppress(asyncio.CancelledError):
                await client.task

    account = Account(pk=1)
    asyncio.run(run())


@pytest.mark.django_db
def test_departed_client_holds_its_place_until_the_thread_ends(hall: Hall) -> None:
    async def run() -> None:
        django = AdmittedHandler()
        inside = [Client(django, f"/t/first-{number}") for number in range(MAX_CONCURRENT)]
        await wait_until(lambda: len(hall.requests) == MAX_CONCURRENT)
        for client in inside:
            client.leave()
        next_one = Client(django, "/next")
        await asyncio.sleep(0.1)
        assert "next" not in hall.requests
        hall.gate.release(MAX_CONCURRENT + 1)
        await wait_until(lambda: next_one.body == b"next")
        next_one.leave()
        for client in [*inside, next_one]:
            with suppress(asyncio.CancelledError):
                await client.task

    asyncio.run(run())


@pytest.mark.parametrize(
    "charset", ["", "=utf8", "=rot13", "=undefined", "=idna", "=nonsense", "*=utf-8''%00", "*=nonsense''%41"]
)
@pytest.mark.parametrize("content_type", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_form_is_read_as_utf_8_whatever_charset_it_names(content_type: str, charset: str) -> None:
    part = 'Content-Disposition: form-data; name="code"\r\n\r\né'
    body = ("code=é" if "url" in content_type else f"--x\r\n{part}\r\n--x--\r\n").encode()
    headers = [(b"content-type", f"{content_type}; charset{charset}".encode())]
    headers += [(b"content-length", str(len(body)).encode())]
    scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": headers}
    request, refusal = AdmittedHandler().create_request(scope, BytesIO(body))
    assert request is not None, refusal
    assert request.POST["code"] == "é"


@pytest.mark.django_db
def test_request_body_is_read_although_the_client_left(hall: Hall) -> None:
    async def run() -> None:
        client = Client(AdmittedHandler(), "/t/table", b"tricks=6")
        await wait_until(lambda: hall.requests == ["table"])
        client.leave()
        await asyncio.sleep(0.05)
        hall.gate.release()
        await client.task

    asyncio.run(run())
    assert hall.sent == [b"tricks=6"]
