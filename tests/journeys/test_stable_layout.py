"""Stable layout: no key moves under a finger, and a second tap on a changed screen does nothing.

The tests run in every engine, because browsers treat taps differently.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from rules import RULESETS
from scoring.services.agreement import call_desk
from scoring.services.scorekeeper import request_scorekeeper_role
from tests.builders import TWO_GAMES, list_statuses, mark, play, play_round, start_next_round
from tests.journeys.engines import Tab, join_table
from tests.journeys.engines import mark as taps_a_hand
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.spoiling_proxy import Fault, SpoilingProxy, find_no_fault
from tests.support.waiting import wait_until
from tournaments.messages.services import send_message
from tournaments.models import Event

PAUSE = 0.6
"""Seconds after a change of the screen until its keys accept taps again."""

POINTS = """(() => {
  const name = (key) => key && [key.getAttribute("href"), key.name, key.value].join(" ");
  const groups = "#screen :is(.lanes, .others, .outcomes, .tricks, .last)";
  const keys = [...document.querySelectorAll(`${groups} :is(a, button)`)];
  window.points = keys.flatMap((key) => {
    const {left, top, width, height} = key.getBoundingClientRect();
    const at = (x, y) => [left + width * x, top + height * y];
    return width ? [.1, .5, .9].flatMap((x) => [.1, .5, .9].map((y) => at(x, y))) : [];
  });
  const keyAt = ([x, y]) => document.elementFromPoint(x, y)?.closest("a, button");
  window.keysThere = () => points.map((point) => name(keyAt(point)));
  window.before = keysThere();
  return points.length;
})()"""
"""Stores nine points of every visible key, and the key at each point."""

OTHERS = """keysThere().map((now, place) => [before[place], now])
  .filter(([then, now]) => now && now !== then).map((pair) => pair.join(" -> "))"""
"""Points at which there is another key now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Events that may happen around a phone."""

    hall: Hall
    event: Event
    network: SpoilingProxy

    def lose_network(self) -> str:
        self.network.spoil = lambda method, path, count: Fault.RESET
        return "body.offline"

    def restore_network(self) -> str:
        self.network.spoil = find_no_fault
        return "body:not(.offline)"

    def send_desk_message(self) -> str:
        send_message(event_id=self.event.pk, text="Le café est servi, et le gâteau aussi : venez tous.")
        return ".news .desk-message"

    def ask_from_other_phone(self) -> str:
        request_scorekeeper_role(match_id=self.hall.match.pk, device="another phone")
        return ".news [data-request]"

    def correct_hand(self) -> str:
        match = self.hall.match
        mark(match, "A 8 8", replaced=match.marks.get(number=1), director=self.hall.owner)
        return ".total"

    def call_to_the_desk(self) -> str:
        call_desk(match_id=self.hall.match.pk, note="", device="", entry_key=None)
        return ".news"


EVENTS: tuple[Callable[[Scene], str], ...] = (
    Scene.lose_network,
    Scene.restore_network,
    Scene.send_desk_message,
    Scene.ask_from_other_phone,
    Scene.correct_hand,
    Scene.call_to_the_desk,
)


@pytest.mark.parametrize("step", ["", "A-6"], ids=["bids", "result"])
def test_incoming_update_moves_no_key(tab: Tab, hall: Hall, network: SpoilingProxy, step: str) -> None:
    event = hall.build_night(pairs=2, match_format=TWO_GAMES)
    play(hall.match, "A 5 5", "B 6 6")
    join_table(tab, hall)
    taps_a_hand(tab, "B-7-7")  # makes this phone the scorekeeper
    tab.wait_for_text(".band", "Hand 4")
    tab.wait_for_text(".chip.connected", "Sent")
    if step:
        tab.tap(f'.lanes a[href$="#{step}"]')
        tab.wait_for_text(".step:target")
        time.sleep(PAUSE)
    scene = Scene(hall=hall, event=event, network=network)
    moved: dict[str, Any] = {}
    for happens in EVENTS:
        time.sleep(PAUSE)
        assert tab.value_of(POINTS)
        tab.wait_for_text(happens(scene))
        time.sleep(PAUSE)
        if others := tab.value_of(OTHERS):
            moved[happens.__name__] = others
    assert moved == {}


@pytest.mark.long
def test_the_next_round_moves_no_key(tab: Tab, hall: Hall) -> None:
    event = hall.build_night(pairs=2)
    join_table(tab, hall)
    taps_a_hand(tab, "A-6-7")
    tab.wait_for_text(".chip.connected", "Sent")
    wait_until(hall.match.marks.exists)
    play_round(event)
    start_next_round(event, seed=2)
    tab.wait_for_text(".band", "round 2")
    tab.value_of(POINTS)
    tab.wait_for_text(".lanes")
    time.sleep(PAUSE)
    assert tab.value_of(OTHERS) == []


DOUBLE_TAP = """(async () => {
  const key = document.querySelector('button[name="said"][value="A-6-7"]');
  const {left, top, width, height} = key.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const click = () => new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 });
  const tap = () => document.elementFromPoint(x, y)?.dispatchEvent(click());
  tap();
  for (const pause of [60, 90, 150]) {
    await new Promise((done) => setTimeout(done, pause));
    tap();
  }
  document.body.dataset.tapped = "";
})(), true"""
"""Four taps on the key of seven tricks within 300 milliseconds."""


def test_a_double_tap_on_a_result_opens_no_bid(tab: Tab, hall: Hall) -> None:
    hall.build_night()
    join_table(tab, hall)
    tab.tap('.lanes a[href$="#A-6"]')
    tab.wait_for_text(".step:target")
    time.sleep(PAUSE)
    tab.value_of(DOUBLE_TAP)
    tab.wait_for_text("#screen h1 + p", "Hand 2")
    tab.wait_for_text("body[data-tapped]")
    time.sleep(PAUSE)
    assert tab.value_of("location.hash") == ""
    assert tab.value_of("document.querySelector('.step:target')") is None
    tab.wait_for_text(".chip.connected", "Sent")
    assert list_statuses(hall.match) == [(1, "current")]


SIZES = {"on its side": (844, 390), "upright": (390, 844), "a keyboard": (390, 500), "small": (360, 640)}


def test_rotation_or_larger_text_puts_no_other_key_under_the_finger(hall: Hall, phones: Phones) -> None:
    phone = phones()
    moved = {}
    for ruleset in ("canadian", "maine"):
        hall.build_night(ruleset=RULESETS[ruleset])
        play(hall.match, "A 5 5")
        phone.open(hall.table)
        phone.wait_for_taps()
        changes: dict[str, Callable[[], object]] = {
            size: partial(phone.page.set_viewport_size, {"width": width, "height": height})
            for size, (width, height) in SIZES.items()
        }
        changes |= {f"text of {pixels}": partial(phone.set_text_size, pixels) for pixels in (24, 16)}
        for name, change in changes.items():
            if others := find_moved_keys(phone, change):
                moved[ruleset, name] = others
    assert moved == {}


def find_moved_keys(phone: Phone, change: Callable[[], object]) -> object:
    phone.run_script(POINTS)
    change()
    phone.page.wait_for_timeout(PAUSE * 1_000)
    others = phone.run_script(OTHERS)
    phone.wait_for_taps()
    return others
