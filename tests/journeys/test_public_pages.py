"""Public pages of a club on real screens: small, stable while loading, accessible, and usable without scripts."""

from __future__ import annotations

from datetime import time
from functools import partial
from zlib import compress

import pytest
from playwright.sync_api import Response, expect

from clubs.calendar import get_club_today
from clubs.models import Person
from clubs.services.calendar import NightDetails, add_recurring_night
from tests.builders import (
    build_club,
    build_running_night,
    compute_standings,
    matches_of,
    play,
    play_round,
    start_next_round,
    win,
)
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Event
from tournaments.records.services import refresh_ratings
from tournaments.seasons.services import open_season, refresh_seasons

MAX_BYTES = 33_700
"""Limit for a page with all its resources except pictures, compressed as `up` serves them."""
MAX_REQUESTS = 6
MAX_SHIFT = 0.1

CUT_OFF_SCRIPT = """[...document.querySelectorAll("main *, header *")].filter((element) => {
  const box = element.getBoundingClientRect();
  return box.width > 1 && (box.right > innerWidth + 1 || box.left < -1) && !element.closest(".wide");
}).map((element) => element.outerHTML.slice(0, 120))"""
"""Elements outside the screen, except in brackets and cross tables, which scroll by themselves."""

WATCH_SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


class Public:
    """A club with a large night in its second round, a finished bracket, a season and a calendar."""

    def __init__(self, hall: Hall) -> None:
        self.club = build_club(owner=hall.owner)
        self.bracket = build_running_night(8, club=self.club, draw_format="knockout")
        for number in (1, 2, 3):
            if number > 1:
                start_next_round(self.bracket)
            play_round(self.bracket, number)
        compute_standings(self.bracket)
        end_event(event_id=self.bracket.pk)
        self.event: Event = build_running_night(80, club=self.club, draw_format="swiss", tables=40)
        play_round(self.event)
        start_next_round(self.event)
        play(matches_of(self.event, 2)[0], "A 6 7", "B 7 5", "passed_out", "A mulot made")
        compute_standings(self.event)
        refresh_ratings(club_id=self.club.pk)
        day = self.event.held_on
        self.season = open_season(club=self.club, name="Automne", starts=day, ends=day, ladders=[{"name": "Général"}])
        refresh_seasons(club_id=self.club.pk)
        night = NightDetails(name="Mardi", pattern="weekly", first_on=get_club_today(self.club), starts_at=time(19))
        add_recurring_night(club_id=self.club.pk, details=night)
        self.person = Person.objects.filter(club=self.club, record__isnull=False).earliest("pk")

    @property
    def pages(self) -> list[str]:
        event, front, bracket = (
            f"/fr/e/{self.event.short}",
            f"/fr/c/{self.club.slug}",
            f"/fr/e/{self.bracket.short}",
        )
        return [
            *("/fr/", event, f"{event}?who=a", f"{event}/rounds/1", f"{event}/rounds/2/tables/1"),
            *(f"{event}/standings", f"{event}/standings/1", f"{event}/rules", bracket, f"{bracket}/charts"),
            *(front, f"{front}/calendar", f"{front}/seasons/{self.season.pk}", f"{front}/records"),
            *(f"{front}/ratings", f"{front}/people/{self.person.pk}"),
        ]


@pytest.fixture
def public(hall: Hall) -> Public:
    return Public(hall)


def test_public_pages_are_small_and_do_not_shift_while_loading(public: Public, phones: Phones) -> None:
    found = {}
    phone = phones(locale="fr-CA", color_scheme="light")
    answers: list[Response] = []
    phone.page.on("response", partial(list.append, answers))
    phone.page.add_init_script(WATCH_SHIFTS)
    tools = phone.page.context.new_cdp_session(phone.page)
    for path in public.pages:
        tools.send("Network.clearBrowserCache")
        answers.clear()
        phone.open(path)
        phone.page.wait_for_load_state("networkidle")
        loaded = [one for one in answers if one.request.resource_type not in ("image", "eventsource")]
        weight = sum(len(compress(one.body(), 9)) for one in loaded)
        shift = float(str(phone.run_script("window.shifted")))
        if weight > MAX_BYTES or len(loaded) > MAX_REQUESTS or shift >= MAX_SHIFT:
            found[path] = (weight, len(loaded), shift)
    assert found == {}


def test_reader_finds_a_table_while_typing_during_updates(public: Public, phones: Phones) -> None:
    phone = phones(locale="fr-CA")
    phone.open(f"/fr/e/{public.event.short}")
    entry = public.event.entries.all()[0]
    field, found = phone.page.locator("#who"), phone.page.locator("#found")
    field.press_sequentially(entry.player_1.name.partition(" ")[0].lower())
    phone.page.clock.run_for(400)
    expect(found.locator("li").first).to_contain_text("ronde 2")
    field.press_sequentially(" ")
    win(matches_of(public.event, 2)[3])
    phone.poll_for_updates()
    expect(phone.page.locator(".pairings > li").nth(3).locator(".winner")).to_be_visible()
    expect(field).to_be_focused()
    expect(found.locator("li").first).to_contain_text("ronde 2")


@pytest.mark.long
def test_chosen_theme_persists_across_pages(public: Public, phones: Phones) -> None:
    phone = phones(color_scheme="light")
    phone.open(f"/en/e/{public.event.short}")
    phone.tap(phone.page.locator("h1"))
    expect(phone.page.locator("html")).not_to_have_attribute("data-theme", "dark")
    phone.tap(phone.find_button("Light or dark"))
    expect(phone.page.locator("html")).to_have_attribute("data-theme", "dark")
    phone.tap(phone.page.locator("h1"))
    phone.tap(phone.link(public.event.club.name))
    expect(phone.page.locator("html")).to_have_attribute("data-theme", "dark")


def test_public_pages_work_without_scripts(public: Public, phones: Phones) -> None:
    phone: Phone = phones(java_script_enabled=False, locale="fr-CA")
    for path in public.pages:
        answer = phone.page.goto(path)
        assert answer is not None
        assert answer.status == 200
        expect(phone.page.locator("h1")).to_be_visible()
    phone.open(f"/fr/e/{public.event.short}")
    phone.page.locator("#who").fill(public.event.entries.all()[0].player_1.name)
    phone.find_button("Trouver").click()
    phone.page.locator("#found a").first.click()
    expect(phone.page.locator("h1")).to_contain_text("Table")
    phone.link("Toutes les tables").click()
    phone.link("^Table 1$").click()
    expect(phone.page.locator("tbody tr")).to_have_count(4)
