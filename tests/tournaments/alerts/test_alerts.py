"""Alerts tell players where they sit: once each, again while the service is away, and never a draft."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, time, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from clubs.audit.log import Actor
from clubs.day_words import day_in_words
from clubs.models import Membership, Person, Role
from clubs.services import PersonDetails, add_person
from engine.visibility import Release
from jobs.models import Job, Status
from jobs.services import run_job, sweep
from rules import Side
from tests.builders import a_running_night, an_account, an_event, matches_of, next_round, play_round
from tests.support.browser import Browser, Page
from tests.support.mailbox import LEADS_TO, SET_UP
from tests.support.push_service import PushedBrowser, PushService, a_push_service
from tests.tournaments.public.test_own_pages import at_table, own_address, page_of
from tournaments.alerts.queries import seats_now
from tournaments.alerts.services import (
    AFTER_THE_END,
    AT_MOST,
    MOST_PHONES,
    TELL,
    ask_alerts,
    enqueue_alerts,
    forget_old_alerts,
)
from tournaments.alerts.stop_links import stop_path
from tournaments.announcement import Announcement
from tournaments.entries.badge_codes import own_link
from tournaments.entries.services.entries import add_entry, remove_entry
from tournaments.entries.services.merging import merge_people
from tournaments.entries.services.partners import pair_entries
from tournaments.entries.services.sign_up import change_sign_up, sign_off_entry, sign_up
from tournaments.events.services.announcing import announce_event, call_off_event, reinstate_event
from tournaments.events.services.lifecycle import end_event
from tournaments.events.services.settings import rename_event
from tournaments.messages.services import call_table, end_call
from tournaments.models import AlertSubscription, Event
from tournaments.privacy.services.erasure import anonymize_people
from tournaments.publishing.services.publishing import change_release
from tournaments.rounds.services.rounds import draw_round, publish_round, unpublish_round
from web.web_push import application_key

pytestmark = pytest.mark.django_db


@pytest.fixture
def service(settings: Any) -> Iterator[PushService]:
    with a_push_service() as service:
        settings.PUSH_SERVICES = (*settings.PUSH_SERVICES, service.origin)
        settings.LOCAL_TARGETS = ["127.0.0.0/8"]
        yield service


def a_told_phone(
    service: PushService, event: Event, person: Person, *, language: str = "fr", name: str = "phone"
) -> PushedBrowser:
    """A browser that is told where that person sits."""
    browser = service.browser(name)
    ask_alerts(event=event, person=person, channel="webpush", address=browser.address, language=language)
    return browser


def work() -> None:
    """The worker does whatever may be begun now."""
    while True:
        queued = Job.objects.filter(status=Status.QUEUED, waits_until=None).order_by("pk").first()
        if queued is None:
            return
        run_job(queued.pk)


def jobs_to_tell() -> list[Job]:
    return list(Job.objects.filter(kind=TELL).order_by("pk"))


def second_round(event: Event, *, seed: int = 1) -> None:
    """The first is played and closed, the second published."""
    play_round(event)
    next_round(event, seed=seed)


def draw_anew(event: Event, person: Person) -> tuple[int, Side]:
    """The second round is taken back and published with another place for that person: where."""
    before = seat_of(event, person, 2)
    unpublish_round(event_id=event.pk, number=2)
    for seed in range(2, 100):
        next_round(event, seed=seed)
        if seat_of(event, person, 2) != before:
            return seat_of(event, person, 2)
        unpublish_round(event_id=event.pk, number=2)
    raise AssertionError


def first_player(event: Event) -> Person:
    return event.entries.select_related("player_1").get(number=1).player_1


def in_french(day: date) -> str:
    with translation.override("fr"):
        return day_in_words(day)


def seat_of(event: Event, person: Person, number: int) -> tuple[int, Side]:
    for match in matches_of(event, number):
        for player in match.players.filter(person=person):
            return match.table.number, Side(player.seat % 2)
    raise LookupError


SIDES = {
    "fr": {Side.A: "équipe bleue", Side.B: "équipe orange"},
    "en": {Side.A: "blue side", Side.B: "orange side"},
}


@pytest.mark.slow
class TestTelling:
    @pytest.mark.parametrize(
        ("language", "said"), [("fr", "Ronde 2, table {}, {}"), ("en", "Round 2, table {}, {}")]
    )
    def test_a_published_round_is_told_in_the_language_in_which_one_asked(
        self, service: PushService, language: str, said: str
    ) -> None:
        event = a_running_night()
        people = [at_table(event, seat=seat) for seat in range(4)]
        phones = [a_told_phone(service, event, one, language=language, name=str(one.pk)) for one in people]
        second_round(event)
        work()
        for person, phone in zip(people, phones, strict=True):
            table, side = seat_of(event, person, 2)
            (shown,) = service.shown_by(phone)
            assert shown["body"] == said.format(table, SIDES[language][side])
            assert shown["title"] == event.name
            assert (shown["page"], shown["lang"]) == (own_address(event), language)

    def test_the_service_knows_who_sends_and_how_long_to_keep_it(self, service: PushService) -> None:
        event = a_running_night()
        a_told_phone(service, event, at_table(event))
        second_round(event)
        work()
        (message,) = service.messages
        now = timezone.now().timestamp()
        claims = message.claims
        assert (claims["key"], claims["aud"]) == (application_key(), service.origin)
        assert now < claims["exp"] <= now + 24 * 3600
        assert claims["sub"].startswith("mailto:")
        assert message.headers["content-encoding"] == "aes128gcm"
        assert int(message.headers["ttl"]) > 0
        assert len(message.headers["topic"]) == 32

    def test_what_the_page_said_when_one_asked_is_not_told_again(self, service: PushService) -> None:
        event = a_running_night()
        phone = a_told_phone(service, event, at_table(event))
        add_entry(event_id=event.pk, players=("Ida Cyr", "Eva Cyr"))
        work()
        assert service.shown_by(phone) == []

    def test_a_draft_is_never_told(self, service: PushService) -> None:
        event = a_running_night()
        phone = a_told_phone(service, event, at_table(event))
        play_round(event)
        draw_round(event_id=event.pk, seed=1)
        work()
        assert service.shown_by(phone) == []
        assert jobs_to_tell() == []

    def test_nor_what_was_taken_back_before_the_worker_came(self, service: PushService) -> None:
        event = a_running_night()
        phone = a_told_phone(service, event, at_table(event))
        second_round(event)
        enqueue_alerts(event.pk)
        assert len(jobs_to_tell()) == 1
        unpublish_round(event_id=event.pk, number=2)
        work()
        assert service.shown_by(phone) == []

    def test_nor_where_nobody_sees_who_plays_where_until_everybody_does(self, service: PushService) -> None:
        event = a_running_night()
        phone = a_told_phone(service, event, at_table(event))
        change_release(event_id=event.pk, release=Release(draw=False))
        second_round(event)
        work()
        assert service.shown_by(phone) == []
        change_release(event_id=event.pk, release=Release())
        work()
        assert len(service.shown_by(phone)) == 1

    def test_published_anew_the_same_place_is_not_told_and_another_one_is(self, service: PushService) -> None:
        event = a_running_night()
        person = at_table(event)
        phone = a_told_phone(service, event, person)
        second_round(event)
        work()
        first = seat_of(event, person, 2)
        unpublish_round(event_id=event.pk, number=2)
        publish_round(event_id=event.pk, number=2)
        work()
        assert len(service.shown_by(phone)) == 1, "the same table"
        table, side = draw_anew(event, person)
        work()
        assert service.shown_by(phone)[-1]["body"] == f"Ronde 2, table {table}, {SIDES['fr'][side]}"
        assert len(service.shown_by(phone)) == 2
        unpublish_round(event_id=event.pk, number=2)
        next_round(event, seed=1)
        work()
        assert seat_of(event, person, 2) == first
        assert len(service.shown_by(phone)) == 3, "as at first, but the phone last said otherwise"

    def test_a_call_to_the_desk_is_told_at_its_table_once_and_nothing_when_it_is_over(
        self, service: PushService
    ) -> None:
        event = a_running_night()
        one, other = (
            a_told_phone(service, event, match.players.all()[0].person, name=str(match.pk))
            for match in matches_of(event)[:2]
        )
        call_table(event_id=event.pk, table=1)
        work()
        call_table(event_id=event.pk, table=1)
        end_call(event_id=event.pk, table=1)
        work()
        assert [said["body"] for said in service.shown_by(one)] == [
            "Table 1\N{NO-BREAK SPACE}: au bureau, s’il vous plaît."
        ]
        assert service.shown_by(other) == []
        call_table(event_id=event.pk, table=1)
        work()
        assert len(service.shown_by(one)) == 2, "called again"

    def test_who_sits_out_is_told_so(self, service: PushService) -> None:
        event = a_running_night(pairs=5)
        phones = {
            entry.pk: a_told_phone(service, event, entry.player_1, name=str(entry.pk))
            for entry in event.entries.select_related("player_1")
        }
        second_round(event)
        work()
        bye = event.rounds.get(number=2).seatings.get(table=None)
        said = {entry: [one["body"] for one in service.shown_by(phone)] for entry, phone in phones.items()}
        assert said[bye.entry_id] == ["Ronde 2 : vous avez une exemption."]
        assert all(len(each) == 1 for each in said.values())

    @pytest.mark.parametrize("pairs", [4, 9])
    def test_a_look_costs_the_same_however_many_play(self, pairs: int) -> None:
        event = a_running_night(pairs=pairs)
        people = {player.person_id for match in matches_of(event) for player in match.players.all()}
        with CaptureQueriesContext(connection) as caught:
            seats = seats_now(event, people)
        assert all(1 in each for each in seats.values())
        assert len(caught) == 2


class TestTheDay:
    """Nobody drives through a storm to a hall that is closed."""

    def a_coming_night(self, service: PushService) -> tuple[Event, PushedBrowser]:
        """With a phone that is told of one who signed up."""
        event = an_event()
        return event, a_told_phone(service, event, first_player(event))

    def said(self, service: PushService, phone: PushedBrowser) -> list[str]:
        work()
        return [one["body"] for one in service.shown_by(phone)]

    def test_an_event_that_is_called_off_is_told_with_why_and_once(self, service: PushService) -> None:
        event, phone = self.a_coming_night(service)
        call_off_event(event_id=event.pk, reason="tempête")
        add_entry(event_id=event.pk, players=("Léa Roy", "Guy Roy"))
        assert self.said(service, phone) == ["Événement annulé (tempête)"]

    @pytest.mark.slow
    def test_and_that_it_is_held_after_all(self, service: PushService) -> None:
        event, phone = self.a_coming_night(service)
        call_off_event(event_id=event.pk)
        assert self.said(service, phone) == ["Événement annulé"]
        reinstate_event(event_id=event.pk)
        assert self.said(service, phone)[1:] == [f"A lieu le {in_french(event.held_on)}."]

    def test_what_was_taken_back_before_the_worker_came_is_not_told(self, service: PushService) -> None:
        event, phone = self.a_coming_night(service)
        call_off_event(event_id=event.pk)
        enqueue_alerts(event.pk)
        reinstate_event(event_id=event.pk)
        assert self.said(service, phone) == []

    @pytest.mark.slow
    def test_another_day_and_another_hour_are_told(self, service: PushService) -> None:
        event, phone = self.a_coming_night(service)
        later = event.held_on + timedelta(days=7)
        rename_event(event_id=event.pk, name="Vendredi", held_on=later)
        assert self.said(service, phone) == [f"A lieu le {in_french(later)}."]
        announce_event(event_id=event.pk, announcement=Announcement(starts_at=time(19, 30)))
        assert self.said(service, phone)[1:] == [
            f"A lieu le {in_french(later)}, à 19\N{NO-BREAK SPACE}h\N{NO-BREAK SPACE}30."
        ]

    def test_who_asks_of_an_event_that_is_off_knows_it_already(self, service: PushService) -> None:
        event = an_event()
        call_off_event(event_id=event.pk)
        assert self.said(service, a_told_phone(service, event, first_player(event))) == []

    @pytest.mark.slow
    def test_who_asked_before_days_were_told_hears_only_that_it_is_off(self, service: PushService) -> None:
        event, phone = self.a_coming_night(service)
        AlertSubscription.objects.update(told={})
        add_entry(event_id=event.pk, players=("Léa Roy", "Guy Roy"))
        assert self.said(service, phone) == []
        call_off_event(event_id=event.pk)
        assert self.said(service, phone) == ["Événement annulé"]

    def test_of_an_event_that_only_the_desk_sees_nothing_is_told(self, service: PushService) -> None:
        event, phone = self.a_coming_night(service)
        change_release(event_id=event.pk, release=Release(is_public=False))
        call_off_event(event_id=event.pk)
        assert self.said(service, phone) == []

    def test_once_it_has_begun_its_day_is_no_news(self, service: PushService) -> None:
        event = a_running_night()
        phone = a_told_phone(service, event, at_table(event))
        rename_event(event_id=event.pk, name=event.name, held_on=event.held_on + timedelta(days=1))
        assert self.said(service, phone) == []

    def test_ones_own_page_says_that_it_is_off_and_neither_when_it_begins_nor_asks_who_comes(self) -> None:
        event = an_event()
        own = own_link(event, first_player(event).pk)
        assert "I am here" in Browser().open(own).text
        call_off_event(event_id=event.pk, reason="storm")
        page = Browser().open(own)
        assert "Event cancelled (storm)" in page.text
        assert "It begins" not in page.text
        assert "I am here" not in page.text


@pytest.mark.slow
class TestThePlace:
    def a_night(self, *signed_up: str, places: int | None) -> Event:
        """Of two pairs, and whoever signed up since, as a pair or alone."""
        event = an_event(2)
        change_sign_up(event_id=event.pk, is_open=True, most_entries=places)
        for names in signed_up:
            players = names.split(" and ")
            by = Actor(key=uuid4())
            sign_up(event_id=event.pk, players=players, needs_partner=len(players) == 1, by=by)
        return event

    def player(self, event: Event, number: int) -> Person:
        return event.entries.select_related("player_1").get(number=number).player_1

    def said(self, service: PushService, phone: PushedBrowser) -> list[str]:
        work()
        return [one["body"] for one in service.shown_by(phone)]

    def test_that_gets_free_is_told_to_who_has_waited_for_it_once(self, service: PushService) -> None:
        event = self.a_night("Ida Cyr and Eva Cyr", "Léa Roy and Guy Roy", places=2)
        playing, first, second = (
            a_told_phone(service, event, self.player(event, number), name=str(number)) for number in (2, 3, 4)
        )
        remove_entry(event_id=event.pk, number=1)
        assert self.said(service, first) == ["Vous avez maintenant une place."]
        assert [service.shown_by(each) for each in (second, playing)] == [[], []]
        change_sign_up(event_id=event.pk, is_open=True, most_entries=None)
        assert self.said(service, second) == ["Vous avez maintenant une place."]
        assert len(self.said(service, first)) == 1

    def test_comes_with_a_partner_and_goes_with_them(self, service: PushService) -> None:
        event = self.a_night("Ida Cyr", "Léa Roy", places=None)
        ida, lea = (self.player(event, number) for number in (3, 4))
        phone = a_told_phone(service, event, ida)
        pair_entries(event_id=event.pk, numbers=(3, 4))
        assert self.said(service, phone) == ["Vous avez maintenant une place."]
        number = event.entries.get(player_1=ida).number
        sign_off_entry(event_id=event.pk, number=number, person_id=lea.pk, by=Actor(key=uuid4()))
        assert self.said(service, phone)[1:] == [
            "Vous n’avez plus de place\N{NO-BREAK SPACE}: voyez votre page."
        ]


@pytest.mark.slow
class TestTheJob:
    def test_it_ends_once_however_often_it_is_asked_for(self, service: PushService) -> None:
        event = a_running_night()
        phone = a_told_phone(service, event, at_table(event))
        second_round(event)
        work()
        (told,) = jobs_to_tell()
        assert told.status == Status.DONE
        run_job(told.pk)
        enqueue_alerts(event.pk)
        work()
        assert len(service.shown_by(phone)) == 1
        assert jobs_to_tell() == [told]

    def test_while_the_service_is_away_it_is_tried_again_after_ever_longer_pauses(
        self, service: PushService
    ) -> None:
        event = a_running_night()
        phone = a_told_phone(service, event, at_table(event))
        second_round(event)
        service.status = 503
        pauses = []
        work()
        for _ in range(3):
            (told,) = jobs_to_tell()
            assert (told.status, service.refused) == (Status.QUEUED, told.attempts)
            assert told.waits_until is not None
            pauses.append(round((told.waits_until - told.sent_at).total_seconds()))
            sent_at = told.sent_at - timedelta(minutes=5)
            Job.objects.filter(pk=told.pk).update(sent_at=sent_at)
            sweep()
            assert jobs_to_tell()[0].sent_at == sent_at, "it is put off: nobody sends it now"
            Job.objects.filter(pk=told.pk).update(waits_until=timezone.now() - timedelta(seconds=1))
            sweep()
            assert jobs_to_tell()[0].sent_at > sent_at
            run_job(told.pk)
        assert pauses == [10, 40, 160]
        service.status = 201
        run_job(told.pk)
        assert jobs_to_tell()[0].status == Status.DONE
        assert len(service.shown_by(phone)) == 1

    def test_what_no_service_takes_ends_as_failed_and_is_told_with_the_next_change(
        self, service: PushService
    ) -> None:
        event = a_running_night()
        phone = a_told_phone(service, event, at_table(event))
        second_round(event)
        service.status = 500
        work()
        (told,) = jobs_to_tell()
        for _ in range(4):
            run_job(told.pk)
        assert jobs_to_tell()[0].status == Status.FAILED
        service.status = 201
        add_entry(event_id=event.pk, players=("Ida Cyr", "Eva Cyr"))
        work()
        assert len(service.shown_by(phone)) == 1

    def test_a_clock_that_was_set_back_puts_nothing_off_for_years(self, service: PushService) -> None:
        event = a_running_night()
        a_told_phone(service, event, at_table(event))
        second_round(event)
        service.status = 503
        work()
        (told,) = jobs_to_tell()
        before = timezone.now() - timedelta(minutes=5)
        Job.objects.filter(pk=told.pk).update(
            sent_at=before, waits_until=timezone.now() + timedelta(days=4000)
        )
        sweep()
        assert jobs_to_tell()[0].sent_at > before

    @pytest.mark.parametrize("status", [404, 410])
    def test_a_subscription_that_is_gone_is_forgotten(self, service: PushService, status: int) -> None:
        event = a_running_night()
        a_told_phone(service, event, at_table(event))
        second_round(event)
        service.status = status
        work()
        assert not AlertSubscription.objects.exists()
        assert [one.status for one in jobs_to_tell()] == [Status.DONE]

    def test_a_redirection_is_not_followed(self, service: PushService) -> None:
        event = a_running_night()
        a_told_phone(service, event, at_table(event))
        second_round(event)
        service.status = 307
        work()
        assert (service.refused, service.messages) == (1, [])


class TestWhatIsKept:
    def test_an_address_is_that_of_one_person(self, service: PushService) -> None:
        event = a_running_night()
        browser = service.browser()
        for person in (at_table(event, seat=0), at_table(event, seat=1)):
            ask_alerts(event=event, person=person, channel="webpush", address=browser.address, language="fr")
        assert [one.person for one in AlertSubscription.objects.all()] == [at_table(event, seat=1)]

    def test_of_many_phones_the_oldest_are_forgotten(self, service: PushService) -> None:
        event = a_running_night()
        for number in range(MOST_PHONES + 2):
            a_told_phone(service, event, at_table(event), name=str(number))
        kept = [one.address["endpoint"][-5] for one in AlertSubscription.objects.order_by("pk")]
        assert kept == ["2", "3", "4", "5", "6"]

    @pytest.mark.slow
    def test_it_goes_with_the_person(self, service: PushService) -> None:
        event = a_running_night()
        person = at_table(event)
        a_told_phone(service, event, person)
        play_round(event)
        end_event(event_id=event.pk)
        Event.objects.update(held_on=event.held_on - timedelta(days=2))
        anonymize_people(club_id=event.club_id, person_ids=[person.pk])
        assert not AlertSubscription.objects.exists()

    def test_of_two_who_are_one_the_one_who_stays_is_told(self, service: PushService) -> None:
        event = a_running_night()
        kept = add_person(club_id=event.club_id, details=PersonDetails(name="Jeannine Roy"))
        a_told_phone(service, event, at_table(event))
        merged = at_table(event)
        merge_people(club_id=event.club_id, kept_id=kept.pk, merged_id=merged.pk)
        assert AlertSubscription.objects.get().person == kept

    def test_a_week_after_its_event_it_is_forgotten(self, service: PushService) -> None:
        event = a_running_night()
        a_told_phone(service, event, at_table(event))
        today = timezone.now().date()
        Event.objects.update(held_on=today - AFTER_THE_END - timedelta(days=1))
        forget_old_alerts()
        assert AlertSubscription.objects.exists(), "it goes on"
        Event.objects.update(state="ended")
        forget_old_alerts()
        assert not AlertSubscription.objects.exists()

    def test_nobody_is_told_for_longer_than_a_phone_remembers_its_page(self, service: PushService) -> None:
        event = a_running_night()
        a_told_phone(service, event, at_table(event))
        AlertSubscription.objects.update(created_at=timezone.now() - AT_MOST - timedelta(minutes=1))
        forget_old_alerts()
        assert not AlertSubscription.objects.exists()


class TestThePage:
    """Without scripts: what the server says, and what it does with what a script would send."""

    def asked(self, page: Page, browser: Browser, address: object) -> Page:
        form = page.form("/mine/alerts")
        return browser.send(page, form, address=json.dumps(address))

    @pytest.mark.slow
    def test_where_the_phone_cannot_be_told_the_page_says_what_works(self) -> None:
        event = a_running_night()
        page = page_of(event, at_table(event))
        assert "hidden" in page.form("/mine/alerts").attrs
        assert "On an iPhone, first add the page to the home screen" in page.text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_one_tap_and_it_is_told_another_and_it_is_not(self, service: PushService) -> None:
        event = a_running_night()
        person = at_table(event)
        phone, browser = Browser(), service.browser()
        page = self.asked(page_of(event, person, phone), phone, browser.address)
        assert "This phone notifies you, even when asleep" in page.text
        assert AlertSubscription.objects.get().person == person
        second_round(event)
        work()
        assert len(service.shown_by(browser)) == 1
        page = phone.send(page, page.form("/mine/alerts/stop"))
        assert page.form("/mine/alerts").attrs["action"].endswith("/mine/alerts")
        assert not AlertSubscription.objects.exists()

    @pytest.mark.slow
    def test_who_says_not_to_be_that_person_is_told_no_more_of_them(self, service: PushService) -> None:
        event = a_running_night()
        phone = Browser()
        page = self.asked(page_of(event, at_table(event), phone), phone, service.browser().address)
        phone.send(page, page.form("/choose"))
        assert not AlertSubscription.objects.exists()

    @pytest.mark.slow
    def test_another_phone_stops_nothing(self, service: PushService) -> None:
        event = a_running_night()
        phone = Browser()
        page = self.asked(page_of(event, at_table(event), phone), phone, service.browser().address)
        other = Browser()
        page_of(event, at_table(event), other)
        other.send(page, page.form("/mine/alerts/stop"))
        assert AlertSubscription.objects.exists()

    def test_a_phone_that_knows_nobody_asks_for_nobody(self, service: PushService) -> None:
        event = a_running_night()
        page = page_of(event, at_table(event))
        self.asked(page, Browser(), service.browser().address)
        assert not AlertSubscription.objects.exists()

    @pytest.mark.parametrize(
        "address",
        [
            [],
            None,
            {},
            {"endpoint": "https://192.168.1.1/admin"},
            {"endpoint": 3, "p256dh": [], "auth": {}},
            PushedBrowser("https://192.168.1.1/admin").address,
            PushedBrowser("http://127.0.0.1/admin").address,
            PushedBrowser("https://fcm.googleapis.com/" + "a" * 1_000).address,
            PushedBrowser("https://fcm.googleapis.com/a").address | {"more": ""},
        ],
    )
    def test_an_address_to_which_nothing_is_sent_is_refused(self, address: object) -> None:
        event = a_running_night()
        phone = Browser()
        page = self.asked(page_of(event, at_table(event), phone), phone, address)
        assert "Could not turn on notifications" in page.text
        assert not AlertSubscription.objects.exists()


class TestMail:
    @pytest.fixture(autouse=True)
    def sends_mail(self, settings: Any) -> None:
        for name, value in SET_UP.items():
            setattr(settings, name, value)

    def a_mailed_player(self, event: Event) -> tuple[Person, Browser, Page]:
        """Somebody who scanned their badge and asked for mails."""
        person = at_table(event)
        Person.objects.filter(pk=person.pk).update(contact="jeannine@example.org")
        phone = Browser()
        page = phone.open(own_link(event, person.pk))
        return person, phone, phone.send(page, page.form("/mine/mail"))

    @pytest.mark.slow
    def test_who_asked_has_one_mail_for_each_round_with_a_way_to_stop_them(self) -> None:
        event = a_running_night()
        person, _, page = self.a_mailed_player(event)
        assert "E-mails also go to j…@example.org" in page.text
        second_round(event)
        work()
        work()
        (message,) = mail.outbox
        table, side = seat_of(event, person, 2)
        told = f"Round 2, table {table}, {SIDES['en'][side]}"
        assert (message.to, message.subject) == (["jeannine@example.org"], f"{event.name}: {told}")
        assert f"{LEADS_TO}{own_address(event)}" in message.body
        assert person.name not in message.body

    @pytest.mark.slow
    def test_no_name_adds_a_header_or_somebody_to_whom_it_goes(self) -> None:
        event = a_running_night()
        self.a_mailed_player(event)
        owner = an_account()
        Membership.objects.create(club=event.club, account=owner, role=Role.OWNER)
        desk = Browser(account=owner)
        page = desk.open(f"/e/{event.short}/desk/settings")
        desk.send(page, page.form(having="name"), name="Coupe\r\nBcc: evil@example.org\r\n\r\nx")
        second_round(event)
        work()
        (message,) = mail.outbox
        sent = message.message()
        assert message.recipients() == ["jeannine@example.org"]
        assert sent["Bcc"] is None
        assert "evil" in message.subject
        assert len(message.subject.splitlines()) == 1

    @pytest.mark.slow
    def test_what_waits_goes_to_the_address_that_the_club_has_when_it_is_sent(self) -> None:
        event = a_running_night()
        person, phone, _ = self.a_mailed_player(event)
        second_round(event)
        enqueue_alerts(event.pk)
        Person.objects.filter(pk=person.pk).update(contact="j.roy@example.org")
        work()
        (message,) = mail.outbox
        assert message.to == ["j.roy@example.org"]
        assert "E-mails also go to j…@example.org" in phone.open(own_address(event)).text
        assert "example.org" not in str(list(AlertSubscription.objects.values())), (
            "it is kept once, by the club"
        )

    @pytest.mark.slow
    def test_who_has_no_address_any_more_is_told_nothing_until_there_is_one_again(self) -> None:
        event = a_running_night()
        person, _, _ = self.a_mailed_player(event)
        Person.objects.filter(pk=person.pk).update(contact="418 555-0123")
        second_round(event)
        work()
        assert mail.outbox == []
        assert [one.status for one in jobs_to_tell()] == [Status.DONE]
        Person.objects.filter(pk=person.pk).update(contact="j.roy@example.org")
        add_entry(event_id=event.pk, players=("Ida Cyr", "Eva Cyr"))
        work()
        assert [message.to for message in mail.outbox] == [["j.roy@example.org"]]

    @pytest.mark.slow
    def test_one_tap_in_the_mail_program_ends_them_without_a_page_of_ours(self) -> None:
        event = a_running_night()
        self.a_mailed_player(event)
        second_round(event)
        work()
        headers = mail.outbox[0].extra_headers
        assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        path = headers["List-Unsubscribe"].removeprefix(f"<{LEADS_TO}").removesuffix(">")
        assert path in mail.outbox[0].body
        Browser().client.post(path, {"List-Unsubscribe": "One-Click"})
        assert not AlertSubscription.objects.exists()

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_a_program_that_only_opens_the_link_ends_nothing(self) -> None:
        event = a_running_night()
        self.a_mailed_player(event)
        subscription = AlertSubscription.objects.get()
        reader = Browser()
        page = reader.open(stop_path(subscription))
        assert AlertSubscription.objects.exists()
        assert (
            "This address will get no more messages about this event"
            in reader.send(page, page.form(having="csrfmiddlewaretoken")).text
        )
        assert not AlertSubscription.objects.exists()

    @pytest.mark.slow
    def test_a_link_with_other_letters_ends_nothing(self) -> None:
        event = a_running_night()
        self.a_mailed_player(event)
        path = stop_path(AlertSubscription.objects.get())
        assert Browser().client.post(f"{path[:-1]}{'BC'[path[-1] == 'B']}").status_code == 404
        assert AlertSubscription.objects.exists()

    @pytest.mark.slow
    def test_the_page_stops_them_too(self) -> None:
        event = a_running_night()
        _, phone, page = self.a_mailed_player(event)
        page = phone.send(page, page.form("/mine/mail"), ("stop", "1"))
        assert "E-mail me at j…@example.org" in page.text
        assert not AlertSubscription.objects.exists()

    def test_a_name_alone_has_no_mail_sent_and_reads_no_address(self) -> None:
        event = a_running_night()
        person = at_table(event)
        Person.objects.filter(pk=person.pk).update(contact="jeannine@example.org")
        phone = Browser()
        page = page_of(event, person, phone)
        assert "example.org" not in page.html
        token = page.every("input", name="csrfmiddlewaretoken")[0].value
        phone.client.post(f"{own_address(event)}/mail", {"csrfmiddlewaretoken": token})
        assert not AlertSubscription.objects.exists()

    @pytest.mark.parametrize("contact", ["418 555-0123", "", "a@b\nBcc: c@example.org"])
    def test_what_is_no_address_is_offered_none(self, contact: str) -> None:
        event = a_running_night()
        person = at_table(event)
        Person.objects.filter(pk=person.pk).update(contact=contact)
        assert "E-mail me" not in Browser().open(own_link(event, person.pk)).text

    def test_an_installation_that_sends_no_mail_offers_none(self, settings: Any) -> None:
        settings.MAIL_LEADS_TO = ""
        event = a_running_night()
        person = at_table(event)
        Person.objects.filter(pk=person.pk).update(contact="jeannine@example.org")
        assert "E-mail me" not in Browser().open(own_link(event, person.pk)).text
