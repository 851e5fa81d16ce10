"""Limits for the body of a request, in bytes and seconds, before Django sees it.

Django reads a body whole, into memory and files, before it knows the sender. So anonymous senders may send
little, and a body that comes too slowly is not waited for.
"""

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
from django.template.loader import render_to_string

from clubs.queries import find_token
from errors import Refusal
from live.asgi import Application, Message, Receive, Send
from tournaments.mirrors.queries import find_sender
from tournaments.mirrors.requests import PAIRING_HEADER
from web.link_secrets import hash_secret
from wording.sentences import get_http_status

from .refusals import PROBLEM_TYPE, build_problem, translate_refusal

KB, MB = 1024, 1024 * 1024
ANONYMOUS_LIMIT = 64 * KB
TABLE_LIMIT = 1 * MB
"""Limit for a table, whose phones may restore the logs of an evening."""
ACCOUNT_LIMIT = 72 * MB
"""Limit for a signed-in sender: an event file, and the form around it."""
API_LIMIT = 5 * MB
"""Limit for an API client or a paired installation: a list of thousands, a night of 20,000 hands."""
TABLE_PREFIX, API_PREFIX, MIRROR_PREFIX = "/t/", "/api/", "/mirror/"

SILENCE = 20.0
"""Seconds within which the next part of a body has to arrive."""
SLOWEST = 4 * KB
"""Slowest rate in bytes per second, on top of the seconds of one silence."""
LINGER_SECONDS, MAX_DISCARDED = 5.0, 80 * MB
"""Seconds and bytes for which a refused body is still read.

If a connection is closed while the client writes, the answer is lost with it (RFC 9112, section 9.6), and a
proxy says 502 instead. nginx looks for an answer only once it can write no more, so this is more than such a
proxy lets through.
"""


class BodyLimits:
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
        root = scope.get("root_path", "")
        path = scope["path"].removeprefix(root)
        limit = await _get_limit(path, headers, size)
        deadline = _get_loop_time() + SILENCE + limit / SLOWEST
        page = "" if path.startswith(API_PREFIX) else f"/{(root + path).lstrip('/')}"  # "//name" is another host
        body = Body(receive, send, limit, deadline, page=page)
        if size > limit:
            await body.refuse(body.build_size_refusal(), linger=LINGER_SECONDS)
        else:
            await self._application(scope, body.receive, body.send)


@dataclass(slots=True)
class Body:
    """Body of one request, counted as it arrives: at most ``max_bytes`` bytes, complete by ``deadline``.

    A refusal leads back to ``page``, the address of the request; "" for an API client.
    """

    receive_part: Receive
    send_part: Send
    max_bytes: int
    deadline: float
    page: str = ""
    bytes: int = 0
    is_complete: bool = False
    is_refused: bool = False

    async def receive(self) -> Message:
        """Receive a part of the body; after a refusal, report that the client has left."""
        if self.is_complete:
            return await self.receive_part()
        try:
            async with asyncio.timeout_at(min(self.deadline, _get_loop_time() + SILENCE)):
                message = await self.receive_part()
        except TimeoutError:
            return await self.refuse(Refusal("body_too_slow"))
        self.bytes += len(message.get("body", b""))
        if self.bytes > self.max_bytes:
            return await self.refuse(self.build_size_refusal(), linger=LINGER_SECONDS)
        self.is_complete = not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        """Send what the application answers, unless the request was refused here."""
        if not self.is_refused:
            await self.send_part(message)

    def build_size_refusal(self) -> Refusal:
        return Refusal("body_too_large", most=self.max_bytes // KB)

    async def refuse(self, refusal: Refusal, *, linger: float = 0) -> Message:
        """Answer, discard for so many seconds what still arrives, and have the connection closed."""
        self.is_refused = self.is_complete = True
        kind, content = _render_refusal(refusal, self.page)
        headers = [
            (b"content-type", kind.encode()),
            (b"content-length", str(len(content)).encode()),
            (b"cache-control", b"no-store"),
            (b"connection", b"close"),
        ]
        await self.send_part({"type": "http.response.start", "status": get_http_status(refusal), "headers": headers})
        await self.send_part({"type": "http.response.body", "body": content, "more_body": True})
        if linger:
            await self._discard_rest(linger)
        await self.send_part({"type": "http.response.body", "body": b""})
        return {"type": "http.disconnect"}

    async def _discard_rest(self, seconds: float) -> None:
        remaining = MAX_DISCARDED
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while remaining > 0:
                    message = await self.receive_part()
                    if not message.get("more_body", False):
                        return
                    remaining -= max(len(message.get("body", b"")), KB)  # an empty part costs work, too


def _render_refusal(refusal: Refusal, page: str) -> tuple[str, bytes]:
    """Return the type and the text of the answer; in each language, as the reader's is not known yet."""
    sentences = translate_refusal(refusal)
    if not page:
        text = "\n".join(sentences.values())
        return PROBLEM_TYPE, json.dumps(build_problem(refusal) | {"detail": text}).encode()
    html = render_to_string("body_refusal.html", {"sentences": sentences, "page": page})
    return "text/html; charset=utf-8", html.encode()


def _get_loop_time() -> float:
    return asyncio.get_running_loop().time()


async def _get_limit(path: str, headers: dict[bytes, bytes], size: int) -> int:
    """Return how many bytes this request may send. The database is queried only for one that may be large."""
    limit = TABLE_LIMIT if path.startswith(TABLE_PREFIX) else ANONYMOUS_LIMIT
    if 0 < size <= limit:
        return limit
    decoded_headers = {name: value.decode("latin-1") for name, value in headers.items()}
    return max(limit, await sync_to_async(_get_sender_limit)(path, decoded_headers))


def _get_sender_limit(path: str, headers: dict[bytes, str]) -> int:
    """Return how many bytes the sender named by the headers may send; 0 for an unknown one."""
    key = parse_cookie(headers.get(b"cookie", "")).get(settings.SESSION_COOKIE_NAME)
    kind, _, secret = headers.get(b"authorization", "").partition(" ")
    pairing = headers.get(PAIRING_HEADER.lower().encode(), "")
    try:
        if key and SESSION_KEY in import_module(settings.SESSION_ENGINE).SessionStore(key).load():
            return ACCOUNT_LIMIT
        if path.startswith(API_PREFIX) and kind.lower() == "bearer":
            return API_LIMIT if find_token(hash_secret(secret.strip())) else 0
        if path.startswith(MIRROR_PREFIX) and pairing:
            return API_LIMIT if find_sender(pairing) else 0
    except DatabaseError:
        pass
    return 0
