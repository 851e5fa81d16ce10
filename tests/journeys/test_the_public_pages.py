"""Public pages of a club on real screens: light to load, still while loading, readable by all."""

from __future__ import annotations

from datetime import time
from functools import partial
from zlib import compress

import pytest
from playwright.sync_api import Response, expect

from clubs.calendar import today_in
from clubs.models import Person
from clubs.services import NightDetails, add_recurring_night
from tests.builders import (
    a_club,
    a_running_night,
    matches_of,
    next_round,
    play,
    play_round,
    standings_after,
    win,
)
from tests.journeys.axe import violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.journeys.test_layout import SIDEWAYS
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Event
from tournaments.records.services import refresh_ratings
from tournaments.seasons.services import open_season, refresh_seasons

MOST_BYTES = 33_600
"""Of a page with all that it is made with, compressed as `up` serves it, without pictures."""
MOST_REQUESTS = 6
MOST_SHIFT = 0.1

CUT_OFF = """[...document.querySelectorAll("main *, header *")].filter((element) => {
  const box = element.getBoundingClientRect();
  return box.width > 1 && (box.right > innerWidth + 1 || box.left < -1) && !element.closest(".wide");
}).map((element) => element.outerHTML.slice(0, 120))"""
"""What lies outside the screen, but for brackets and cross tables, which scroll by themselves."""

WATCH_SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


class Public:
    """A club with a large night in its second round, a bracket that is over, a season and a calendar."""

    def __init__(self, hall: Hall) -> None:
        self.club = a_club(owner=hall.owner)
        self.bracket = a_running_night(8, club=self.club, draw_format="knockout")
        for number in (1, 2, 3):
            if number > 1:
                next_round(self.bracket)
            play_round(self.bracket, number)
        standings_after(self.bracket)
        end_event(event_id=self.bracket.pk)
        self.event: Event = a_running_night(80, club=self.club, draw_format="swiss", tables=40)
        play_round(self.event)
        next_round(self.event)
        play(matches_of(self.event, 2)[0], "A 6 7", "B 7 5", "passed_out", "A mulot made")
        standings_after(self.event)
        refresh_ratings(club_id=self.club.pk)
        day = self.event.held_on
        self.season = open_season(
            club=self.club, name="Automne", starts=day, ends=day, ladders=[{"name": "Général"}]
        )
        refresh_seasons(club_id=self.club.pk)
        night = NightDetails(name="Mardi", pattern="weekly", first_on=today_in(self.club), starts_at=time(19))
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


def test_each_is_light_and_does_not_move_while_it_loads(public: Public, phones: Phones) -> None:
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
        shift = float(str(phone.runs("window.shifted")))
        if weight > MOST_BYTES or len(loaded) > MOST_REQUESTS or shift >= MOST_SHIFT:
            found[path] = (weight, len(loaded), shift)
    assert found == {}


def test_each_is_right_for_axe_and_fits_small_phones_and_large_letters(
    public: Public, phones: Phones
) -> None:
    phone = phones(locale="fr-CA")
    found, cut_off = {}, {}
    for path in public.pages:
        phone.open(path)
        for width, letters in ((320, 32), (320, 16), (390, 16)):
            phone.resize(width, text=letters)
            phone.picture(f"{width}-{letters}-" + path.strip("/").replace("/", "-").replace("?", "-"))
            cut_off[path, width, letters] = phone.runs(CUT_OFF), phone.runs(SIDEWAYS)
        if wrong := violations(phone):
            found[path] = wrong
    assert found == {}
    assert {where: what for where, what in cut_off.items() if what != ([], 0)} == {}


def test_somebody_finds_the_table_as_they_type_while_news_come_in(public: Public, phones: Phones) -> None:
    phone = phones(locale="fr-CA")
    phone.open(f"/fr/e/{public.event.short}")
    entry = public.event.entries.all()[0]
    field, found = phone.page.locator("#who"), phone.page.locator("#found")
    field.press_sequentially(entry.player_1.name.partition(" ")[0].lower())
    phone.page.clock.run_for(400)
    expect(found.locator("li").first).to_contain_text("ronde 2")
    field.press_sequentially(" ")
    win(matches_of(public.event, 2)[3])
    phone.looks_for_news()
    expect(phone.page.locator(".pairings > li").nth(3).locator(".winner")).to_be_visible()
    expect(field).to_be_focused()
    expect(found.locator("li").first).to_contain_text("ronde 2")


def test_a_page_is_as_light_or_dark_as_its_reader_has_chosen_and_stays_so_whatever_else_they_tap(
    public: Public, phones: Phones
) -> None:
    phone = phones(color_scheme="light")
    phone.open(f"/en/e/{public.event.short}")
    phone.tap(phone.page.locator("h1"))
    expect(phone.page.locator("html")).not_to_have_attribute("data-theme", "dark")
    phone.tap(phone.button("Light or dark"))
    expect(phone.page.locator("html")).to_have_attribute("data-theme", "dark")
    phone.tap(phone.page.locator("h1"))
    phone.tap(phone.link(public.event.club.name))
    expect(phone.page.locator("html")).to_have_attribute("data-theme", "dark")


def test_everything_is_there_without_scripts(public: Public, phones: Phones) -> None:
    phone: Phone = phones(java_script_enabled=False, locale="fr-CA")
    for path in public.pages:
        answer = phone.page.goto(path)
        assert answer is not None
        assert answer.status == 200
        expect(phone.page.locator("h1")).to_be_visible()
    phone.open(f"/fr/e/{public.event.short}")
    phone.page.locator("#who").fill(public.event.entries.all()[0].player_1.name)
    phone.button("Trouver").click()
    phone.page.locator("#found a").first.click()
    expect(phone.page.locator("h1")).to_contain_text("Table")
    phone.link("Toutes les tables").click()
    phone.link("^Table 1$").click()
    expect(phone.page.locator("tbody tr")).to_have_count(4)
