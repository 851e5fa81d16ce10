"""Each hand in a log comes from two deliberate taps on visible keys, whatever else is tapped."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from rules import RULESETS
from scoring.services.scorekeeper import answer_scorekeeper_request, request_scorekeeper_role
from tests.builders import TWO_GAMES
from tests.journeys.hall import Hall, Server
from tests.journeys.phone import Phones
from tests.long_runs import RUN_SEED, choose_count
from tournaments.messages.services import send_message

TAPS = choose_count(40, long=10_000)
LISTEN = """
  const find = (selector) => document.querySelector(selector);
  const seen = () => [location.hash, find("#screen")?.dataset.number, Boolean(find(".sheet")),
    find("#screen :is(.agree, .play, .onlooker)")?.className].join();
  let screen = "", since = 0;
  const look = () => { if (seen() !== screen) { screen = seen(); since = Date.now(); } };
  setInterval(look, 10);
  addEventListener("hashchange", look);
  addEventListener("click", (event) => {
    look();
    const key = event.target.closest?.("#screen :is(a, button)");
    if (!key || (event.detail && Date.now() - since < 450)) return; // keys act on what has the focus
    const said = key.name === "said" ? key.value : (key.getAttribute("href") ?? "").split("#")[1];
    if (said) sessionStorage.setItem("taps", `${sessionStorage.getItem("taps") ?? ""} ${said}`);
  }, true);
"""
"""Records each tap on a screen that has not changed for 450 ms: the bid or the result of its key."""


def test_every_recorded_hand_comes_from_two_deliberate_taps(hall: Hall, phones: Phones, server: Server) -> None:
    lots = random.Random(f"monkey {RUN_SEED}")
    event = hall.build_night(pairs=2, ruleset=RULESETS["maine"], match_format=TWO_GAMES)
    phone = phones()
    phone.page.add_init_script(LISTEN)
    phone.open(hall.table)
    happenings: list[Callable[[], object]] = [
        lambda: send_message(event_id=event.pk, text=f"Message {lots.random()}"[:40]),
        lambda: request_scorekeeper_role(match_id=hall.match.pk, device="another phone"),
        lambda: answer_scorekeeper_request(match_id=hall.match.pk, device=hall.match.scorekeeper.holder, gives=False),
        lambda: phone.page.set_viewport_size({"width": 844, "height": 390}),
        lambda: phone.page.set_viewport_size({"width": 390, "height": 844}),
        lambda: phone.page.context.set_offline(True),
        lambda: phone.page.context.set_offline(False),
        lambda: phone.page.keyboard.press(lots.choice(["Tab", "Enter", "Escape"])),
    ]
    for _ in range(TAPS):
        if lots.random() < 0.1:
            lots.choice(happenings)()
        tap_somewhere(phone.page, lots)
        if not phone.page.url.partition("#")[0].endswith(hall.table):  # the tap opened the rules or the hands
            phone.page.context.set_offline(False)
            phone.open(hall.table)
    phone.page.context.set_offline(False)
    phone.poll_for_updates()
    taps = Counter(str(phone.page.evaluate("sessionStorage.getItem('taps') ?? ''")).split())
    hands = {
        (mark.number, get_result_key(mark.record_data)) for mark in hall.match.marks.all()
    }  # as a set, since a hand may be undone and restored
    results = Counter(key for _, key in hands if key)
    bids = Counter(key.rpartition("-")[0] for _, key in hands if key)
    assert (bids - taps, results - taps) == (Counter(), Counter())


def get_result_key(record: dict[str, Any]) -> str:
    """Return the key that records this result, or "" if none does."""
    if record["kind"] != "hand":
        return ""
    return f"{record['side']}-{record['contract']}-{record.get('tricks', record.get('outcome'))}"


def tap_somewhere(page: Page, lots: random.Random) -> None:
    """Tap, double-tap or drag at a random place, more often where keys are."""
    size = page.viewport_size
    assert size is not None
    x, y = lots.randrange(size["width"]), int(size["height"] * lots.random() ** 0.7)
    kind = lots.random()
    if kind < 0.15:
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(lots.randrange(size["width"]), lots.randrange(size["height"]))
        page.mouse.up()
        return
    page.mouse.click(x, y)
    if kind < 0.5:
        page.wait_for_timeout(lots.choice([40, 90, 150, 300]))
        page.mouse.click(x, y)
    page.wait_for_timeout(lots.choice([0, 50, 400, 700]))
