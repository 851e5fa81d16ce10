"""Host names accepted by a hall's laptop and by a server; foreign names that lead there are refused."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest

from operations.terminal import Stop
from server.hosts import Hosts, parse_hosts
from tests.support.browser import Browser
from tests.support.hall import Hall

pytestmark = pytest.mark.django_db

HALL_HOSTS = (
    *("192.168.1.7:8000", "10.0.0.4", "127.0.0.1:8000", "[fe80::1]:8000", "[::1]"),
    *("localhost:8000", "laptop", "laptop.local:8000", "LAPTOP.local.", "laptop.lan", "laptop.home.arpa"),
    *("PC_JEAN:8000", "pc_jean.local", "pc-andré.local", "xn--pc-andr-hya", "laptop.home"),
    "[fe80::1%eth0]:8000",
)
FOREIGN_HOSTS = (
    *("rebound.example.org", "192.168.1.7.example.org:8000", "local.example.org", "laptop.local.evil.com"),
    *("evil-lan.com", "1.2.3.4.5", "laptop.notlan", "pc_jean.evil.com", "é.evil.com", "laptop@evil.com"),
)


def get_status(host: str, path: str = "/") -> int:
    return Browser().open(path, host=host.encode().decode("latin-1")).status


@pytest.mark.parametrize("host", HALL_HOSTS)
def test_laptop_answers_to_its_own_names(host: str) -> None:
    assert get_status(host) == 200


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
def test_foreign_host_name_is_refused_by_a_laptop(host: str) -> None:
    hall = Hall(pairs=4)
    for path in ("/", f"/e/{hall.event.short}", hall.table, "/static/css/base.css"):
        page = Browser().open(path, host=host)
        assert page.status == 421
        assert hall.event.name not in page.html


def test_refusal_page_explains_the_address_in_both_languages() -> None:
    page = Browser().open("/t/123456", host="cards.example.org")
    assert "n’est pas la bonne adresse" in page.text
    assert "not the right address" in page.text
    assert "“cards.example.org”" in page.text
    assert "up --name cards.example.org" in page.text


def test_refusal_page_links_to_the_reached_address() -> None:
    answer = Browser().client.get(
        "/t/123456", headers={"host": "cards.example.org"}, SERVER_NAME="192.168.1.7", SERVER_PORT="8000"
    )
    assert b'href="http://192.168.1.7:8000/t/123456"' in answer.content


def test_invalid_host_name_is_refused_without_echoing_it() -> None:
    page = Browser().open("/", host="<script>alert(1)</script>")
    assert page.status == 421
    assert "<script>alert" not in page.html


def test_api_client_gets_a_problem_for_a_wrong_host() -> None:
    answer = Browser().open("/api/v1/clubs", host="cards.example.org").response
    problem = json.loads(answer.content)
    assert (answer.status_code, problem["code"]) == (421, "host_unknown")


def test_inline_style_of_the_refusal_page_is_in_the_policy() -> None:
    page = Browser().open("/", host="cards.example.org")
    assert page.find_all("style")
    assert "sha256-" in page.response.headers["Content-Security-Policy"].partition("style-src")[2]


def test_laptop_accepts_configured_names(settings: Any) -> None:
    settings.NAMES = parse_hosts({"CHARLEMAGNE_HOSTS": "cards.example.org, .club.example"}, is_https=False)
    named = ("cards.example.org", "tonight.club.example", "192.168.1.7", "other.example.org")
    assert [get_status(host) for host in named] == [200, 200, 200, 421]


def test_server_answers_to_its_configured_names_only(settings: Any) -> None:
    settings.NAMES = parse_hosts({"CHARLEMAGNE_HOSTS": "cards.example.org"}, is_https=True)
    named = ("cards.example.org", "192.168.1.7", "laptop.local", "other.example.org")
    assert [get_status(host) for host in named] == [200, 421, 421, 421]
    assert "CHARLEMAGNE_HOSTS" in Browser().open("/", host="192.168.1.7").text


@pytest.mark.parametrize(
    ("environment", "is_https", "are_any"),
    [
        ({}, False, False),
        ({}, True, True),
        ({"CHARLEMAGNE_HOSTS": "*"}, False, True),
        ({"CHARLEMAGNE_HOSTS": "cards.example.org"}, True, False),
    ],
)
def test_unconfigured_server_accepts_any_host(environment: dict[str, str], is_https: bool, are_any: bool) -> None:
    hosts: Hosts = parse_hosts(environment, is_https=is_https)
    assert hosts.are_any is are_any


@pytest.mark.parametrize("written", ["http://cards.example.org", "cards.example.org:8000", "a b", "x/y"])
def test_invalid_configured_host_is_refused_with_an_example(written: str) -> None:
    with pytest.raises(Stop, match=r"is not a host name\. List names only"):
        parse_hosts({"CHARLEMAGNE_HOSTS": f"club.example, {written}"}, is_https=True)


def test_ipv6_address_is_a_valid_host() -> None:
    assert parse_hosts({"CHARLEMAGNE_HOSTS": "[2001:db8::7]"}, is_https=True).have("[2001:db8::7]")


def test_forms_work_under_a_host_name_with_an_underscore() -> None:
    browser = Browser()
    browser.client.defaults |= {"HTTP_HOST": "PC_Jean:8000", "HTTP_ORIGIN": "http://pc_jean:8000"}
    page = browser.open("/sign-in")
    form = page.find_form("/sign-in")
    answer = browser.send(page, form, name="Rita", password="wrong")
    assert "Wrong name or password" in answer.text


def test_accented_host_names_are_compared_in_punycode() -> None:
    named = parse_hosts({"CHARLEMAGNE_HOSTS": "Café.example, .Hôtel.example"}, is_https=True)
    assert named.have("xn--caf-dma.example")
    assert named.have("cards.xn--htel-vqa.example")


def test_full_name_of_the_computer_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Laptop.campus.example")
    assert get_status("laptop.campus.example:8000") == 200
    assert get_status("other.campus.example:8000") == 421
