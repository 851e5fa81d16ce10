"""The client for Python programs: it is what the schema says, it stands by itself, it asks until it knows."""

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
    Answer,
    Asked,
    Client,
    Connections,
    Refused,
    Send,
    Unreachable,
    transport,
)
from clubs.services import PersonDetails, add_person
from operations.data_dir import PROJECT
from tests.api.program import a_secret
from tests.builders import a_club, an_account
from tools.program_client import PACKAGE, client_files
from tournaments.lifecycle import EventState
from tournaments.models import Event

HERE = "http://hall.example"


@pytest.mark.slow
def test_its_files_are_those_of_the_schema() -> None:
    for path, text in client_files().items():
        assert path.read_text(encoding="utf-8") == text, "write it anew: python manage.py client"


def test_every_operation_is_a_method() -> None:
    asked: list[str] = []

    def noted(request: Asked) -> Answer:
        asked.append(request.operation)
        return said({"results": [], "next": None})

    client: Any = Client(HERE, send=noted)
    for name, method in vars(Client).items():
        if not name.startswith("_"):
            places = method.__code__.co_posonlyargcount
            found = getattr(client, name)(*["1"] * max(0, places - 1))
            list(found)
    assert sorted(asked) == sorted(one.name for one in OPERATIONS)


def test_it_needs_nothing_but_the_standard_library() -> None:
    named = set()
    for path in PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                named |= {each.name for each in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                named.add(str(node.module))
    assert {name.partition(".")[0] for name in named} <= sys.stdlib_module_names


@pytest.mark.slow
def test_it_is_a_package_of_its_own(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    made = subprocess.run(command, cwd=PROJECT / "client", capture_output=True, encoding="utf-8", check=False)
    assert made.returncode == 0, made.stderr
    (wheel,) = tmp_path.glob("charlemagne_client-*.whl")
    with zipfile.ZipFile(wheel) as files:
        names = {name for name in files.namelist() if "dist-info" not in name}
    ours = [*PACKAGE.glob("*.py"), PACKAGE / "py.typed"]
    assert names == {f"charlemagne_client/{path.name}" for path in ours}


def said(body: str | dict[str, Any], *, status: int = 200, **headers: str) -> Answer:
    kind = "application/problem+json" if status >= 400 else "application/json"
    text = body if isinstance(body, str) else json_of(body)
    return Answer(status=status, headers={"content-type": kind, **headers}, body=text.encode())


def json_of(body: dict[str, Any]) -> str:
    return str(body).replace("'", '"').replace("None", "null")


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that it makes, none of which takes any time."""
    made: list[float] = []
    monkeypatch.setattr("time.sleep", made.append)
    return made


def in_turn(*answers: Answer | Exception) -> tuple[list[Asked], Send]:
    """Return what was asked, and what sends: each of these once."""
    asked: list[Asked] = []

    def send(request: Asked) -> Answer:
        asked.append(request)
        answer = answers[len(asked) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer

    return asked, send


def test_a_write_without_an_answer_is_sent_again_with_its_key(pauses: list[float]) -> None:
    asked, send = in_turn(ConnectionResetError(), HTTPException(), said({"id": 1}))
    Client(HERE, send=send).undo_of_club("club", 3)
    assert len(asked) == 3
    assert len({request.headers["Idempotency-Key"] for request in asked}) == 1


def test_two_writes_have_two_keys_and_a_given_one_stays() -> None:
    asked, send = in_turn(*[said({"id": 1})] * 3)
    client = Client(HERE, send=send)
    client.undo_of_club("club", 3)
    client.undo_of_club("club", 3)
    client.undo_of_club("club", 3, key="6f1c1ad8-8f8e-4a0c-9a55-5b4b3c8f3c11")
    first, second, third = (request.headers["Idempotency-Key"] for request in asked)
    assert first != second
    assert third == "6f1c1ad8-8f8e-4a0c-9a55-5b4b3c8f3c11"


def test_it_comes_again_when_the_server_says(pauses: list[float]) -> None:
    later = said({"code": "too_many_requests"}, status=429, **{"retry-after": "7"})
    _, send = in_turn(later, said({"id": 1}))
    Client(HERE, send=send).undo_of_club("club", 3)
    assert pauses == [7.0]


def test_it_waits_no_ten_minutes_for_what_letters_open_at_once(pauses: list[float]) -> None:
    guessed = said({"code": "too_many_guesses"}, status=429, **{"retry-after": "580"})
    _, send = in_turn(guessed)
    with pytest.raises(Refused, match="too_many_guesses"):
        Client(HERE, send=send).get_table("123456")
    assert pauses == []


def test_nobody_who_answers_is_told_in_the_end(pauses: list[float]) -> None:
    _, send = in_turn(*[ConnectionRefusedError()] * transport.ATTEMPTS)
    with pytest.raises(Unreachable):
        Client(HERE, send=send).get_me()
    assert len(pauses) == transport.ATTEMPTS - 1


def test_an_answer_of_somebody_between_is_none_of_ours() -> None:
    portal = Answer(status=200, headers={"content-type": "text/html"}, body=b"<h1>Free Wi-Fi</h1>")
    _, send = in_turn(portal)
    with pytest.raises(Refused, match="text/html"):
        Client(HERE, send=send).get_me()


def test_names_in_addresses_are_quoted() -> None:
    asked, send = in_turn(said({"id": "x"}))
    Client(HERE, send=send).get_event("a/b?c")
    assert asked[0].path == "/api/v1/events/a%2Fb%3Fc"


def losing(send: Send, loses: Callable[[Asked], bool]) -> tuple[list[Asked], Send]:
    """Return what is asked; of what it ``loses`` the server has each first request, and the answer does not
    come."""
    asked: list[Asked] = []

    def sent(request: Asked) -> Answer:
        is_first = request not in asked
        asked.append(request)
        answer = send(request)
        if is_first and loses(request):
            raise TimeoutError
        return answer

    return asked, sent


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_at_a_server_lists_go_on_refusals_say_why_and_nothing_is_done_twice(
    live_server: LiveServer, pauses: list[float]
) -> None:
    owner = an_account()
    club = a_club(owner=owner)
    asked, send = losing(Connections(live_server.url), lambda request: request.method != "GET")
    client = Client(live_server.url, a_secret(club, owner), send=send)
    for name in ("Agathe Albert", "Bruno Caron", "Cécile Dumont"):
        client.add_person(club.slug, name=name)
    assert len(asked) == 6
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


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_lines_of_its_page_make_a_night(live_server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = an_account()
    club = a_club(owner=owner)
    for name in ("Agathe Albert", "Bruno Caron", "Cécile Dumont", "Donat Émond", "Édith Fortin"):
        add_person(club_id=club.pk, details=PersonDetails(name=name))
    monkeypatch.setitem(sys.modules, "charlemagne_client", charlemagne_client)
    page = (PROJECT / "client" / "README.md").read_text(encoding="utf-8")
    lines = page.partition("```python\n")[2].partition("```")[0]
    lines = lines.replace("https://cards.example", live_server.url).replace("chm_…", a_secret(club, owner))
    exec(lines, {})
    event = Event.objects.get()
    assert (event.state, event.entries.count()) == (EventState.RUNNING, 2)
