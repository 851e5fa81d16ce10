"""Size and time limits of request bodies, which a known sender raises."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth import SESSION_KEY
from django.utils import timezone

from clubs.audit.log import Actor
from clubs.models import Scope
from clubs.services.tokens import make_token
from clubs.sessions import SessionStore
from live.asgi import Application
from server import body_limits
from server.body_limits import ACCOUNT_LIMIT, ANONYMOUS_LIMIT, API_LIMIT, MAX_DISCARDED, TABLE_LIMIT, BodyLimits
from tests.builders import build_account, build_club
from tournaments.mirrors.requests import PAIRING_HEADER
from tournaments.models import Pairing

PART = 16 * 1024


@dataclass(kw_only=True)
class Upload:
    """A request body of ``size`` bytes that arrives in parts; with ``stops`` it never ends."""

    size: int
    path: str = "/sign-in"
    root_path: str = ""
    declared_bytes: int | None = None
    session: str | None = ""
    headers: dict[str, str] = field(default_factory=dict)
    stops: bool = False
    bytes_read: int = 0
    bytes_read_at_answer: int | None = None
    sent_messages: list[Any] = field(default_factory=list)

    async def receive(self) -> dict[str, Any]:
        if self.bytes_read == self.size and self.size:
            await asyncio.Event().wait()
        part = b"x" * min(PART, self.size - self.bytes_read)
        self.bytes_read += len(part)
        return {"type": "http.request", "body": part, "more_body": self.stops or self.bytes_read < self.size}

    async def send(self, message: Any) -> None:
        if self.bytes_read_at_answer is None:
            self.bytes_read_at_answer = self.bytes_read
        self.sent_messages.append(message)

    def answer(self, application: Application | None = None) -> tuple[int, str]:
        """Send the body through the limits, and return the status and text of the response."""
        length = (b"transfer-encoding", b"chunked")
        if self.declared_bytes is not None:
            length = (b"content-length", str(self.declared_bytes).encode())
        headers = [length, (b"cookie", f"sessionid={self.session}".encode())]
        headers += [(name.lower().encode(), value.encode()) for name, value in self.headers.items()]
        where = {"path": self.root_path + self.path, "root_path": self.root_path}
        scope = {"type": "http", "method": "POST", **where, "headers": headers}
        asyncio.run(BodyLimits(application or count_bytes)(scope, self.receive, self.send))
        start, *parts = self.sent_messages
        return start["status"], b"".join(part["body"] for part in parts).decode()


async def count_bytes(scope: Any, receive: Any, send: Any) -> None:
    """Read the whole body, as Django does, and answer with its size."""
    size, has_more = 0, True
    while has_more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size, has_more = size + len(message["body"]), message["more_body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(size).encode()})


async def answer_all_the_same(scope: Any, receive: Any, send: Any) -> None:
    """Answer despite a disconnect, like an application that was about to respond."""
    await count_bytes(scope, receive, send)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"and more"})


@pytest.mark.parametrize(("path", "most"), [("/sign-in", ANONYMOUS_LIMIT), ("/t/123456/logs", TABLE_LIMIT)])
def test_anonymous_body_limit_is_enforced(path: str, most: int) -> None:
    assert Upload(size=most, path=path).answer() == (200, str(most))
    assert Upload(size=most, path=path, declared_bytes=most).answer() == (200, str(most))
    too_large = Upload(size=10 * most, path=path)
    status, body = too_large.answer()
    assert status == 413
    assert f"{most // 1024}\u00a0ko" in body
    assert f"{most // 1024} kB" in body
    assert body.count(f'<a class="button primary" href="{path}">') == 2
    assert dict(too_large.sent_messages[0]["headers"])[b"content-type"] == b"text/html; charset=utf-8"
    assert most < too_large.bytes_read <= most + MAX_DISCARDED + PART


@pytest.mark.parametrize("root_path", ["", "/charlemagne"])
def test_api_body_limit_answers_with_a_problem(root_path: str) -> None:
    upload = Upload(size=10 * ANONYMOUS_LIMIT, path="/api/v1/clubs/club/people", root_path=root_path)
    status, body = upload.answer()
    problem = json.loads(body)
    assert (status, problem["status"], problem["code"]) == (413, 413, "body_too_large")
    assert "64 kB" in problem["detail"]
    assert dict(upload.sent_messages[0]["headers"])[b"content-type"] == b"application/problem+json"


def test_table_body_limit_applies_below_a_root_path() -> None:
    upload = Upload(size=TABLE_LIMIT, path="/t/123456/logs", root_path="/charlemagne")
    assert upload.answer() == (200, str(TABLE_LIMIT))


def test_refused_body_gets_exactly_one_response() -> None:
    too_large = Upload(size=10 * ANONYMOUS_LIMIT)
    status, body = too_large.answer(answer_all_the_same)
    assert status == 413
    assert "and more" not in body
    assert [message["type"] for message in too_large.sent_messages].count("http.response.start") == 1


def test_oversized_declared_body_is_refused_before_reading() -> None:
    upload = Upload(size=200_000_000, declared_bytes=200_000_000)
    assert upload.answer()[0] == 413
    assert upload.bytes_read_at_answer == 0
    assert 0 < upload.bytes_read <= MAX_DISCARDED + PART


@pytest.mark.django_db(transaction=True)
def test_signed_in_session_raises_the_body_limit() -> None:
    desk, visitor = SessionStore(), SessionStore()
    desk[SESSION_KEY], visitor["anything"] = str(build_account().pk), "1"
    desk.save()
    visitor.save()
    large = 10 * TABLE_LIMIT
    statuses = [
        Upload(size=0, declared_bytes=size, session=session).answer()[0]
        for session, size in [
            (desk.session_key, large),
            (desk.session_key, ACCOUNT_LIMIT + 1),
            (visitor.session_key, large),
            ("made-up", large),
        ]
    ]
    assert statuses == [200, 413, 413, 413]


@pytest.mark.django_db(transaction=True)
def test_valid_token_or_pairing_raises_the_body_limit() -> None:
    owner = build_account()
    club = build_club(owner=owner)
    token = make_token(club_id=club.pk, name="List", scope=Scope.DIRECT, days=30, by=Actor(account=owner))
    pairing = Pairing.objects.create(club=club, key="signed with this", lasts_until=timezone.now())
    statuses = [
        Upload(size=0, declared_bytes=size, path=path, headers={name: value}).answer()[0]
        for size in (API_LIMIT, API_LIMIT + 1)
        for path, name, value in [
            ("/api/v1/clubs/club/entries", "Authorization", f"Bearer {token.secret}"),
            ("/mirror/snapshots", PAIRING_HEADER, str(pairing.public_id)),
            ("/api/v1/clubs/club/entries", "Authorization", "Bearer made-up"),
            ("/mirror/snapshots", PAIRING_HEADER, str(uuid4())),
            ("/sign-in", "Authorization", f"Bearer {token.secret}"),
        ]
    ]
    assert statuses == [200, 200, 413, 413, 413, *[413] * 5]


def test_stalled_body_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_limits, "SILENCE", 0.01)
    status, body = Upload(size=40, declared_bytes=90, stops=True).answer()
    assert status == 408
    assert "network" in body


def test_trickling_body_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_limits, "SLOWEST", ANONYMOUS_LIMIT * 1_000_000)
    monkeypatch.setattr(body_limits, "SILENCE", 0.0)
    assert Upload(size=40, declared_bytes=90, stops=True).answer()[0] == 408
