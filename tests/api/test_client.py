"""Python client: it matches the schema, needs only the standard library and retries unanswered requests."""

import ast
import subprocess
import sys
import zipfile
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from api.operations import OPERATIONS
from client import charlemagne_client
from client.charlemagne_client import (
    ApiRequest,
    ApiResponse,
    Client,
    ConnectionPool,
    Refused,
    Send,
    Unreachable,
    transport,
)
from clubs.services.people import PersonDetails, add_person
from operations.data_dir import PROJECT
from tests.api.program import create_secret
from tests.builders import build_account, build_club
from tools.api_client import PACKAGE, render_client_files
from tournaments.lifecycle import EventState
from tournaments.models import Event

SERVER_URL = "http://hall.example"


@pytest.mark.long
def test_client_files_match_the_schema() -> None:
    for path, text in render_client_files().items():
        assert path.read_text(encoding="utf-8") == text, "update it: python3 manage.py client"


def test_every_operation_is_a_method() -> None:
    operation_names: list[str] = []

    def record_request(request: ApiRequest) -> ApiResponse:
        operation_names.append(request.operation)
        return build_answer({"results": [], "next": None})

    client: Any = Client(SERVER_URL, send=record_request)
    for name, method in vars(Client).items():
        if not name.startswith("_"):
            places = method.__code__.co_posonlyargcount
            found = getattr(client, name)(*["1"] * max(0, places - 1))
            list(found)
    assert sorted(operation_names) == sorted(one.name for one in OPERATIONS)


def test_client_imports_only_the_standard_library() -> None:
    named = set()
    for path in PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                named |= {each.name for each in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                named.add(str(node.module))
    assert {name.partition(".")[0] for name in named} <= sys.stdlib_module_names


@pytest.mark.slow
def test_client_builds_as_its_own_package(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    made = subprocess.run(command, cwd=PROJECT / "client", capture_output=True, encoding="utf-8", check=False)
    assert made.returncode == 0, made.stderr
    (wheel,) = tmp_path.glob("charlemagne_client-*.whl")
    with zipfile.ZipFile(wheel) as files:
        names = {name for name in files.namelist() if "dist-info" not in name}
    ours = [*PACKAGE.glob("*.py"), PACKAGE / "py.typed"]
    assert names == {f"charlemagne_client/{path.name}" for path in ours}


def build_answer(body: str | dict[str, Any], *, status: int = 200, **headers: str) -> ApiResponse:
    kind = "application/problem+json" if status >= 400 else "application/json"
    text = body if isinstance(body, str) else to_json(body)
    return ApiResponse(status=status, headers={"content-type": kind, **headers}, body=text.encode())


def to_json(body: dict[str, Any]) -> str:
    return str(body).replace("'", '"').replace("None", "null")


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Skip the client's pauses, and return the list that records their lengths."""
    made: list[float] = []
    monkeypatch.setattr("time.sleep", made.append)
    return made


def build_sender(*answers: ApiResponse | Exception) -> tuple[list[ApiRequest], Send]:
    """Return a log of the requests, and a sender that gives each of these answers once, in order."""
    requests: list[ApiRequest] = []

    def send(request: ApiRequest) -> ApiResponse:
        requests.append(request)
        answer = answers[len(requests) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer

    return requests, send


def test_unanswered_write_is_retried_with_its_key(pauses: list[float]) -> None:
    requests, send = build_sender(ConnectionResetError(), HTTPException(), build_answer({"id": 1}))
    Client(SERVER_URL, send=send).undo_of_club("club", 3)
    assert len(requests) == 3
    assert len({request.headers["Idempotency-Key"] for request in requests}) == 1


def test_writes_get_distinct_keys_unless_one_is_given() -> None:
    requests, send = build_sender(*[build_answer({"id": 1})] * 3)
    client = Client(SERVER_URL, send=send)
    client.undo_of_club("club", 3)
    client.undo_of_club("club", 3)
    client.undo_of_club("club", 3, key="6f1c1ad8-8f8e-4a0c-9a55-5b4b3c8f3c11")
    first, second, third = (request.headers["Idempotency-Key"] for request in requests)
    assert first != second
    assert third == "6f1c1ad8-8f8e-4a0c-9a55-5b4b3c8f3c11"


def test_client_retries_after_the_servers_delay(pauses: list[float]) -> None:
    later = build_answer({"code": "too_many_requests"}, status=429, **{"retry-after": "7"})
    _, send = build_sender(later, build_answer({"id": 1}))
    Client(SERVER_URL, send=send).undo_of_club("club", 3)
    assert pauses == [7.0]


def test_client_does_not_wait_minutes_after_wrong_guesses(pauses: list[float]) -> None:
    guessed = build_answer({"code": "too_many_guesses"}, status=429, **{"retry-after": "580"})
    _, send = build_sender(guessed)
    with pytest.raises(Refused, match="too_many_guesses"):
        Client(SERVER_URL, send=send).get_table("123456")
    assert pauses == []


def test_unreachable_server_raises_after_the_last_attempt(pauses: list[float]) -> None:
    _, send = build_sender(*[ConnectionRefusedError()] * transport.ATTEMPTS)
    with pytest.raises(Unreachable):
        Client(SERVER_URL, send=send).get_me()
    assert len(pauses) == transport.ATTEMPTS - 1


def test_captive_portal_answer_is_refused() -> None:
    portal = ApiResponse(status=200, headers={"content-type": "text/html"}, body=b"<h1>Free Wi-Fi</h1>")
    _, send = build_sender(portal)
    with pytest.raises(Refused, match="text/html"):
        Client(SERVER_URL, send=send).get_me()


def test_path_arguments_are_quoted() -> None:
    requests, send = build_sender(build_answer({"id": "x"}))
    Client(SERVER_URL, send=send).get_event("a/b?c")
    assert requests[0].path == "/api/v1/events/a%2Fb%3Fc"


def drop_answers(send: Send, loses: Callable[[ApiRequest], bool]) -> tuple[list[ApiRequest], Send]:
    """Return a log of the requests, and a sender that loses the first answer to those that ``loses`` selects.

    The server has handled such a request before its answer is lost.
    """
    requests: list[ApiRequest] = []

    def send_request(request: ApiRequest) -> ApiResponse:
        is_first = request not in requests
        requests.append(request)
        answer = send(request)
        if is_first and loses(request):
            raise TimeoutError
        return answer

    return requests, send_request


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_dropped_answers_cause_no_duplicate_writes(live_server: LiveServer, pauses: list[float]) -> None:
    owner = build_account()
    club = build_club(owner=owner)
    requests, send = drop_answers(ConnectionPool(live_server.url), lambda request: request.method != "GET")
    client = Client(live_server.url, create_secret(club, owner), send=send)
    for name in ("Agathe Albert", "Bruno Caron", "Cécile Dumont"):
        client.add_person(club.slug, name=name)
    assert len(requests) == 6
    names = [person["name"] for person in client.list_people(club.slug, limit=2)]
    assert names == ["Agathe Albert", "Bruno Caron", "Cécile Dumont"]
    with pytest.raises(Refused) as refused:
        client.add_person(club.slug, name="Agathe Albert")
    assert (refused.value.status, refused.value.code, refused.value.field) == (422, "name_known", "name")
    with pytest.raises(Refused) as unread:
        client.create_event(club.slug, name="Soirée", held_on="demain", ruleset="canadian", tables=2)
    assert unread.value.errors[0]["field"] == "held_on"
    with pytest.raises(Refused, match="token_required"):
        Client(live_server.url).get_me()


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_documented_example_runs_a_night(live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = build_account()
    club = build_club(owner=owner)
    for name in ("Agathe Albert", "Bruno Caron", "Cécile Dumont", "Donat Émond", "Édith Fortin"):
        add_person(club_id=club.pk, details=PersonDetails(name=name))
    monkeypatch.setitem(sys.modules, "charlemagne_client", charlemagne_client)
    page = (PROJECT / "client" / "README.md").read_text(encoding="utf-8")
    lines = page.partition("```python\n")[2].partition("```")[0]
    lines = lines.replace("https://cards.example", live_server.url).replace("chm_…", create_secret(club, owner))
    exec(lines, {})
    event = Event.objects.get()
    assert (event.state, event.entries.count()) == (EventState.RUNNING, 2)
