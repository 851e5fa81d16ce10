"""Notices about time, network and other phones at a table, with larger figures and speech on request."""

from __future__ import annotations

from datetime import timedelta
from unittest.mock import patch

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from scoring.services.scorekeeper import request_scorekeeper_role
from tests.builders import FIFTY_MINUTES, play
from tests.journeys.hall import Hall, Server
from tests.journeys.phone import Phones, wait_until
from tournaments.rounds.services.clock import begin_round

SPEAKS = """
  window.spoken = [];
  speechSynthesis.speak = (utterance) => spoken.push([utterance.lang, utterance.text]);
"""
FIGURES = """[".scores .total", ".lanes .key:not(.named)"].map((part) =>
  parseFloat(getComputedStyle(document.querySelector(part)).fontSize))"""


def test_time_is_up_notice_is_large_on_every_phone(hall: Hall, phones: Phones) -> None:
    event = hall.build_night(match_format=FIFTY_MINUTES)
    with patch.object(timezone, "now", return_value=timezone.now() - timedelta(minutes=51)):
        begin_round(event_id=event.pk, number=1)
    for text in (16, 32):
        phone = phones(locale="fr-CA")
        phone.open(hall.table)
        phone.set_text_size(text)
        notice = phone.page.locator(".news .time-up")
        expect(notice).to_have_text("Temps écoulé : finissez cette main.", use_inner_text=True)
        expect(notice).to_be_in_viewport(ratio=0.5)
        if text == 16:
            assert notice.evaluate("one => one.offsetHeight <= one.parentElement.clientHeight")


def test_status_does_not_show_sent_while_the_server_is_silent(hall: Hall, phones: Phones, server: Server) -> None:
    hall.build_night()
    phone = phones()
    phone.open(hall.table)
    phone.has_sent()
    phone.page.route("**/*", lambda route: None)  # a dead network closes no connection: requests get no response
    server.stop()
    phone.stop_clock()
    phone.page.clock.run_for(5_000)
    expect(phone.screen.get_by_text("Sent", exact=True)).to_be_hidden()
    phone.page.unroute_all()
    server.start()


@pytest.mark.long
def test_scorekeeper_request_shows_a_countdown(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    play(hall.match, "A 6 7")
    request_scorekeeper_role(match_id=hall.match.pk, device="the first phone")
    phone = phones()
    phone.open(hall.table)
    phone.tap(phone.find_button("Keep score on this phone"))
    count = phone.page.locator(".scorekeeper [data-request] b")
    wait_until(phone.page, lambda: count.inner_text() in {"0:29", "0:28", "0:27"})


@pytest.mark.long
def test_large_figures_and_reading_aloud_can_be_switched_on(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    phone = phones(locale="fr-CA")
    phone.page.add_init_script(SPEAKS)
    phone.open(hall.table)
    normal = phone.run_script(FIGURES)
    phone.mark("A-6-7")
    assert phone.run_script("spoken") == []
    phone.tap(phone.page.locator('a[href="#more"]'))
    phone.tap(phone.page.locator('[data-figure-size="2"]'))
    phone.tap(phone.page.locator("[data-switch-speech]"))
    phone.open(hall.table)
    larger = phone.run_script(FIGURES)
    assert isinstance(normal, list)
    assert isinstance(larger, list)
    assert larger[0] == 2 * normal[0]
    assert larger[1] > normal[1]
    phone.mark("B-7-7")
    wait_until(phone.page, lambda: bool(phone.run_script("spoken.length")))
    utterance = phone.run_script("spoken.at(-1)")
    assert isinstance(utterance, list)
    assert utterance[0] == "fr-CA"
    assert "Main 2" in utterance[1]
    assert "6" in utterance[1]


def test_page_with_a_waiting_hand_warns_before_a_reload(hall: Hall, phones: Phones, server: Server) -> None:
    hall.build_night()
    phone = phones()
    phone.open(hall.table)
    assert phone.run_script("getComputedStyle(document.documentElement).overscrollBehaviorY") == "none"
    leaves = "dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    assert phone.run_script(leaves)
    server.stop()
    phone.mark("A-6-7")
    expect(phone.screen.get_by_text("1 to send")).to_be_visible()
    expect(phone.page.get_by_text("Do not reload.")).to_be_visible()
    assert not phone.run_script(leaves)
    server.start()
