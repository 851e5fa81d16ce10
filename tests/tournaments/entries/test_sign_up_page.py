"""The public list: two names, and the page says whether one is in or waits."""

from typing import Any

import pytest

from clubs.services import find_or_add_people
from clubs.services.rate_limit import count_miss
from tests.builders import an_event, standings_after
from tests.support.browser import Browser, Page
from tests.support.hall import post
from tests.support.office import Office
from tournaments.entries.services.sign_up import change_sign_up
from tournaments.entries.views.sign_up import MOST_TRIES, TRIES
from tournaments.events.services.lifecycle import start_event
from tournaments.models import Event

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("places are counted under a lock")]


class TestThePublicList:
    def event(self, places: int | None = None, **settings: Any) -> Event:
        event = an_event(2, **settings)
        return change_sign_up(event_id=event.pk, is_open=True, most_entries=places)

    def sign_up(self, browser: Browser, event: Event, *names: str) -> Page:
        page = browser.open(f"/e/{event.short}/sign-up")
        typed: dict[str, Any] = dict(zip(("player_1", "player_2"), names, strict=False))
        return browser.send(page, page.form("/sign-up"), **typed)

    def test_takes_two_names_and_says_you_are_in(self) -> None:
        event = self.event()
        page = self.sign_up(Browser(), event, "Lise Côté", "Paul Côté")
        assert page.status == 200
        assert page.one("h2").text == "You are in, number 3"
        assert "Lise Côté and Paul Côté" in page.text

    @pytest.mark.parametrize("kind", ["nobody", "known", "known by the full name", "hidden"])
    def test_tells_no_visitor_whom_the_club_knows(self, kind: str) -> None:
        event = self.event()
        if kind != "nobody":
            (known,) = find_or_add_people(club=event.club, full_names=["Lise Côté"])
            known.shows_full_name, known.is_hidden = kind == "known by the full name", kind == "hidden"
            known.save()
        page = self.sign_up(Browser(), event, "Lise Côté", "Paul Côté")
        assert page.one("h2").text == "You are in, number 3"
        assert "Lise Côté and Paul Côté" in page.text
        standings_after(event)
        public = Browser().open(f"/e/{event.short}").text
        assert "Lise C. and Paul C." in public
        assert "Côté" not in public

    def test_asks_the_organizer_who_they_are_and_one_tap_takes_them_for_whom_the_club_knows(self) -> None:
        office = Office()
        change_sign_up(event_id=office.event.pk, is_open=True, most_entries=None)
        (known,) = find_or_add_people(club=office.club, full_names=["Lise Côté"])
        self.sign_up(Browser(), office.event, "Lise Côté", "Paul Côté")
        page = office.browser.open(office.entries)
        assert page.chosen("who lise cote") == [str(known.pk)]
        page = office.browser.send(page, page.form(having="recognize"), ("recognize", "1"))
        assert office.event.entries.get().player_1 == known
        assert not page.every("button", name="recognize")
        history = office.browser.open(f"/e/{office.event.short}/desk/history")
        assert "Sign-ups recognized: Lise Côté and Paul Côté" in history.text

    def test_says_you_wait_once_all_places_are_taken(self) -> None:
        event = self.event(places=2)
        self.sign_up(Browser(), event, "Anne A", "Paul A")
        page = self.sign_up(Browser(), event, "Lise Côté", "Paul Côté")
        assert page.one("h2").text == "You wait, in place 2"

    def test_reloaded_or_clicked_twice_adds_once(self) -> None:
        event, browser = self.event(), Browser()
        page = browser.open(f"/e/{event.short}/sign-up")
        for _ in range(2):
            sent = browser.send(page, page.form("/sign-up"), player_1="Anne A", player_2="Paul A")
            assert sent.one("h2").text == "You are in, number 3"
        assert event.entries.count() == 3

    def test_is_left_again_by_whoever_signed_up(self) -> None:
        event, browser = self.event(), Browser()
        page = self.sign_up(browser, event, "Anne A", "Paul A")
        page = browser.send(page, page.every("form")[0])
        assert page.one("h2").text == "You are not on the list any more"
        assert event.entries.count() == 2
        start_event(event_id=event.pk)
        again = self.event()
        page = self.sign_up(browser, again, "Anne A", "Paul A")
        start_event(event_id=again.pk)
        page = browser.send(page, page.every("form")[0])
        assert (page.status, again.entries.count()) == (409, 3)

    def test_refused_keeps_what_was_typed(self) -> None:
        event = self.event()
        page = self.sign_up(Browser(), event, "Lise Côté", "P@ul")
        assert page.status == 422
        assert page.said_at("player_2") == "“P@ul”: take out “@”, no name has it."
        assert page.field("player_1").value == "Lise Côté"

    def test_has_one_field_where_people_play_alone(self) -> None:
        page = Browser().open(f"/e/{self.event(draw_format='swiss_individual').short}/sign-up")
        assert page.field("player_1")
        assert not page.every("input", name="player_2")

    def test_is_slowed_down_for_whoever_fills_it_and_for_nobody_else(self) -> None:
        event = self.event()
        assert self.sign_up(Browser(), event, "Anne Roy", "Paul Roy").status == 200
        for _ in range(MOST_TRIES - 1):
            count_miss(TRIES, "192.0.2.1")
        page = self.sign_up(Browser(), event, "Lise Côté", "Paul Côté")
        assert page.status == 429
        assert page.said_at("player_1").startswith("Too many sign-ups from here.")
        other = self.sign_up(Browser(address="192.0.2.77"), event, "Lise Côté", "Paul Côté")
        assert other.status == 200

    @pytest.mark.parametrize("language", ["en", "fr"])
    def test_that_is_closed_says_so_and_takes_nobody(self, language: str) -> None:
        event, browser = an_event(2), Browser(language=language)
        page = browser.open(f"/e/{event.short}/sign-up")
        assert page.status == 200
        assert not page.every("input", name="player_1")
        page = post(browser, f"/e/{event.short}/sign-up", {"player_1": "Anne", "player_2": "Paul"})
        assert (page.status, event.entries.count()) == (409, 2)

    def test_of_nothing_is_no_page(self) -> None:
        event = self.event()
        assert Browser().open("/e/nothing/sign-up").status == 404
        nobody = "00000000-0000-4000-8000-000000000000"
        assert Browser().open(f"/e/{event.short}/sign-up/{nobody}").status == 404
