"""Trusted proxies: the program believes them about the client's address and scheme."""

from __future__ import annotations

import http.client
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from operations.terminal import Stop
from server.proxies import parse_trusted_proxies
from tests.support.waiting import TIMEOUT_SECONDS, wait_until

from .conftest import RunningUp

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

UpStarter = Callable[..., RunningUp]

TOO_MANY_MESSAGE = "Too many wrong codes."


@pytest.fixture
def start(tmp_path: Path, prepared_folder: Path) -> Iterator[UpStarter]:
    """Yield a function that starts an `up` with these environment variables."""
    ups: list[RunningUp] = []

    def start(**variables: Any) -> RunningUp:
        up = RunningUp(shutil.copytree(prepared_folder, tmp_path / str(len(ups))), **variables)
        ups.append(up)
        wait_until(up.is_answering)
        return up

    yield start
    for up in ups:
        up.end()


def send_request(up: RunningUp, path: str, **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", up.port, timeout=TIMEOUT_SECONDS)
    connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    return connection.getresponse()


def guess(up: RunningUp, **headers: str) -> str:
    """Return the answer to the last of many wrong table codes, each with a forged client address."""
    body = b""
    for guess in range(25):
        headers["X_Forwarded_For"] = f"198.51.100.{guess}"
        body = send_request(up, f"/t/{guess:06}", Accept_Language="en", **headers).read()
    return body.decode()


@pytest.mark.slow
def test_forged_forwarding_header_does_not_evade_the_throttle(start: UpStarter) -> None:
    assert TOO_MANY_MESSAGE in guess(start())


@pytest.mark.long
def test_https_proxy_makes_everything_secure_and_names_the_client(start: UpStarter) -> None:
    up = start(CHARLEMAGNE_HTTPS="1")
    http_answer = send_request(up, "/sign-in", Host="cards.example.org")
    assert (http_answer.status, http_answer.headers["Location"]) == (301, "https://cards.example.org/sign-in")
    page = send_request(up, "/sign-in", Host="cards.example.org", X_Forwarded_Proto="https")
    assert page.status == 200
    assert page.headers["Strict-Transport-Security"] == "max-age=31536000"
    cookies = page.headers.get_all("Set-Cookie") or []
    assert cookies
    assert all("Secure" in cookie for cookie in cookies)
    assert TOO_MANY_MESSAGE not in guess(up, X_Forwarded_Proto="https")


@pytest.mark.parametrize(
    ("named", "is_https", "found"),
    [
        ([], False, []),
        ([], True, ["127.0.0.1", "::1"]),
        (["10.0.0.0/8", "2001:db8::1"], True, ["10.0.0.0/8", "2001:db8::1"]),
    ],
)
def test_only_named_proxies_are_trusted(named: list[str], is_https: bool, found: list[str]) -> None:
    assert parse_trusted_proxies(named, is_https=is_https) == found


def test_proxy_that_is_no_network_is_refused() -> None:
    with pytest.raises(Stop, match=r"CHARLEMAGNE_PROXIES.*nginx"):
        parse_trusted_proxies(["nginx"], is_https=False)
