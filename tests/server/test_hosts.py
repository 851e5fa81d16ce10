"""By which names a hall's laptop and a server answer: a name that somebody else lets lead here is none."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest

from operations.terminal import Stop
from server.hosts import Hosts, hosts_in
from tests.support.browser import Browser
from tests.support.hall import Hall

pytestmark = pytest.mark.django_db

OF_THE_HALL = (
    *("192.168.1.7:8000", "10.0.0.4", "127.0.0.1:8000", "[fe80::1]:8000", "[::1]"),
    *("localhost:8000", "laptop", "laptop.local:8000", "LAPTOP.local.", "laptop.lan", "laptop.home.arpa"),
    *("PC_JEAN:8000", "pc_jean.local", "pc-andré.local", "xn--pc-andr-hya", "laptop.home"),
    "[fe80::1%eth0]:8000",
)
OF_OTHERS = (
    *("rebound.example.org", "192.168.1.7.example.org:8000", "local.example.org", "laptop.local.evil.com"),
    *("evil-lan.com", "1.2.3.4.5", "laptop.notlan", "pc_jean.evil.com", "é.evil.com", "laptop@evil.com"),
)


def answers(host: str, path: str = "/") -> int:
    return Browser().open(path, host=host.encode().decode("latin-1")).status


@pytest.mark.parametrize("host", OF_THE_HALL)
def test_a_laptop_answers_to_whatever_can_be_of_this_computer_only(host: str) -> None:
    assert answers(host) == 200


@pytest.mark.parametrize("host", OF_OTHERS)
def test_a_name_that_somebody_else_lets_lead_to_a_laptop_opens_nothing(host: str) -> None:
    hall = Hall(pairs=4)
    for path in ("/", f"/e/{hall.event.short}", hall.table, "/static/css/base.css"):
        page = Browser().open(path, host=host)
        assert page.status == 421
        assert hall.event.name not in page.html


def test_the_page_says_in_both_languages_what_to_do() -> None:
    page = Browser().open("/t/123456", host="cards.example.org")
    assert "n’est pas la bonne adresse" in page.text
    assert "not the right address" in page.text
    assert "“cards.example.org”" in page.text
    assert "up --name cards.example.org" in page.text


def test_it_leads_to_the_same_page_at_the_address_that_was_reached() -> None:
    answer = Browser().client.get(
        "/t/123456", headers={"host": "cards.example.org"}, SERVER_NAME="192.168.1.7", SERVER_PORT="8000"
    )
    assert b'href="http://192.168.1.7:8000/t/123456"' in answer.content


def test_what_is_no_name_at_all_is_refused_and_not_repeated() -> None:
    page = Browser().open("/", host="<script>alert(1)</script>")
    assert page.status == 421
    assert "<script>alert" not in page.html


def test_a_program_gets_a_problem() -> None:
    answer = Browser().open("/api/v1/clubs", host="cards.example.org").response
    problem = json.loads(answer.content)
    assert (answer.status_code, problem["code"]) == (421, "host_unknown")


def test_its_style_is_one_that_the_policy_knows() -> None:
    page = Browser().open("/", host="cards.example.org")
    assert page.every("style")
    assert "sha256-" in page.response.headers["Content-Security-Policy"].partition("style-src")[2]


def test_a_hall_is_told_further_names(settings: Any) -> None:
    settings.NAMES = hosts_in({"CHARLEMAGNE_HOSTS": "cards.example.org, .club.example"}, is_https=False)
    named = ("cards.example.org", "tonight.club.example", "192.168.1.7", "other.example.org")
    assert [answers(host) for host in named] == [200, 200, 200, 421]


def test_a_server_answers_to_its_names_only(settings: Any) -> None:
    settings.NAMES = hosts_in({"CHARLEMAGNE_HOSTS": "cards.example.org"}, is_https=True)
    named = ("cards.example.org", "192.168.1.7", "laptop.local", "other.example.org")
    assert [answers(host) for host in named] == [200, 421, 421, 421]
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
def test_a_server_of_which_nobody_says_the_name_has_any(
    environment: dict[str, str], is_https: bool, are_any: bool
) -> None:
    hosts: Hosts = hosts_in(environment, is_https=is_https)
    assert hosts.are_any is are_any


@pytest.mark.parametrize("written", ["http://cards.example.org", "cards.example.org:8000", "a b", "x/y"])
def test_what_is_no_name_is_refused_with_an_example(written: str) -> None:
    with pytest.raises(Stop, match=r"is not a host name\. List names only"):
        hosts_in({"CHARLEMAGNE_HOSTS": f"club.example, {written}"}, is_https=True)


def test_an_address_of_ipv6_is_a_name() -> None:
    assert hosts_in({"CHARLEMAGNE_HOSTS": "[2001:db8::7]"}, is_https=True).have("[2001:db8::7]")


def test_forms_work_under_a_name_that_django_does_not_read() -> None:
    browser = Browser()
    browser.client.defaults |= {"HTTP_HOST": "PC_Jean:8000", "HTTP_ORIGIN": "http://pc_jean:8000"}
    page = browser.open("/sign-in")
    form = page.form("/sign-in")
    answer = browser.send(page, form, name="Rita", password="wrong")
    assert "Wrong name or password" in answer.text


def test_names_with_accents_are_compared_as_browsers_send_them() -> None:
    named = hosts_in({"CHARLEMAGNE_HOSTS": "Café.example, .Hôtel.example"}, is_https=True)
    assert named.have("xn--caf-dma.example")
    assert named.have("cards.xn--htel-vqa.example")


def test_the_whole_name_of_this_computer_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Laptop.campus.example")
    assert answers("laptop.campus.example:8000") == 200
    assert answers("other.campus.example:8000") == 421
