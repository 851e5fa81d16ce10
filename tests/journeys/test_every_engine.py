"""The night in each engine that this machine has: a table, with and without a network, desk, public page."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from django.conf import settings

from tests import parts
from tests.builders import PASSWORD, fresh, score, standings_after
from tests.journeys.engines import HALL, Tab, joins, mark
from tests.journeys.hall import Hall
from tests.spoiling_proxy import Fault, SpoilingProxy, no_fault
from tournaments.models import Event

ENDS_A_GAME = "A-gros_charlemagne-8"


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
    tab.sees("#screen h1 + p", "All hands")
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


@pytest.mark.parametrize("tab", parts.ENGINES, indirect=True)
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
    tab.sees(".agree", "Result confirmed")

    closes_the_round(tab, hall, event)
    standings_after(event)
    tab.open(f"{HALL}/en/e/{event.short}")
    tab.sees(".standings li summary", "Jeannine R. and Marcel D.")


CLOSES = """(() => {
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (...asked) {
    IDBDatabase.prototype.transaction = transaction;
    this.close();
    return transaction.apply(this, asked);
  };
})()"""
"""The browser takes the database from an open page, which finds out when it asks for something."""
NEVER_OPENS_AGAIN = f"void [IDBFactory.prototype.open = () => ({{}}), {CLOSES}]"


def test_a_browser_that_takes_the_database_from_an_open_page_loses_and_hides_no_hand(
    tab: Tab, hall: Hall, network: SpoilingProxy
) -> None:
    hall.a_night()
    joins(tab, hall)
    loses(network)
    mark(tab, "A-5-5")
    tab.sees("#screen h1 + p", "Hand 2")
    tab.value_of(CLOSES)
    mark(tab, "B-7-7")
    tab.sees("#screen h1 + p", "Hand 3")
    tab.sees(".band .chip", "2 to send")
    tab.sees(".panels .total", "5")
    tab.sees(".panels .total", "7")
    tab.sees("#to-send", "Everything is saved on this phone")
    finds(tab, network)
    joins(tab, hall)
    tab.sees("#screen h1 + p", "Hand 3")
    assert score(hall.match) == [5, 7]

    loses(network)
    mark(tab, "A-6-6")
    tab.sees("#screen h1 + p", "Hand 4")
    tab.value_of(NEVER_OPENS_AGAIN)
    mark(tab, "B-8-8")
    tab.sees("#screen h1 + p", "Hand 5")
    tab.sees(".band .chip", "2 to send")
    tab.sees("#outbox", "Keep this page open until sent")
    tab.open("about:blank")
    network.spoil = no_fault
    joins(tab, hall)
    tab.sees("#screen h1 + p", "Hand 5")
    tab.sees(".chip.at-rest", "Sent")
    assert score(hall.match) == [11, 15]


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


def test_the_store_keeps_everything_in_its_order_whatever_becomes_of_the_database(
    tab: Tab, store_page: str
) -> None:
    assert said_by(tab, store_page) == {
        "durability": "strict",
        "whileFull": "a b c d e",
        "inMemory": 0,
        "afterClosing": "a b c d e f g",
        "afterDeletion": "a b c d e f g h",
        "whileNewer": "a b c d e f g h i",
        "inMemoryWhileNewer": 1,
        "written": "a b c d e f g h i j",
    }
    assert said_by(tab, f"{store_page}?again") == {"written": "a b c d e f g h i j"}
