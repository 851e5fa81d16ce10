"""Limits for the body of a request, in bytes and seconds, before Django sees it.

Django reads a body whole, into memory and files, before it knows the sender. So anonymous senders may send
little, and a body that comes too slowly is not waited for.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.db import DatabaseError
from django.http import parse_cookie

from clubs.queries import token_behind
from errors import Refusal
from live.asgi import Application, Message, Receive, Send
from tournaments.mirrors.queries import sender_of
from tournaments.mirrors.requests import PAIRING_HEADER
from web.one_time_links import secret_digest
from wording.sentences import status_of

from .refusals import PROBLEM_TYPE, in_each_language, problem

KB, MB = 1024, 1024 * 1024
OF_ANYBODY = 64 * KB
OF_A_TABLE = 1 * MB
"""Limit for a table, whose phones may restore the logs of an evening."""
OF_WHOEVER_IS_SIGNED_IN = 72 * MB
"""Limit for a signed-in sender: an event file, and the form around it."""
OF_A_PROGRAM = 5 * MB
"""Limit for an API client or a paired installation: a list of thousands, a night of 20,000 hands."""
TABLES, PROGRAMS, INSTALLATIONS = "/t/", "/api/", "/mirror/"

SILENCE = 20.0
"""Seconds within which the next part of a body has to arrive."""
SLOWEST = 4 * KB
"""Slowest rate in bytes per second, on top of the seconds of one silence."""
LINGER, THROWN_AWAY = 5.0, 80 * MB
"""Seconds and bytes for which a refused body is still read.

If a connection is closed while the client writes, the answer is lost with it (RFC 9112, section 9.6), and a
proxy says 502 instead. nginx looks for an answer only once it can write no more, so this is more than such a
proxy lets through.
"""


class Budgets:
    """Wrapper of the application that limits the size and duration of a body."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = dict(scope.get("headers", ()))
        length = headers.get(b"content-length", b"0")
        if scope["type"] != "http" or (length == b"0" and b"transfer-encoding" not in headers):
            await self._application(scope, receive, send)
            return
        size = int(length) if length.isdigit() else 0
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        most = await _most_bytes(path, headers, size)
        ends_at = _now() + SILENCE + most / SLOWEST
        body = Body(receive, send, most, ends_at, is_of_program=path.startswith(PROGRAMS))
        if size > most:
            await body.refuse(body.too_large(), linger=LINGER)
        else:
            await self._application(scope, body.receive, body.send)


@dataclass(slots=True)
class Body:
    """Body of one request, counted while it arrives; of ``most`` bytes, and complete by ``ends_at``."""

    receive_part: Receive
    send_part: Send
    most: int
    ends_at: float
    is_of_program: bool = False
    bytes: int = 0
    is_whole: bool = False
    is_refused: bool = False

    async def receive(self) -> Message:
        """Receive a part of the body; after a refusal, report that the client has left."""
        if self.is_whole:
            return await self.receive_part()
        try:
            async with asyncio.timeout_at(min(self.ends_at, _now() + SILENCE)):
                message = await self.receive_part()
        except TimeoutError:
            return await self.refuse(Refusal("body_too_slow"))
        self.bytes += len(message.get("body", b""))
        if self.bytes > self.most:
            return await self.refuse(self.too_large(), linger=LINGER)
        self.is_whole = not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        """Send what the application answers, unless the request was refused here."""
        if not self.is_refused:
            await self.send_part(message)

    def too_large(self) -> Refusal:
        return Refusal("body_too_large", most=self.most // KB)

    async def refuse(self, refusal: Refusal, *, linger: float = 0) -> Message:
        """Answer, discard for so many seconds what still arrives, and have the connection closed."""
        self.is_refused = self.is_whole = True
        kind, said = _words_of(refusal, is_of_program=self.is_of_program)
        headers = [
            (b"content-type", kind.encode()),
            (b"content-length", str(len(said)).encode()),
            (b"cache-control", b"no-store"),
            (b"connection", b"close"),
        ]
        await self.send_part(
            {"type": "http.response.start", "status": status_of(refusal), "headers": headers}
        )
        await self.send_part({"type": "http.response.body", "body": said, "more_body": True})
        if linger:
            await self._throw_away(linger)
        await self.send_part({"type": "http.response.body", "body": b""})
        return {"type": "http.disconnect"}

    async def _throw_away(self, seconds: float) -> None:
        left = THROWN_AWAY
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while left > 0:
                    message = await self.receive_part()
                    if not message.get("more_body", False):
                        return
                    left -= max(len(message.get("body", b"")), KB)  # an empty part costs work, too


def _words_of(refusal: Refusal, *, is_of_program: bool) -> tuple[str, bytes]:
    """Return the type and the text of the answer; in each language, as the reader's is not known yet."""
    said = "\n".join(in_each_language(refusal).values())
    if is_of_program:
        return PROBLEM_TYPE, json.dumps(problem(refusal) | {"detail": said}).encode()
    return "text/plain; charset=utf-8", said.encode()


def _now() -> float:
    return asyncio.get_running_loop().time()


async def _most_bytes(path: str, headers: dict[bytes, bytes], size: int) -> int:
    """Return how many bytes this request may send. The database is queried only for one that may be large."""
    most = OF_A_TABLE if path.startswith(TABLES) else OF_ANYBODY
    if 0 < size <= most:
        return most
    known = {name: value.decode("latin-1") for name, value in headers.items()}
    return max(most, await sync_to_async(_most_of_sender)(path, known))


def _most_of_sender(path: str, headers: dict[bytes, str]) -> int:
    """Return how many bytes the sender named by the headers may send; 0 for an unknown one."""
    key = parse_cookie(headers.get(b"cookie", "")).get(settings.SESSION_COOKIE_NAME)
    kind, _, secret = headers.get(b"authorization", "").partition(" ")
    pairing = headers.get(PAIRING_HEADER.lower().encode(), "")
    try:
        if key and SESSION_KEY in import_module(settings.SESSION_ENGINE).SessionStore(key).load():
            return OF_WHOEVER_IS_SIGNED_IN
        if path.startswith(PROGRAMS) and kind.lower() == "bearer":
            return OF_A_PROGRAM if token_behind(secret_digest(secret.strip())) else 0
        if path.startswith(INSTALLATIONS) and pairing:
            return OF_A_PROGRAM if sender_of(pairing) else 0
    except DatabaseError:
        pass
    return 0
