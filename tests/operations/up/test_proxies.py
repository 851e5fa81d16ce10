"""Proxies that the program believes about who asks, and by what."""

from __future__ import annotations

import http.client
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from operations.terminal import Stop
from server.proxies import trusted_proxies
from tests.support.waiting import PATIENCE, wait_until

from .conftest import Up

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

StartUp = Callable[..., Up]

TOO_MANY = "Too many wrong codes."


@pytest.fixture
def start(tmp_path: Path, prepared_folder: Path) -> Iterator[StartUp]:
    """An `up` with these variables."""
    ups: list[Up] = []

    def start(**variables: Any) -> Up:
        up = Up(shutil.copytree(prepared_folder, tmp_path / str(len(ups))), **variables)
        ups.append(up)
        wait_until(up.answers)
        return up

    yield start
    for up in ups:
        up.end()


def ask(up: Up, path: str, **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", up.port, timeout=PATIENCE)
    connection.request(
        "GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()}
    )
    return connection.getresponse()


def guess(up: Up, **headers: str) -> str:
    """Return what the last of many guesses of a table's code is told, each from an address that it makes
    up."""
    said = b""
    for guess in range(25):
        headers["X_Forwarded_For"] = f"198.51.100.{guess}"
        said = ask(up, f"/t/{guess:06}", Accept_Language="en", **headers).read()
    return said.decode()


@pytest.mark.slow
def test_nobody_is_somebody_else_at_each_guess(start: StartUp) -> None:
    assert TOO_MANY in guess(start())


@pytest.mark.slow
def test_behind_a_proxy_that_speaks_https_everything_is_secure_and_it_says_who_asks(start: StartUp) -> None:
    up = start(CHARLEMAGNE_HTTPS="1")
    plain = ask(up, "/sign-in", Host="cards.example.org")
    assert (plain.status, plain.headers["Location"]) == (301, "https://cards.example.org/sign-in")
    page = ask(up, "/sign-in", Host="cards.example.org", X_Forwarded_Proto="https")
    assert page.status == 200
    assert page.headers["Strict-Transport-Security"] == "max-age=31536000"
    cookies = page.headers.get_all("Set-Cookie") or []
    assert cookies
    assert all("Secure" in cookie for cookie in cookies)
    assert TOO_MANY not in guess(up, X_Forwarded_Proto="https")


@pytest.mark.parametrize(
    ("named", "is_https", "found"),
    [
        ([], False, []),
        ([], True, ["127.0.0.1", "::1"]),
        (["10.0.0.0/8", "2001:db8::1"], True, ["10.0.0.0/8", "2001:db8::1"]),
    ],
)
def test_only_who_is_named_is_believed(named: list[str], is_https: bool, found: list[str]) -> None:
    assert trusted_proxies(named, is_https=is_https) == found


def test_what_names_no_network_is_refused() -> None:
    with pytest.raises(Stop, match=r"CHARLEMAGNE_PROXIES.*nginx"):
        trusted_proxies(["nginx"], is_https=False)
