"""Limits of one request before its sender is known."""

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
from clubs.services import make_token
from clubs.sessions import SessionStore
from live.asgi import Application
from server import budgets
from server.budgets import (
    OF_A_PROGRAM,
    OF_A_TABLE,
    OF_ANYBODY,
    OF_WHOEVER_IS_SIGNED_IN,
    THROWN_AWAY,
    Budgets,
)
from tests.builders import a_club, an_account
from tournaments.mirrors.requests import PAIRING_HEADER
from tournaments.models import Pairing

PART = 16 * 1024


@dataclass(kw_only=True)
class Upload:
    """A body on its way: ``size`` bytes of it come in parts, and then nothing where it ``stops``."""

    size: int
    path: str = "/sign-in"
    root_path: str = ""
    declared: int | None = None
    session: str | None = ""
    headers: dict[str, str] = field(default_factory=dict)
    stops: bool = False
    taken: int = 0
    taken_at_answer: int | None = None
    sent: list[Any] = field(default_factory=list)

    async def receive(self) -> dict[str, Any]:
        if self.taken == self.size and self.size:
            await asyncio.Event().wait()
        part = b"x" * min(PART, self.size - self.taken)
        self.taken += len(part)
        return {"type": "http.request", "body": part, "more_body": self.stops or self.taken < self.size}

    async def send(self, message: Any) -> None:
        if self.taken_at_answer is None:
            self.taken_at_answer = self.taken
        self.sent.append(message)

    def answer(self, application: Application | None = None) -> tuple[int, str]:
        """Status and text of what comes back."""
        length = (b"transfer-encoding", b"chunked")
        if self.declared is not None:
            length = (b"content-length", str(self.declared).encode())
        headers = [length, (b"cookie", f"sessionid={self.session}".encode())]
        headers += [(name.lower().encode(), value.encode()) for name, value in self.headers.items()]
        where = {"path": self.root_path + self.path, "root_path": self.root_path}
        scope = {"type": "http", "method": "POST", **where, "headers": headers}
        asyncio.run(Budgets(application or count_bytes)(scope, self.receive, self.send))
        start, *parts = self.sent
        return start["status"], b"".join(part["body"] for part in parts).decode()


async def count_bytes(scope: Any, receive: Any, send: Any) -> None:
    """An application that reads a body whole, as Django does, and says how large it was."""
    size, has_more = 0, True
    while has_more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size, has_more = size + len(message["body"]), message["more_body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(size).encode()})


async def answer_all_the_same(scope: Any, receive: Any, send: Any) -> None:
    """An application that answers though whoever asked has left, as one does that was about to."""
    await count_bytes(scope, receive, send)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"and more"})


@pytest.mark.parametrize(("path", "most"), [("/sign-in", OF_ANYBODY), ("/t/123456/logs", OF_A_TABLE)])
def test_whoever_is_nobody_sends_little(path: str, most: int) -> None:
    assert Upload(size=most, path=path).answer() == (200, str(most))
    assert Upload(size=most, path=path, declared=most).answer() == (200, str(most))
    too_large = Upload(size=10 * most, path=path)
    status, said = too_large.answer()
    assert status == 413
    assert f"{most // 1024}\u00a0ko" in said
    assert f"{most // 1024} kB" in said
    assert most < too_large.taken <= most + THROWN_AWAY + PART


@pytest.mark.parametrize("root_path", ["", "/charlemagne"])
def test_a_program_reads_why_as_it_reads_each_refusal(root_path: str) -> None:
    upload = Upload(size=10 * OF_ANYBODY, path="/api/v1/clubs/club/people", root_path=root_path)
    status, said = upload.answer()
    problem = json.loads(said)
    assert (status, problem["status"], problem["code"]) == (413, 413, "body_too_large")
    assert "64 kB" in problem["detail"]
    assert dict(upload.sent[0]["headers"])[b"content-type"] == b"application/problem+json"


def test_a_phone_brings_back_an_evening_below_another_address_too() -> None:
    upload = Upload(size=OF_A_TABLE, path="/t/123456/logs", root_path="/charlemagne")
    assert upload.answer() == (200, str(OF_A_TABLE))


def test_what_was_refused_has_one_answer_alone() -> None:
    too_large = Upload(size=10 * OF_ANYBODY)
    status, said = too_large.answer(answer_all_the_same)
    assert status == 413
    assert "and more" not in said
    assert [message["type"] for message in too_large.sent].count("http.response.start") == 1


def test_what_says_that_it_is_too_large_is_answered_first_and_thrown_away_for_a_while() -> None:
    upload = Upload(size=200_000_000, declared=200_000_000)
    assert upload.answer()[0] == 413
    assert upload.taken_at_answer == 0
    assert 0 < upload.taken <= THROWN_AWAY + PART


@pytest.mark.django_db(transaction=True)
def test_a_desk_brings_whole_events_and_a_made_up_session_does_not() -> None:
    desk, visitor = SessionStore(), SessionStore()
    desk[SESSION_KEY], visitor["anything"] = str(an_account().pk), "1"
    desk.save()
    visitor.save()
    large = 10 * OF_A_TABLE
    statuses = [
        Upload(size=0, declared=size, session=session).answer()[0]
        for session, size in [
            (desk.session_key, large),
            (desk.session_key, OF_WHOEVER_IS_SIGNED_IN + 1),
            (visitor.session_key, large),
            ("made-up", large),
        ]
    ]
    assert statuses == [200, 413, 413, 413]


@pytest.mark.django_db(transaction=True)
def test_a_token_or_a_pairing_that_is_known_brings_five_megabytes() -> None:
    owner = an_account()
    club = a_club(owner=owner)
    token = make_token(club_id=club.pk, name="List", scope=Scope.DIRECT, days=30, by=Actor(account=owner))
    pairing = Pairing.objects.create(club=club, key="signed with this", lasts_until=timezone.now())
    statuses = [
        Upload(size=0, declared=size, path=path, headers={name: value}).answer()[0]
        for size in (OF_A_PROGRAM, OF_A_PROGRAM + 1)
        for path, name, value in [
            ("/api/v1/clubs/club/entries", "Authorization", f"Bearer {token.secret}"),
            ("/mirror/snapshots", PAIRING_HEADER, str(pairing.public_id)),
            ("/api/v1/clubs/club/entries", "Authorization", "Bearer made-up"),
            ("/mirror/snapshots", PAIRING_HEADER, str(uuid4())),
            ("/sign-in", "Authorization", f"Bearer {token.secret}"),
        ]
    ]
    assert statuses == [200, 200, 413, 413, 413, *[413] * 5]


def test_a_body_that_stops_on_its_way_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "SILENCE", 0.01)
    status, said = Upload(size=40, declared=90, stops=True).answer()
    assert status == 408
    assert "network" in said


def test_a_body_that_trickles_is_not_waited_for_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "SLOWEST", OF_ANYBODY * 1_000_000)
    monkeypatch.setattr(budgets, "SILENCE", 0.0)
    assert Upload(size=40, declared=90, stops=True).answer()[0] == 408
