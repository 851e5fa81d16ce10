"""Time, network and other phones as a table sees them; larger and aloud on request."""

from __future__ import annotations

from datetime import timedelta
from unittest.mock import patch

from django.utils import timezone
from playwright.sync_api import expect

from scoring.services import request_scorekeeping
from tests.builders import BY_THE_CLOCK, play
from tests.journeys.hall import Hall, Server
from tests.journeys.phone import Phones, wait_until
from tournaments.rounds.services.clock import begin_round

SPEAKS = """
  window.spoken = [];
  speechSynthesis.speak = (utterance) => spoken.push([utterance.lang, utterance.text]);
"""
FIGURES = """[".scores .total", ".lanes .key:not(.named)"].map((part) =>
  parseFloat(getComputedStyle(document.querySelector(part)).fontSize))"""


def test_times_up_is_large_on_every_phone_of_a_table(hall: Hall, phones: Phones) -> None:
    event = hall.a_night(match_format=BY_THE_CLOCK)
    with patch.object(timezone, "now", return_value=timezone.now() - timedelta(minutes=51)):
        begin_round(event_id=event.pk, number=1)
    for text in (16, 32):
        phone = phones(locale="fr-CA")
        phone.open(hall.table)
        phone.reads_text_of(text)
        notice = phone.page.locator(".news .time-up")
        expect(notice).to_have_text("Temps écoulé : finissez cette main.", use_inner_text=True)
        expect(notice).to_be_in_viewport(ratio=0.5)


def test_the_status_never_says_sent_for_five_seconds_after_the_server_fell_silent(
    hall: Hall, phones: Phones, server: Server
) -> None:
    hall.a_night()
    phone = phones()
    phone.open(hall.table)
    phone.has_sent()
    phone.page.route("**/*", lambda route: None)  # a dead network cuts nothing: nobody answers
    server.stop()
    phone.stops_the_clock()
    phone.page.clock.run_for(5_000)
    expect(phone.screen.get_by_text("Sent", exact=True)).to_be_hidden()
    phone.page.unroute_all()
    server.start()


def test_a_phone_that_asks_to_keep_score_counts_down_and_keeps_to_it(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    play(hall.match, "A 6 7")
    request_scorekeeping(match_id=hall.match.pk, device="the first phone")
    phone = phones()
    phone.open(hall.table)
    phone.tap(phone.button("Keep score on this phone"))
    count = phone.page.locator(".pencil [data-asks-then] b")
    wait_until(phone.page, lambda: count.inner_text() in {"0:29", "0:28", "0:27"})


def test_figures_grow_and_hands_are_read_aloud_once_switched_on(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    phone = phones(locale="fr-CA")
    phone.page.add_init_script(SPEAKS)
    phone.open(hall.table)
    normal = phone.runs(FIGURES)
    phone.mark("A-6-7")
    assert phone.runs("spoken") == []
    phone.tap(phone.page.locator('a[href="#more"]'))
    phone.tap(phone.page.locator('[data-figures-to="2"]'))
    phone.tap(phone.page.locator("[data-switch-speech]"))
    phone.open(hall.table)
    larger = phone.runs(FIGURES)
    assert isinstance(normal, list)
    assert isinstance(larger, list)
    assert larger[0] == 2 * normal[0]
    assert larger[1] > normal[1]
    phone.mark("B-7-7")
    wait_until(phone.page, lambda: bool(phone.runs("spoken.length")))
    said = phone.runs("spoken.at(-1)")
    assert isinstance(said, list)
    assert said[0] == "fr-CA"
    assert "Main 2" in said[1]
    assert "6" in said[1]


def test_no_gesture_reloads_a_table_while_a_hand_waits(hall: Hall, phones: Phones, server: Server) -> None:
    hall.a_night()
    phone = phones()
    phone.open(hall.table)
    assert phone.runs("getComputedStyle(document.documentElement).overscrollBehaviorY") == "none"
    leaves = "dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    assert phone.runs(leaves)
    server.stop()
    phone.mark("A-6-7")
    expect(phone.screen.get_by_text("1 to send")).to_be_visible()
    expect(phone.page.get_by_text("Do not reload.")).to_be_visible()
    assert not phone.runs(leaves)
    server.start()
