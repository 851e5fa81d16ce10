"""The public list: two names, and the page says whether one is in or waits."""

from typing import Any

import pytest
from django.core import mail

from clubs.models import Person
from clubs.services import find_or_add_people
from clubs.services.rate_limit import count_miss
from engine.visibility import Release
from jobs.models import Job
from jobs.services import run_job
from tests.builders import an_event, standings_after
from tests.support.browser import Browser, Page
from tests.support.hall import post
from tests.support.mailbox import LEADS_TO, SET_UP
from tests.support.office import Office
from tournaments.entries.badge_codes import own_link
from tournaments.entries.services.guest_identities import recognize_players
from tournaments.entries.services.sign_up import change_sign_up
from tournaments.entries.views.sign_up import MOST_TRIES, TRIES
from tournaments.events.services.lifecycle import start_event
from tournaments.models import Event
from tournaments.publishing.services.publishing import change_release

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
        assert page.one("h2").text == "You are signed up, number 3"
        assert "Lise Côté and Paul Côté" in page.text

    @pytest.mark.parametrize(
        ("release", "said"),
        [({}, True), ({"shows_names": "short"}, True), ({"shows_names": "numbers"}, False)],
    )
    def test_says_of_names_what_the_public_page_shows(self, release: dict[str, str], said: bool) -> None:
        event = self.event()
        Event.objects.filter(pk=event.pk).update(**release)
        page = Browser().open(f"/e/{event.short}/sign-up")
        assert ("Public pages show first name and initial only" in page.text) == said

    @pytest.mark.parametrize("kind", ["nobody", "known", "known by the full name", "hidden"])
    def test_tells_no_visitor_whom_the_club_knows(self, kind: str) -> None:
        event = self.event()
        if kind != "nobody":
            (known,) = find_or_add_people(club=event.club, full_names=["Lise Côté"])
            known.shows_full_name, known.is_hidden = kind == "known by the full name", kind == "hidden"
            known.save()
        page = self.sign_up(Browser(), event, "Lise Côté", "Paul Côté")
        assert page.one("h2").text == "You are signed up, number 3"
        assert "Lise Côté and Paul Côté" in page.text
        standings_after(event)
        public = Browser().open(f"/e/{event.short}").text
        assert "Lise C. and Paul C." in public
        assert "Côté" not in public

    @pytest.mark.slow
    @pytest.mark.snapshot
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
        assert "Sign-ups matched to people: Lise Côté and Paul Côté" in history.text

    @pytest.mark.slow
    def test_says_you_wait_once_all_places_are_taken(self) -> None:
        event = self.event(places=2)
        self.sign_up(Browser(), event, "Anne A", "Paul A")
        page = self.sign_up(Browser(), event, "Lise Côté", "Paul Côté")
        assert page.one("h2").text == "Waiting list: number 2"

    def test_reloaded_or_clicked_twice_adds_once(self) -> None:
        event, browser = self.event(), Browser()
        page = browser.open(f"/e/{event.short}/sign-up")
        for _ in range(2):
            sent = browser.send(page, page.form("/sign-up"), player_1="Anne A", player_2="Paul A")
            assert sent.one("h2").text == "You are signed up, number 3"
        assert event.entries.count() == 3

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_is_left_again_by_whoever_signed_up(self) -> None:
        event, browser = self.event(), Browser()
        page = self.sign_up(browser, event, "Anne A", "Paul A")
        page = browser.send(page, page.every("form")[0])
        assert page.one("h2").text == "You are no longer on the list"
        assert event.entries.count() == 2
        start_event(event_id=event.pk)
        again = self.event()
        page = self.sign_up(browser, again, "Anne A", "Paul A")
        start_event(event_id=again.pk)
        page = browser.send(page, page.every("form")[0])
        assert (page.status, again.entries.count()) == (409, 3)

    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_is_found_again_in_either_language_from_the_phone_that_sent_it_and_from_no_other(self) -> None:
        event, browser = self.event(), Browser()
        first = self.sign_up(browser, event, "Anne A", "Paul A").path
        second = self.sign_up(browser, event, "Lise B", "Guy B").path
        change_sign_up(event_id=event.pk, is_open=False, most_entries=None)
        page = browser.open(f"/e/{event.short}/sign-up")
        assert (page.link("Anne A and Paul A"), page.link("Lise B and Guy B")) == (first, second)
        in_french = browser.open(f"/fr/e/{event.short}/sign-up")
        assert in_french.link("Anne A et Paul A") == f"/fr{first}"
        page = browser.open(first)
        browser.send(page, page.every("form")[0])
        page = browser.open(f"/e/{event.short}/sign-up")
        assert "Anne A" not in page.text
        assert page.link("Lise B and Guy B") == second
        assert "Sign-ups from this phone" not in Browser().open(f"/e/{event.short}/sign-up").text

    @pytest.mark.snapshot
    def test_that_is_over_leads_from_the_page_of_the_event_to_what_a_phone_has_signed_up(self) -> None:
        event, browser = self.event(), Browser()
        self.sign_up(browser, event, "Anne A", "Paul A")
        Event.objects.update(announcement_data={"sign_up_until": "2026-01-01"})
        address = browser.open(f"/e/{event.short}").link("Already signed up?")
        assert "Anne A and Paul A" in browser.open(address).text

    @pytest.mark.slow
    def test_that_the_organizer_has_closed_leads_there_too_where_anybody_has_signed_up(self) -> None:
        event, browser = self.event(), Browser()
        change_sign_up(event_id=event.pk, is_open=False, most_entries=None)
        assert "Already signed up?" not in browser.open(f"/e/{event.short}").text
        change_sign_up(event_id=event.pk, is_open=True, most_entries=None)
        self.sign_up(browser, event, "Anne A", "Paul A")
        change_sign_up(event_id=event.pk, is_open=False, most_entries=None)
        address = browser.open(f"/e/{event.short}").link("Already signed up?")
        assert "Anne A and Paul A" in browser.open(address).text

    def test_with_one_name_in_both_fields_says_that_it_stands_there_twice(self) -> None:
        page = self.sign_up(Browser(), self.event(), "Lise Côté", "lise cote")
        assert page.status == 422
        assert page.said_at("player_2").startswith("lise cote appears twice. Enter the partner’s name")

    def test_refused_keeps_what_was_typed(self) -> None:
        event = self.event()
        page = self.sign_up(Browser(), event, "Lise Côté", "P@ul")
        assert page.status == 422
        assert page.said_at("player_2") == "“P@ul” cannot contain “@”. Remove it."
        assert page.field("player_1").value == "Lise Côté"

    @pytest.mark.snapshot
    def test_has_one_field_where_people_play_alone(self) -> None:
        page = Browser().open(f"/e/{self.event(draw_format='swiss_individual').short}/sign-up")
        assert page.field("player_1")
        assert not page.every("input", name="player_2")

    @pytest.mark.slow
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


@pytest.mark.slow
class TestTheWayToOnesOwnPage:
    """From the page that says one is in: for whoever sent the form; nobody learns whom the club knows."""

    def event(self) -> Event:
        return change_sign_up(event_id=an_event(2).pk, is_open=True, most_entries=None)

    def signed_up(self, event: Event) -> tuple[Browser, Page]:
        phone = Browser()
        page = phone.open(f"/e/{event.short}/sign-up")
        return phone, phone.send(page, page.form("/sign-up"), player_1="Lise Côté", player_2="Paul Côté")

    def ways(self, page: Page) -> dict[str, str]:
        return {link.text: link.attrs["href"] for link in page.every("a") if "’s page" in link.text}

    def known(self, event: Event, contact: str = "lise@example.org") -> Person:
        (known,) = find_or_add_people(club=event.club, full_names=["Lise Côté"])
        Person.objects.filter(pk=known.pk).update(contact=contact)
        return known

    def send_mails(self) -> None:
        for job in Job.objects.filter(kind="mail_own_link"):
            run_job(job.pk)

    @pytest.mark.parametrize("is_known", [False, True])
    def test_each_of_the_pair_has_one_that_speaks_for_them_whomever_the_club_knows(
        self, is_known: bool
    ) -> None:
        event = self.event()
        if is_known:
            self.known(event)
        phone, page = self.signed_up(event)
        ways = self.ways(page)
        assert list(ways) == ["Lise Côté’s page", "Paul Côté’s page"]
        own = phone.open(ways["Lise Côté’s page"])
        assert own.path == f"/e/{event.short}/mine"
        assert "My attendance" in own.text
        assert own.every("button", value="late")

    def test_whom_the_organizer_took_for_a_member_shows_the_letters_of_the_badge(self) -> None:
        event = self.event()
        known = self.known(event)
        phone, page = self.signed_up(event)
        recognize_players(event_id=event.pk, identities={"lise cote": known.pk, "paul cote": None})
        page = phone.open(page.path)
        ways = self.ways(page)
        assert own_link(event, known.pk) not in page.html
        assert "Enter the six letters on your badge" in page.text
        own = phone.open(ways["Lise Côté’s page"])
        assert not own.every("button", name="word")
        assert "My attendance" in phone.open(ways["Paul Côté’s page"]).text

    @pytest.mark.parametrize("closed", ["off the list", "not public"])
    def test_there_is_none_for_who_is_not_in_nor_where_nobody_may_look(self, closed: str) -> None:
        event = self.event()
        phone, page = self.signed_up(event)
        if closed == "not public":
            change_release(event_id=event.pk, release=Release(is_public=False))
            page = phone.open(page.path)
        else:
            page = phone.send(page, page.every("form")[0])
        assert self.ways(page) == {}

    def test_a_member_has_it_by_mail_at_the_address_that_the_club_has_when_it_is_sent(
        self, settings: Any
    ) -> None:
        for name, value in SET_UP.items():
            setattr(settings, name, value)
        event = self.event()
        known = self.known(event)
        self.signed_up(event)
        recognize_players(event_id=event.pk, identities={"lise cote": known.pk, "paul cote": None})
        Person.objects.filter(pk=known.pk).update(contact="lise.cote@example.org")
        self.send_mails()
        (message,) = mail.outbox
        assert message.to == ["lise.cote@example.org"]
        assert f"{LEADS_TO}{own_link(event, known.pk)}" in message.body
        assert event.name in message.subject

    @pytest.mark.parametrize("why", ["no mail here", "no address", "off the list"])
    def test_nothing_is_mailed_where_there_is_nothing_to_send(self, settings: Any, why: str) -> None:
        for name, value in SET_UP.items():
            setattr(settings, name, value)
        if why == "no mail here":
            settings.MAIL_LEADS_TO = ""
        event = self.event()
        known = self.known(event, "418 555-0123" if why == "no address" else "lise@example.org")
        phone, page = self.signed_up(event)
        recognize_players(event_id=event.pk, identities={"lise cote": known.pk})
        if why == "off the list":
            page = phone.open(page.path)
            phone.send(page, page.every("form")[0])
        self.send_mails()
        assert mail.outbox == []
