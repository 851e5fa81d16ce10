"""The night in each engine that this machine has: a table, with and without a network, desk, public page."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from playwright.sync_api import Browser

from scoring.models import TableCard
from tests import parts
from tests.builders import PASSWORD, fresh, score, standings_after
from tests.journeys.engines import OPENED, SIZE, ChromiumTab, Tab
from tests.journeys.hall import Hall, Server
from tests.spoiling_proxy import Fault, SpoilingProxy, no_fault
from tournaments.models import Event

ENDS_A_GAME = "A-gros_charlemagne-8"


HALL = "http://hall.lan"
"""As phones reach a laptop: by plain http, which gives a page less than 127.0.0.1 does."""


@pytest.fixture
def network(server: Server) -> Iterator[SpoilingProxy]:
    with SpoilingProxy(server.port) as proxy:
        yield proxy


@pytest.fixture(params=parts.ENGINES)
def tab(request: pytest.FixtureRequest, network: SpoilingProxy, tmp_path: Path) -> Iterator[Tab]:
    """Whatever is not on this machine it asks of that network."""
    if request.param in parts.missing():
        pytest.skip(f"no {request.param}")
    if request.param == "Chromium":
        browser: Browser = request.getfixturevalue("browser")
        page = browser.new_page(proxy={"server": network.url, "bypass": "127.0.0.1"}, viewport=SIZE)
        yield ChromiumTab(page)
        page.close()
    else:
        with OPENED[request.param](tmp_path, urlsplit(network.url).netloc) as opened:
            yield opened


def mark(tab: Tab, said: str) -> None:
    tab.tap(f'.lanes a[href$="#{said.rpartition("-")[0]}"]')
    tab.tap(f'button[name="said"][value="{said}"]')


def joins(tab: Tab, hall: Hall) -> None:
    """By the code on the card."""
    assert hall.event is not None
    tab.open(f"{HALL}/en/")
    tab.type("#code", TableCard.objects.get(topic=hall.event.topic, number=1).code)
    tab.leaves_by("form:has(#code) button")
    tab.sees("#screen h1", "Table 1")
    tab.sees("body[data-drawn]")


def loses(network: SpoilingProxy) -> None:
    network.spoil = lambda method, path, count: Fault.RESET


def finds(tab: Tab, network: SpoilingProxy) -> None:
    """The network again, and the browser says so."""
    network.spoil = no_fault
    tab.value_of('dispatchEvent(new Event("online"))')
    tab.sees(".chip.at-rest", "Sent")


def plays_without_a_network(tab: Tab) -> None:
    """A hand, a look at all of them, and the page is gone."""
    mark(tab, "B-7-7")
    tab.sees("#screen h1 + p", "Hand 3")
    tab.sees(".band .chip", "1 to send")
    tab.tap('a[href="#more"]')
    tab.tap('#more a[href$="/hands"]')
    tab.sees("#screen h1 + p", "All hands of the match")
    tab.sees(".hands li", "7 made")
    tab.value_of("history.back()")
    tab.sees("#more a", "Back to the bids")
    tab.open("about:blank")


def ends_the_game(tab: Tab) -> None:
    mark(tab, ENDS_A_GAME)
    tab.sees("#sentence", "win the game")
    tab.tap('.sheet a[href*="#A-"]')
    tab.tap(f'button[name="said"][value="{ENDS_A_GAME}"]')
    tab.tap('button[name="confirmed"]')
    tab.sees(".agree h2", "win the game")
    tab.tap('button[name="side"][value="A"]')
    tab.sees(".given")


def closes_the_round(tab: Tab, hall: Hall, event: Event) -> None:
    tab.open(f"{HALL}/en/sign-in")
    tab.type("input[name=name]", hall.owner.name)
    tab.type("input[name=password]", PASSWORD)
    tab.leaves_by("form:has([name=password]) button")
    tab.sees("h1", "Les Joyeux Atouts")
    tab.open(f"{HALL}/en/e/{event.short}/desk")
    tab.tap('form[action$="/close"] button')
    tab.sees("main", "Round 1 is closed")


def test_a_night(tab: Tab, hall: Hall, network: SpoilingProxy) -> None:
    event = hall.a_night()
    joins(tab, hall)
    mark(tab, "A-6-7")
    tab.sees(".panels .total", "6")
    tab.sees(".chip.at-rest", "Sent")
    assert score(hall.match) == [6, 0]

    loses(network)
    plays_without_a_network(tab)
    assert score(hall.match) == [6, 0]
    network.spoil = no_fault
    joins(tab, hall)
    tab.sees("#screen h1 + p", "Hand 3")
    tab.sees(".chip.at-rest", "Sent")
    assert score(hall.match) == [6, 7]

    loses(network)
    ends_the_game(tab)
    finds(tab, network)
    assert fresh(hall.match).is_over
    tab.tap('button[name="side"][value="B"]')
    tab.sees(".agree", "Both sides agree")

    closes_the_round(tab, hall, event)
    standings_after(event)
    tab.open(f"{HALL}/en/e/{event.short}")
    tab.sees(".standings li summary", "Jeannine R. and Marcel D.")


@pytest.fixture
def store_page(prepared: None, tmp_path: Path) -> Iterator[str]:
    """The address of ``store.html``, beside the scripts as they are served."""
    folder = tmp_path / "site"
    shutil.copytree(settings.STATIC_ROOT / "js", folder / "js")
    shutil.copy(Path(__file__).with_name("store.html"), folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as site:
        thread = threading.Thread(target=site.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{site.server_port}/store.html"
        site.shutdown()
        thread.join()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002 -- its name there
        """Nothing."""


def said_by(tab: Tab, address: str) -> object:
    tab.open(address)
    tab.sees("#said", "{")
    return json.loads(tab.value_of("document.querySelector('#said').textContent"))


def test_what_a_full_device_kept_in_memory_is_written_down_in_its_order(tab: Tab, store_page: str) -> None:
    assert said_by(tab, store_page) == {
        "durability": "strict",
        "whileFull": "a b c d e",
        "inMemory": 0,
        "written": "a b c d e f g",
    }
    assert said_by(tab, f"{store_page}?again") == {"written": "a b c d e f g"}
