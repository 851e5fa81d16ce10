"""Another program on this computer that receives webhooks, and reads them as Standard Webhooks says."""

from __future__ import annotations

import hmac
import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from .small_servers import run_small_server


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedRequest:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def payload(self) -> dict[str, Any]:
        payload: dict[str, Any] = json.loads(self.body)
        return payload

    @property
    def event(self) -> tuple[str, Any]:
        """The type of the event, and the value that tells it from others of its type."""
        data = self.payload["data"]
        subject_getters: dict[str, Callable[[], Any]] = {
            "round.published": lambda: data["round"]["number"],
            "table.result": lambda: (data["round"], data["table"]["number"]),
            "standings.final": lambda: data["standings"],
            "standings.corrected": lambda: data["standings"],
            "entry.changed": lambda: data["entry_id"],
        }
        kind = str(self.payload["type"])
        return kind, subject_getters[kind]() if kind in subject_getters else None

    def is_signed_with(self, secret: str) -> bool:
        key = b64decode(secret.removeprefix("whsec_"))
        signed = f"{self.id}.{self.headers['webhook-timestamp']}.".encode() + self.body
        mine = "v1," + b64encode(hmac.new(key, signed, "sha256").digest()).decode()
        return mine in self.headers["webhook-signature"].split(" ")


@dataclass(slots=True)
class Receiver:
    """A receiver that answers with ``status`` and ``text``, and keeps all requests."""

    origin: str = ""
    status: int = 200
    text: bytes = b"thanks"
    location: str = ""
    requests: list[ReceivedRequest] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"{self.origin}/hook"

    @property
    def events(self) -> list[tuple[str, Any]]:
        return [one.event for one in self.requests]


@contextmanager
def run_receiver() -> Iterator[Receiver]:
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.requests.append(ReceivedRequest(path=self.path, headers=headers, body=body))
            self.send_response(receiver.status)
            if receiver.location:
                self.send_header("Location", receiver.location)
            self.send_header("Content-Length", str(len(receiver.text)))
            self.end_headers()
            self.wfile.write(receiver.text)

        def log_message(self, *_: object) -> None:
            pass

    with run_small_server(Handler) as port:
        receiver.origin = f"http://127.0.0.1:{port}"
        yield receiver
