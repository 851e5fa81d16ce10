"""A night in each installed browser engine: a table with and without network, the desk and the public page."""

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

from tests.builders import PASSWORD, compute_standings, get_score, reload_match
from tests.journeys.engines import HALL, Tab, join_table, mark
from tests.journeys.hall import Hall
from tests.spoiling_proxy import Fault, SpoilingProxy, find_no_fault
from tournaments.models import Event

ENDS_A_GAME = "A-gros_charlemagne-8"


def lose_network(network: SpoilingProxy) -> None:
    network.spoil = lambda method, path, count: Fault.RESET


def find_network(tab: Tab, network: SpoilingProxy) -> None:
    """Restore the network, and let the browser report it."""
    network.spoil = find_no_fault
    tab.value_of('dispatchEvent(new Event("online"))')
    tab.wait_for_text(".chip.connected", "Sent")


def play_offline(tab: Tab) -> None:
    """Record a hand, open the list of hands, and leave the page."""
    mark(tab, "B-7-7")
    tab.wait_for_text("#screen h1 + p", "Hand 3")
    tab.wait_for_text(".band .chip", "1 to send")
    tab.tap('a[href="#more"]')
    tab.tap('#more a[href$="/hands"]')
    tab.wait_for_text("#screen h1 + p", "All hands")
    tab.wait_for_text(".hands li", "7 made")
    tab.value_of("history.back()")
    tab.wait_for_text("#more a", "Back to the bids")
    tab.open("about:blank")


def end_game(tab: Tab) -> None:
    mark(tab, ENDS_A_GAME)
    tab.wait_for_text("#sentence", "win the game")
    tab.tap('.sheet a[href*="#A-"]')
    tab.tap(f'button[name="said"][value="{ENDS_A_GAME}"]')
    tab.tap('button[name="confirmed"]')
    tab.wait_for_text(".agree h2", "win the game")
    tab.tap('button[name="side"][value="A"]')
    tab.wait_for_text(".confirmed")


def close_round_at_desk(tab: Tab, hall: Hall, event: Event) -> None:
    tab.open(f"{HALL}/en/sign-in")
    tab.type("input[name=name]", hall.owner.name)
    tab.type("input[name=password]", PASSWORD)
    tab.leave_page_by("form:has([name=password]) button")
    tab.wait_for_text("h1", "Les Joyeux Atouts")
    tab.open(f"{HALL}/en/e/{event.short}/desk")
    tab.tap('form[action$="/close"] button')
    tab.wait_for_text("main", "Round 1 is closed")


@pytest.mark.parametrize(
    "tab",
    [pytest.param("Chromium", marks=pytest.mark.long("other journeys play a night in it")), "Firefox", "WebKit"],
    indirect=True,
)
def test_night_runs_in_every_browser_engine(tab: Tab, hall: Hall, network: SpoilingProxy) -> None:
    event = hall.build_night()
    join_table(tab, hall)
    mark(tab, "A-6-7")
    tab.wait_for_text(".panels .total", "6")
    tab.wait_for_text(".chip.connected", "Sent")
    assert get_score(hall.match) == [6, 0]

    lose_network(network)
    play_offline(tab)
    assert get_score(hall.match) == [6, 0]
    network.spoil = find_no_fault
    join_table(tab, hall)
    tab.wait_for_text("#screen h1 + p", "Hand 3")
    tab.wait_for_text(".chip.connected", "Sent")
    assert get_score(hall.match) == [6, 7]

    lose_network(network)
    end_game(tab)
    find_network(tab, network)
    assert reload_match(hall.match).is_over
    tab.tap('button[name="side"][value="B"]')
    tab.wait_for_text(".agree", "Result confirmed")

    close_round_at_desk(tab, hall, event)
    compute_standings(event)
    tab.open(f"{HALL}/en/e/{event.short}")
    tab.wait_for_text(".standings li summary", "Jeannine R. and Marcel D.")


CLOSES = """(() => {
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (...asked) {
    IDBDatabase.prototype.transaction = transaction;
    this.close();
    return transaction.apply(this, asked);
  };
})()"""
"""Closes the database of an open page, as a browser may; the page notices at its next transaction."""
BLOCK_STORAGE_SCRIPT = f"void [IDBFactory.prototype.open = () => ({{}}), {CLOSES}]"


def test_browser_that_closes_the_database_loses_no_hand(tab: Tab, hall: Hall, network: SpoilingProxy) -> None:
    hall.build_night()
    join_table(tab, hall)
    lose_network(network)
    mark(tab, "A-5-5")
    tab.wait_for_text("#screen h1 + p", "Hand 2")
    tab.value_of(CLOSES)
    mark(tab, "B-7-7")
    tab.wait_for_text("#screen h1 + p", "Hand 3")
    tab.wait_for_text(".band .chip", "2 to send")
    tab.wait_for_text(".panels .total", "5")
    tab.wait_for_text(".panels .total", "7")
    tab.wait_for_text("#to-send", "Everything is saved on this phone")
    find_network(tab, network)
    join_table(tab, hall)
    tab.wait_for_text("#screen h1 + p", "Hand 3")
    assert get_score(hall.match) == [5, 7]

    lose_network(network)
    mark(tab, "A-6-6")
    tab.wait_for_text("#screen h1 + p", "Hand 4")
    tab.value_of(BLOCK_STORAGE_SCRIPT)
    mark(tab, "B-8-8")
    tab.wait_for_text("#screen h1 + p", "Hand 5")
    tab.wait_for_text(".band .chip", "2 to send")
    tab.wait_for_text("#outbox", "Keep this page open until sent")
    tab.open("about:blank")
    network.spoil = find_no_fault
    join_table(tab, hall)
    tab.wait_for_text("#screen h1 + p", "Hand 5")
    tab.wait_for_text(".chip.connected", "Sent")
    assert get_score(hall.match) == [11, 15]


@pytest.fixture
def store_page(prepared: None, tmp_path: Path) -> Iterator[str]:
    """Yield the address of ``store.html``, beside the scripts as they are served."""
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
        """Log nothing."""


def read_answer(tab: Tab, address: str) -> object:
    tab.open(address)
    tab.wait_for_text("#said", "{")
    return json.loads(tab.value_of("document.querySelector('#said').textContent"))


def test_store_keeps_everything_in_order_despite_database_failures(tab: Tab, store_page: str) -> None:
    assert read_answer(tab, store_page) == {
        "durability": "strict",
        "whileFull": "a b c d e",
        "inMemory": 0,
        "afterClosing": "a b c d e f g",
        "afterDeletion": "a b c d e f g h",
        "whileNewer": "a b c d e f g h i",
        "inMemoryWhileNewer": 1,
        "written": "a b c d e f g h i j",
    }
    assert read_answer(tab, f"{store_page}?again") == {"written": "a b c d e f g h i j"}
