"""The public sign-up page: two names, and a confirmation of a place or of the waiting list."""

from typing import Any

import pytest
from django.core import mail

from clubs.models import Person
from clubs.services.people import find_or_add_people
from clubs.services.rate_limit import record_miss
from engine.visibility import Release
from jobs.models import Job
from jobs.services import run_job
from tests.builders import build_event, compute_standings
from tests.support.browser import Browser, Page
from tests.support.hall import post_form
from tests.support.mailbox import MAIL_SETTINGS, SITE_ADDRESS
from tests.support.office import Office
from tournaments.entries.badge_codes import build_player_link
from tournaments.entries.services.identities import recognize_players
from tournaments.entries.services.sign_up import change_sign_up
from tournaments.entries.views.sign_up import MOST_TRIES, RATE_LIMIT_SCOPE
from tournaments.events.services.lifecycle import start_event
from tournaments.models import Event
from tournaments.publishing.services.publishing import change_release

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("counts under a lock")]


class TestSignUpPage:
    def build_event_with_places(self, places: int | None = None, **settings: Any) -> Event:
        event = build_event(2, **settings)
        return change_sign_up(event_id=event.pk, is_open=True, most_entries=places)

    def sign_up(self, browser: Browser, event: Event, *names: str) -> Page:
        page = browser.open(f"/e/{event.short}/sign-up")
        typed: dict[str, Any] = dict(zip(("player_1", "player_2"), names, strict=False))
        return browser.send(page, page.find_form("/sign-up"), **typed)

    def test_sign_up_page_confirms_a_place(self) -> None:
        event = self.build_event_with_places()
        page = self.sign_up(Browser(), event, "Lise Côté", "Paul Côté")
        assert page.status == 200
        assert page.find_one("h2").text == "You are signed up, number 3"
        assert "Lise Côté and Paul Côté" in page.text

    @pytest.mark.parametrize(("places", "is_full"), [(2, True), (3, False), (None, False)])
    def test_form_of_a_full_event_announces_the_waiting_list(self, places: int | None, *, is_full: bool) -> None:
        page = Browser().open(f"/e/{self.build_event_with_places(places).short}/sign-up")
        assert ("All places are taken: you will join the waiting list." in page.text) == is_full

    @pytest.mark.parametrize(
        ("release", "has_notice"),
        [({}, True), ({"shows_names": "short"}, True), ({"shows_names": "numbers"}, False)],
    )
    def test_form_explains_how_names_appear_in_public(self, release: dict[str, str], has_notice: bool) -> None:
        event = self.build_event_with_places()
        Event.objects.filter(pk=event.pk).update(**release)
        page = Browser().open(f"/e/{event.short}/sign-up")
        assert ("Public pages show first name and initial only" in page.text) == has_notice

    @pytest.mark.long
    @pytest.mark.parametrize("kind", ["nobody", "known", "known by the full name", "hidden"])
    def test_sign_up_page_does_not_reveal_known_people(self, kind: str) -> None:
        event = self.build_event_with_places()
        if kind != "nobody":
            (person,) = find_or_add_people(club=event.club, full_names=["Lise Côté"])
            person.shows_full_name, person.is_hidden = kind == "known by the full name", kind == "hidden"
            person.save()
        page = self.sign_up(Browser(), event, "Lise Côté", "Paul Côté")
        assert page.find_one("h2").text == "You are signed up, number 3"
        assert "Lise Côté and Paul Côté" in page.text
        compute_standings(event)
        public = Browser().open(f"/e/{event.short}").text
        assert "Lise C. and Paul C." in public
        assert "Côté" not in public

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_organizer_matches_a_sign_up_to_a_known_person(self) -> None:
        office = Office()
        change_sign_up(event_id=office.event.pk, is_open=True, most_entries=None)
        (person,) = find_or_add_people(club=office.club, full_names=["Lise Côté"])
        self.sign_up(Browser(), office.event, "Lise Côté", "Paul Côté")
        page = office.browser.open(office.entries)
        assert page.list_checked_values("who lise cote") == [str(person.pk)]
        page = office.browser.send(page, page.find_form(control_name="recognize"), ("recognize", "1"))
        assert office.event.entries.get().player_1 == person
        assert not page.find_all("button", name="recognize")
        history = office.browser.open(f"/e/{office.event.short}/desk/history")
        assert "Sign-ups matched to people: Lise Côté and Paul Côté" in history.text

    @pytest.mark.long
    def test_page_shows_the_position_on_the_waiting_list(self) -> None:
        event = self.build_event_with_places(places=2)
        self.sign_up(Browser(), event, "Anne A", "Paul A")
        page = self.sign_up(Browser(), event, "Lise Côté", "Paul Côté")
        assert page.find_one("h2").text == "Waiting list: number 2"

    @pytest.mark.long
    def test_reloaded_or_double_submitted_form_adds_one_entry(self) -> None:
        event, browser = self.build_event_with_places(), Browser()
        page = browser.open(f"/e/{event.short}/sign-up")
        for _ in range(2):
            sent = browser.send(page, page.find_form("/sign-up"), player_1="Anne A", player_2="Paul A")
            assert sent.find_one("h2").text == "You are signed up, number 3"
        assert event.entries.count() == 3

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_signed_up_pair_can_sign_off_until_the_start(self) -> None:
        event, browser = self.build_event_with_places(), Browser()
        page = self.sign_up(browser, event, "Anne A", "Paul A")
        page = browser.send(page, page.find_all("form")[0])
        assert page.find_one("h2").text == "You are no longer on the list"
        assert event.entries.count() == 2
        start_event(event_id=event.pk)
        again = self.build_event_with_places()
        page = self.sign_up(browser, again, "Anne A", "Paul A")
        start_event(event_id=again.pk)
        page = browser.send(page, page.find_all("form")[0])
        assert (page.status, again.entries.count()) == (409, 3)

    @pytest.mark.long
    def test_sign_ups_are_listed_only_on_the_phone_that_sent_them(self) -> None:
        event, browser = self.build_event_with_places(), Browser()
        first = self.sign_up(browser, event, "Anne A", "Paul A").path
        second = self.sign_up(browser, event, "Lise B", "Guy B").path
        change_sign_up(event_id=event.pk, is_open=False, most_entries=None)
        page = browser.open(f"/e/{event.short}/sign-up")
        assert (page.find_link("Anne A and Paul A"), page.find_link("Lise B and Guy B")) == (first, second)
        in_french = browser.open(f"/fr/e/{event.short}/sign-up")
        assert in_french.find_link("Anne A et Paul A") == f"/fr{first}"
        page = browser.open(first)
        browser.send(page, page.find_all("form")[0])
        page = browser.open(f"/e/{event.short}/sign-up")
        assert "Anne A" not in page.text
        assert page.find_link("Lise B and Guy B") == second
        assert "Sign-ups from this phone" not in Browser().open(f"/e/{event.short}/sign-up").text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_event_page_links_to_own_sign_ups_after_the_deadline(self) -> None:
        event, browser = self.build_event_with_places(), Browser()
        self.sign_up(browser, event, "Anne A", "Paul A")
        Event.objects.update(announcement_data={"sign_up_until": "2026-01-01"})
        address = browser.open(f"/e/{event.short}").find_link("Already signed up?")
        assert "Anne A and Paul A" in browser.open(address).text

    @pytest.mark.slow
    def test_closed_sign_up_still_links_to_own_sign_ups(self) -> None:
        event, browser = self.build_event_with_places(), Browser()
        change_sign_up(event_id=event.pk, is_open=False, most_entries=None)
        assert "Already signed up?" not in browser.open(f"/e/{event.short}").text
        change_sign_up(event_id=event.pk, is_open=True, most_entries=None)
        self.sign_up(browser, event, "Anne A", "Paul A")
        change_sign_up(event_id=event.pk, is_open=False, most_entries=None)
        address = browser.open(f"/e/{event.short}").find_link("Already signed up?")
        assert "Anne A and Paul A" in browser.open(address).text

    def test_same_name_in_both_fields_is_refused(self) -> None:
        page = self.sign_up(Browser(), self.build_event_with_places(), "Lise Côté", "lise cote")
        assert page.status == 422
        assert page.get_field_error("player_2").startswith("lise cote appears twice. Enter the partner’s name")

    def test_refused_sign_up_keeps_the_typed_names(self) -> None:
        event = self.build_event_with_places()
        page = self.sign_up(Browser(), event, "Lise Côté", "P@ul")
        assert page.status == 422
        assert page.get_field_error("player_2") == "“P@ul” cannot contain “@”. Remove it."
        assert page.find_field("player_1").value == "Lise Côté"

    @pytest.mark.snapshot
    def test_singles_sign_up_form_has_one_name_field(self) -> None:
        page = Browser().open(f"/e/{self.build_event_with_places(draw_format='swiss_individual').short}/sign-up")
        assert page.find_field("player_1")
        assert not page.find_all("input", name="player_2")

    @pytest.mark.slow
    def test_rate_limit_applies_to_one_address_only(self) -> None:
        event = self.build_event_with_places()
        assert self.sign_up(Browser(), event, "Anne Roy", "Paul Roy").status == 200
        for _ in range(MOST_TRIES - 1):
            record_miss(RATE_LIMIT_SCOPE, "192.0.2.1")
        page = self.sign_up(Browser(), event, "Lise Côté", "Paul Côté")
        assert page.status == 429
        assert page.get_field_error("player_1").startswith("Too many sign-ups from here.")
        other = self.sign_up(Browser(address="192.0.2.77"), event, "Lise Côté", "Paul Côté")
        assert other.status == 200

    @pytest.mark.parametrize("language", ["en", "fr"])
    def test_closed_sign_up_page_accepts_no_one(self, language: str) -> None:
        event, browser = build_event(2), Browser(language=language)
        page = browser.open(f"/e/{event.short}/sign-up")
        assert page.status == 200
        assert not page.find_all("input", name="player_1")
        page = post_form(browser, f"/e/{event.short}/sign-up", {"player_1": "Anne", "player_2": "Paul"})
        assert (page.status, event.entries.count()) == (409, 2)

    def test_unknown_sign_up_page_is_404(self) -> None:
        event = self.build_event_with_places()
        assert Browser().open("/e/nothing/sign-up").status == 404
        nobody = "00000000-0000-4000-8000-000000000000"
        assert Browser().open(f"/e/{event.short}/sign-up/{nobody}").status == 404


@pytest.mark.slow
class TestOwnPageLinks:
    """Links to own pages after sign-up: only for the sender of the form, without revealing the club's members."""

    def build_open_event(self) -> Event:
        return change_sign_up(event_id=build_event(2).pk, is_open=True, most_entries=None)

    def sign_up_phone(self, event: Event) -> tuple[Browser, Page]:
        phone = Browser()
        page = phone.open(f"/e/{event.short}/sign-up")
        return phone, phone.send(page, page.find_form("/sign-up"), player_1="Lise Côté", player_2="Paul Côté")

    def list_own_page_links(self, page: Page) -> dict[str, str]:
        return {link.text: link.attrs["href"] for link in page.find_all("a") if "’s page" in link.text}

    def create_known_person(self, event: Event, contact: str = "lise@example.org") -> Person:
        (person,) = find_or_add_people(club=event.club, full_names=["Lise Côté"])
        Person.objects.filter(pk=person.pk).update(contact=contact)
        return person

    def send_mails(self) -> None:
        for job in Job.objects.filter(kind="mail_own_link"):
            run_job(job.pk)

    @pytest.mark.long
    @pytest.mark.parametrize("is_known", [False, True])
    def test_each_partner_gets_an_own_page_link(self, is_known: bool) -> None:
        event = self.build_open_event()
        if is_known:
            self.create_known_person(event)
        phone, page = self.sign_up_phone(event)
        ways = self.list_own_page_links(page)
        assert list(ways) == ["Lise Côté’s page", "Paul Côté’s page"]
        own = phone.open(ways["Lise Côté’s page"])
        assert own.path == f"/e/{event.short}/mine"
        assert "My attendance" in own.text
        assert own.find_all("button", value="late")

    def test_page_of_a_matched_member_requires_the_badge_letters(self) -> None:
        event = self.build_open_event()
        person = self.create_known_person(event)
        phone, page = self.sign_up_phone(event)
        recognize_players(event_id=event.pk, identities={"lise cote": person.pk, "paul cote": None})
        page = phone.open(page.path)
        ways = self.list_own_page_links(page)
        assert build_player_link(event, person.pk) not in page.html
        assert "Enter the six letters on your badge" in page.text
        own = phone.open(ways["Lise Côté’s page"])
        assert not own.find_all("button", name="word")
        assert "My attendance" in phone.open(ways["Paul Côté’s page"]).text

    @pytest.mark.long
    @pytest.mark.parametrize("closed", ["off the list", "not public"])
    def test_own_page_links_disappear_after_sign_off_or_hiding(self, closed: str) -> None:
        event = self.build_open_event()
        phone, page = self.sign_up_phone(event)
        if closed == "not public":
            change_release(event_id=event.pk, release=Release(is_public=False))
            page = phone.open(page.path)
        else:
            page = phone.send(page, page.find_all("form")[0])
        assert self.list_own_page_links(page) == {}

    def test_matched_member_gets_the_own_page_link_by_email(self, settings: Any) -> None:
        for name, value in MAIL_SETTINGS.items():
            setattr(settings, name, value)
        event = self.build_open_event()
        person = self.create_known_person(event)
        self.sign_up_phone(event)
        recognize_players(event_id=event.pk, identities={"lise cote": person.pk, "paul cote": None})
        Person.objects.filter(pk=person.pk).update(contact="lise.cote@example.org")
        self.send_mails()
        (message,) = mail.outbox
        assert str(message.body).endswith(f"\n\n{event.club.name}\n")
        assert message.to == ["lise.cote@example.org"]
        assert f"{SITE_ADDRESS}{build_player_link(event, person.pk)}" in message.body
        assert event.name in message.subject

    @pytest.mark.long
    @pytest.mark.parametrize("why", ["no mail here", "no address", "off the list"])
    def test_nothing_is_emailed_without_a_valid_recipient(self, settings: Any, why: str) -> None:
        for name, value in MAIL_SETTINGS.items():
            setattr(settings, name, value)
        if why == "no mail here":
            settings.MAIL_ORIGIN = ""
        event = self.build_open_event()
        person = self.create_known_person(event, "418 555-0123" if why == "no address" else "lise@example.org")
        phone, page = self.sign_up_phone(event)
        recognize_players(event_id=event.pk, identities={"lise cote": person.pk})
        if why == "off the list":
            page = phone.open(page.path)
            phone.send(page, page.find_all("form")[0])
        self.send_mails()
        assert mail.outbox == []
