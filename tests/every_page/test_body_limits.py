"""Request bodies are neither parsed nor unpacked before the sender is identified or rate-limited."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree as ET

import openpyxl
import pytest
from django.core.cache import caches
from django.http import HttpRequest
from django.test import Client
from fido2 import cbor
from PIL import Image

from api.operations import OPERATIONS
from api.urls import ROOT
from api.views import Throttle
from server import body_rates
from tests.support.browser import Browser
from tests.support.hall import Hall

from .test_permissions import build_full_hall, by_https

__all__ = ["by_https"]
pytestmark = pytest.mark.django_db

SENT_TEXT = "sent-by-nobody"
NESTED_JSON = json.dumps({"said": SENT_TEXT})
FIELDS = {
    "event": "1",
    "logs": NESTED_JSON,
    "credential": NESTED_JSON,
    "address": NESTED_JSON,
    "text": "CHM1:H:123456:K3JQZ5YA:1/1:ME.",
}
UNPACKERS = ((zlib, "decompressobj"), (zlib, "decompress"), (gzip, "decompress"), (gzip, "GzipFile"))
PARSERS: tuple[tuple[Any, str], ...] = (
    *UNPACKERS,
    *((zipfile.ZipFile, "__init__"), (openpyxl, "load_workbook"), (Image, "open"), (csv, "reader")),
    *((ET, "fromstring"), (ET, "parse"), (cbor, "decode"), (HttpRequest, "_load_post_and_files")),
    (json.JSONDecoder, "decode"),
)


def build_zip() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("night.json", NESTED_JSON)
    return packed.getvalue()


def iter_bodies() -> Iterator[dict[str, Any]]:
    """Yield a request body in each format that some view reads."""
    yield {"data": FIELDS, "content_type": "application/x-www-form-urlencoded"}
    yield {"data": NESTED_JSON, "content_type": "application/json"}
    yield {"data": gzip.compress(NESTED_JSON.encode()), "content_type": "application/gzip"}
    yield {
        "data": gzip.compress(NESTED_JSON.encode()),
        "content_type": "application/json",
        "headers": {"Content-Encoding": "gzip"},
    }


def build_files() -> dict[str, Any]:
    return FIELDS | {name: io.BytesIO(build_zip()) for name in ("file", "report", "logo", "photo")}


class Watch:
    """Record of the parsers that requests reach; ``found`` holds those reached before any rate limit."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.is_admitted, self.found, self.seen = False, set[str](), set[str]()
        for owner, name in PARSERS:
            patch.setattr(owner, name, self._wrap_parser(getattr(owner, name), f"{owner.__name__}.{name}"))
        for owner, name in ((body_rates, "take_tokens"), (Throttle, "allow_request")):
            patch.setattr(owner, name, self._wrap_check(getattr(owner, name)))

    def _wrap_parser(self, parser: Callable[..., Any], name: str) -> Callable[..., Any]:
        def parse(*arguments: Any, **named: Any) -> Any:
            is_ours = name == "JSONDecoder.decode" and not any(SENT_TEXT in str(each) for each in arguments)
            if not is_ours:
                self.seen.add(name)
            if not is_ours and not self.is_admitted:
                self.found.add(name)
            return parser(*arguments, **named)

        return parse

    def _wrap_check(self, check: Callable[..., Any]) -> Callable[..., Any]:
        def admit(*arguments: Any, **named: Any) -> Any:
            self.is_admitted = True
            return check(*arguments, **named)

        return admit


def send_everywhere(pages: list[str], hall: Hall) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path in pages:
        yield from (("post", path, body) for body in iter_bodies())
        yield "post", path, {"data": build_files()}
    values = {"slug": hall.event.club.slug, "short": hall.event.short, "code": hall.match.card.digits}
    for operation in OPERATIONS:
        path = f"/{ROOT}{fill_path(operation.path, values)}"
        yield from ((operation.method, path, body) for body in iter_bodies() if operation.method != "get")


@pytest.mark.slow
def test_body_is_not_parsed_before_the_sender_is_known_or_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    hall, pages = build_full_hall()
    reached = {}
    watch, stranger = Watch(monkeypatch), Client(raise_request_exception=False)
    for method, path, body in send_everywhere([path for _, path in pages], hall):
        watch.is_admitted, watch.found = False, set()
        answer = getattr(stranger, method)(path, **body)
        assert answer.status_code < 500, (method, path, body)
        stranger.cookies.clear()
        if watch.found:
            reached[f"{method} {path}"] = watch.found
    assert reached == {}
    assert watch.seen >= {
        "HttpRequest._load_post_and_files",
        "JSONDecoder.decode",
    }  # the parsers that requests reach after a rate limit


def fill_path(pattern: str, values: dict[str, str]) -> str:
    """Return the path of an API operation, with 1 for each parameter that is not among the values."""
    parts = pattern.split("/")
    named = [part.strip("<>").partition(":")[2] if part.startswith("<") else part for part in parts]
    return "/".join(values.get(name, "1") if part != name else name for part, name in zip(parts, named, strict=True))


class TestAnonymousBodies:
    def test_anonymous_network_over_its_byte_limit_is_refused_unread(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(body_rates, "PER_MINUTE", 1000)
        visitor, other = Browser(), Browser(address="198.51.100.7")
        page = visitor.open("/sign-in")
        answers = []
        for _ in range(2):
            answers.append(visitor.send(page, page.find_form("/sign-in"), name="x" * 600))
            caches["rates"].clear()  # as if another process answered the next request
        assert [answer.status for answer in answers] == [422, 429]
        assert "Too many requests" in answers[1].text
        page = other.open("/sign-in")
        assert other.send(page, page.find_form("/sign-in"), name="x").status == 422

    def test_throttled_program_gets_a_json_problem(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(body_rates, "PER_MINUTE_AT_TABLES", 10)
        answer = Client().post("/api/tables/123456/hands", {"hand": {}}, content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many_requests")
        assert answer.headers["Retry-After"] == "60"

    def test_signed_in_user_is_not_throttled(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(body_rates, "PER_MINUTE", 0)
        hall = Hall()
        page = hall.desk.open(f"/club/{hall.event.club.slug}/import")
        assert hall.desk.send(page, page.find_form(control_name="event"), event="1").status == 422
