"""Alerts tell players their table: once per change, retried while the push service is down, never for a draft."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, time, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from clubs.audit.log import Actor
from clubs.calendar import get_club_today
from clubs.date_formats import day_in_words
from clubs.models import Club, Membership, Person, Role
from clubs.services.people import PersonDetails, add_person
from engine.visibility import Release
from jobs.models import Job, Status
from jobs.services import run_job, sweep
from rules import Side
from tests.builders import build_account, build_event, build_running_night, matches_of, play_round, start_next_round
from tests.support.browser import Browser, Page
from tests.support.mailbox import MAIL_SETTINGS, SITE_ADDRESS
from tests.support.push_service import PushBrowser, PushService, run_push_service
from tests.tournaments.public.test_own_pages import find_person_at_table, get_own_path, open_own_page
from tournaments.alerts.channels import CHANNELS, MAIL, AlertMessage
from tournaments.alerts.queries import get_current_seats
from tournaments.alerts.services import (
    KEEP_AFTER_END,
    MAX_AGE,
    MAX_PHONES,
    SEND_ALERT,
    delete_old_alerts,
    enqueue_alerts,
    subscribe_to_alerts,
)
from tournaments.alerts.stop_links import get_stop_path
from tournaments.announcement import Announcement
from tournaments.entries.badge_codes import build_player_link
from tournaments.entries.services.entries import add_entry, remove_entry
from tournaments.entries.services.merging import merge_people
from tournaments.entries.services.sign_up import change_sign_up, pair_entries, sign_off_entry, sign_up
from tournaments.events.services.announcements import announce_event, call_off_event, reinstate_event
from tournaments.events.services.lifecycle import end_event
from tournaments.events.services.settings import rename_event
from tournaments.messages.services import call_table, end_call
from tournaments.models import AlertSubscription, Event
from tournaments.privacy.services.erasure import anonymize_people
from tournaments.publishing.services.publishing import change_release
from tournaments.rounds.services.rounds import draw_round, publish_round, unpublish_round
from web.web_push import get_application_key

pytestmark = pytest.mark.django_db


@pytest.fixture
def service(settings: Any) -> Iterator[PushService]:
    with run_push_service() as service:
        settings.PUSH_SERVICES = (*settings.PUSH_SERVICES, service.origin)
        settings.LOCAL_TARGETS = ["127.0.0.0/8"]
        yield service


def subscribe_phone(
    service: PushService, event: Event, person: Person, *, language: str = "fr", name: str = "phone"
) -> PushBrowser:
    """Return a push browser that receives the person's alerts."""
    browser = service.add_browser(name)
    subscribe_to_alerts(event=event, person=person, channel="webpush", address=browser.address, language=language)
    return browser


def run_worker() -> None:
    """Run all queued jobs that need not wait, including jobs queued meanwhile."""
    while True:
        queued = Job.objects.filter(status=Status.QUEUED, waits_until=None).order_by("pk").first()
        if queued is None:
            return
        run_job(queued.pk)


def list_alert_jobs() -> list[Job]:
    return list(Job.objects.filter(kind=SEND_ALERT).order_by("pk"))


def publish_second_round(event: Event, *, seed: int = 1) -> None:
    """Play and close the first round, then publish the second."""
    play_round(event)
    start_next_round(event, seed=seed)


def redraw_second_round(event: Event, person: Person) -> tuple[int, Side]:
    """Redraw the second round until the person's seat changes, and return the new table and side."""
    before = seat_of(event, person, 2)
    unpublish_round(event_id=event.pk, number=2)
    for seed in range(2, 100):
        start_next_round(event, seed=seed)
        if seat_of(event, person, 2) != before:
            return seat_of(event, person, 2)
        unpublish_round(event_id=event.pk, number=2)
    raise AssertionError


def get_first_player(event: Event) -> Person:
    return event.entries.select_related("player_1").get(number=1).player_1


def format_french_day(day: date) -> str:
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
class TestRoundAlerts:
    @pytest.mark.parametrize(
        ("language", "body_template"), [("fr", "Ronde 2, table {}, {}"), ("en", "Round 2, table {}, {}")]
    )
    @pytest.mark.long
    def test_published_round_alerts_each_phone_in_its_language(
        self, service: PushService, language: str, body_template: str
    ) -> None:
        event = build_running_night()
        people = [find_person_at_table(event, seat=seat) for seat in range(4)]
        phones = [subscribe_phone(service, event, one, language=language, name=str(one.pk)) for one in people]
        publish_second_round(event)
        run_worker()
        for person, phone in zip(people, phones, strict=True):
            table, side = seat_of(event, person, 2)
            (shown,) = service.list_messages_shown(phone)
            assert shown["body"] == body_template.format(table, SIDES[language][side])
            assert shown["title"] == event.name
            assert (shown["page"], shown["lang"]) == (get_own_path(event), language)

    @pytest.mark.long
    def test_push_message_identifies_the_sender_and_expires(self, service: PushService) -> None:
        event = build_running_night()
        subscribe_phone(service, event, find_person_at_table(event))
        publish_second_round(event)
        run_worker()
        (message,) = service.messages
        now = timezone.now().timestamp()
        claims = message.claims
        assert (claims["key"], claims["aud"]) == (get_application_key(), service.origin)
        assert now < claims["exp"] <= now + 24 * 3600
        assert claims["sub"].startswith("mailto:")
        assert message.headers["content-encoding"] == "aes128gcm"
        assert int(message.headers["ttl"]) > 0
        assert len(message.headers["topic"]) == 32

    @pytest.mark.long
    def test_subscriber_gets_no_alert_for_the_seat_already_shown(self, service: PushService) -> None:
        event = build_running_night()
        phone = subscribe_phone(service, event, find_person_at_table(event))
        add_entry(event_id=event.pk, players=("Ida Cyr", "Eva Cyr"))
        run_worker()
        assert service.list_messages_shown(phone) == []

    @pytest.mark.long
    def test_draft_round_sends_no_alert(self, service: PushService) -> None:
        event = build_running_night()
        phone = subscribe_phone(service, event, find_person_at_table(event))
        play_round(event)
        draw_round(event_id=event.pk, seed=1)
        run_worker()
        assert service.list_messages_shown(phone) == []
        assert list_alert_jobs() == []

    @pytest.mark.long
    def test_unpublished_round_sends_no_pending_alert(self, service: PushService) -> None:
        event = build_running_night()
        phone = subscribe_phone(service, event, find_person_at_table(event))
        publish_second_round(event)
        enqueue_alerts(event.pk)
        assert len(list_alert_jobs()) == 1
        unpublish_round(event_id=event.pk, number=2)
        run_worker()
        assert service.list_messages_shown(phone) == []

    def test_hidden_draw_sends_no_alert_until_released(self, service: PushService) -> None:
        event = build_running_night()
        phone = subscribe_phone(service, event, find_person_at_table(event))
        change_release(event_id=event.pk, release=Release(draw=False))
        publish_second_round(event)
        run_worker()
        assert service.list_messages_shown(phone) == []
        change_release(event_id=event.pk, release=Release())
        run_worker()
        assert len(service.list_messages_shown(phone)) == 1

    @pytest.mark.long
    def test_republished_round_alerts_only_changed_seats(self, service: PushService) -> None:
        event = build_running_night()
        person = find_person_at_table(event)
        phone = subscribe_phone(service, event, person)
        publish_second_round(event)
        run_worker()
        first = seat_of(event, person, 2)
        unpublish_round(event_id=event.pk, number=2)
        publish_round(event_id=event.pk, number=2)
        run_worker()
        assert len(service.list_messages_shown(phone)) == 1, "the same table"
        table, side = redraw_second_round(event, person)
        run_worker()
        assert service.list_messages_shown(phone)[-1]["body"] == f"Ronde 2, table {table}, {SIDES['fr'][side]}"
        assert len(service.list_messages_shown(phone)) == 2
        unpublish_round(event_id=event.pk, number=2)
        start_next_round(event, seed=1)
        run_worker()
        assert seat_of(event, person, 2) == first
        assert len(service.list_messages_shown(phone)) == 3, "as at first, but the phone last said otherwise"

    def test_table_call_alerts_its_table_once(self, service: PushService) -> None:
        event = build_running_night()
        one, other = (
            subscribe_phone(service, event, match.players.all()[0].person, name=str(match.pk))
            for match in matches_of(event)[:2]
        )
        call_table(event_id=event.pk, table=1)
        run_worker()
        call_table(event_id=event.pk, table=1)
        end_call(event_id=event.pk, table=1)
        run_worker()
        assert [message["body"] for message in service.list_messages_shown(one)] == [
            "Table 1\N{NO-BREAK SPACE}: une personne est attendue au bureau."
        ]
        assert service.list_messages_shown(other) == []
        call_table(event_id=event.pk, table=1)
        run_worker()
        assert len(service.list_messages_shown(one)) == 2, "called again"

    def test_bye_alert_reaches_the_player(self, service: PushService) -> None:
        event = build_running_night(pairs=5)
        phones = {
            entry.pk: subscribe_phone(service, event, entry.player_1, name=str(entry.pk))
            for entry in event.entries.select_related("player_1")
        }
        publish_second_round(event)
        run_worker()
        bye = event.rounds.get(number=2).seatings.get(table=None)
        bodies_by_entry = {
            entry: [one["body"] for one in service.list_messages_shown(phone)] for entry, phone in phones.items()
        }
        assert bodies_by_entry[bye.entry_id] == ["Ronde 2 : vous avez une exemption."]
        assert all(len(each) == 1 for each in bodies_by_entry.values())

    @pytest.mark.long
    @pytest.mark.parametrize("pairs", [4, 9])
    def test_seat_lookup_takes_two_queries_for_any_field(self, pairs: int) -> None:
        event = build_running_night(pairs=pairs)
        people = {player.person_id for match in matches_of(event) for player in match.players.all()}
        with CaptureQueriesContext(connection) as caught:
            seats = get_current_seats(event, people)
        assert all(1 in each for each in seats.values())
        assert len(caught) == 2


class TestEventDayAlerts:
    """Alerts about a cancelled, postponed or reinstated event."""

    def build_upcoming_night(self, service: PushService) -> tuple[Event, PushBrowser]:
        """Return an event and a phone that receives the alerts of one of its players."""
        event = build_event()
        return event, subscribe_phone(service, event, get_first_player(event))

    def list_messages(self, service: PushService, phone: PushBrowser) -> list[str]:
        run_worker()
        return [one["body"] for one in service.list_messages_shown(phone)]

    @pytest.mark.long
    def test_cancelled_event_sends_one_alert_with_the_reason(self, service: PushService) -> None:
        event, phone = self.build_upcoming_night(service)
        call_off_event(event_id=event.pk, reason="tempête")
        add_entry(event_id=event.pk, players=("Léa Roy", "Guy Roy"))
        assert self.list_messages(service, phone) == ["Événement annulé (tempête)"]

    @pytest.mark.long
    def test_reinstated_event_sends_an_alert_with_its_date(self, service: PushService) -> None:
        event, phone = self.build_upcoming_night(service)
        call_off_event(event_id=event.pk)
        assert self.list_messages(service, phone) == ["Événement annulé"]
        reinstate_event(event_id=event.pk)
        assert self.list_messages(service, phone)[1:] == [
            f"L’événement aura lieu le {format_french_day(event.held_on)}."
        ]

    @pytest.mark.slow
    def test_quickly_reinstated_event_sends_no_alert(self, service: PushService) -> None:
        event, phone = self.build_upcoming_night(service)
        call_off_event(event_id=event.pk)
        enqueue_alerts(event.pk)
        reinstate_event(event_id=event.pk)
        assert self.list_messages(service, phone) == []

    @pytest.mark.slow
    def test_new_day_or_hour_sends_an_alert(self, service: PushService) -> None:
        event, phone = self.build_upcoming_night(service)
        later = event.held_on + timedelta(days=7)
        rename_event(event_id=event.pk, name="Vendredi", held_on=later)
        assert self.list_messages(service, phone) == [f"L’événement aura lieu le {format_french_day(later)}."]
        announce_event(event_id=event.pk, announcement=Announcement(starts_at=time(19, 30)))
        assert self.list_messages(service, phone)[1:] == [
            f"L’événement aura lieu le {format_french_day(later)}, à 19\N{NO-BREAK SPACE}h\N{NO-BREAK SPACE}30."
        ]

    def test_subscriber_to_a_cancelled_event_gets_no_alert(self, service: PushService) -> None:
        event = build_event()
        call_off_event(event_id=event.pk)
        assert self.list_messages(service, subscribe_phone(service, event, get_first_player(event))) == []

    @pytest.mark.slow
    def test_old_subscriber_gets_only_the_cancellation_alert(self, service: PushService) -> None:
        event, phone = self.build_upcoming_night(service)
        AlertSubscription.objects.update(told={})
        add_entry(event_id=event.pk, players=("Léa Roy", "Guy Roy"))
        assert self.list_messages(service, phone) == []
        call_off_event(event_id=event.pk)
        assert self.list_messages(service, phone) == ["Événement annulé"]

    @pytest.mark.slow
    def test_hidden_event_sends_no_cancellation_alert(self, service: PushService) -> None:
        event, phone = self.build_upcoming_night(service)
        change_release(event_id=event.pk, release=Release(is_public=False))
        call_off_event(event_id=event.pk)
        assert self.list_messages(service, phone) == []

    @pytest.mark.long
    def test_started_event_sends_no_date_alert(self, service: PushService) -> None:
        event = build_running_night()
        phone = subscribe_phone(service, event, find_person_at_table(event))
        rename_event(event_id=event.pk, name=event.name, held_on=event.held_on + timedelta(days=1))
        assert self.list_messages(service, phone) == []

    @pytest.mark.long
    def test_own_page_offers_check_in_from_the_day_of_the_event(self) -> None:
        event = build_event()
        own = build_player_link(event, get_first_player(event).pk)
        assert "I am here" in Browser().open(own).text
        tomorrow = get_club_today(event.club) + timedelta(days=1)
        rename_event(event_id=event.pk, name=event.name, held_on=tomorrow)
        page = Browser().open(own)
        assert "I am here" not in page.text
        assert "I will be late" in page.text

    @pytest.mark.slow
    def test_own_page_of_a_cancelled_event_offers_no_check_in(self) -> None:
        event = build_event()
        own = build_player_link(event, get_first_player(event).pk)
        assert "I am here" in Browser().open(own).text
        call_off_event(event_id=event.pk, reason="storm")
        page = Browser().open(own)
        assert "Event cancelled (storm)" in page.text
        assert "It begins" not in page.text
        assert "I am here" not in page.text


@pytest.mark.slow
class TestWaitingListAlerts:
    def build_night(self, *signed_up: str, places: int | None) -> Event:
        """Build an event of two pairs, with open sign-up and the given sign-ups, each a pair or a single player."""
        event = build_event(2)
        change_sign_up(event_id=event.pk, is_open=True, most_entries=places)
        for names in signed_up:
            players = names.split(" and ")
            by = Actor(key=uuid4())
            sign_up(event_id=event.pk, players=players, needs_partner=len(players) == 1, by=by)
        return event

    def get_player(self, event: Event, number: int) -> Person:
        return event.entries.select_related("player_1").get(number=number).player_1

    def list_messages(self, service: PushService, phone: PushBrowser) -> list[str]:
        run_worker()
        return [one["body"] for one in service.list_messages_shown(phone)]

    @pytest.mark.long
    def test_freed_place_alerts_the_first_in_line_once(self, service: PushService) -> None:
        event = self.build_night("Ida Cyr and Eva Cyr", "Léa Roy and Guy Roy", places=2)
        playing, first, second = (
            subscribe_phone(service, event, self.get_player(event, number), name=str(number)) for number in (2, 3, 4)
        )
        remove_entry(event_id=event.pk, number=1)
        assert self.list_messages(service, first) == ["Vous avez maintenant une place."]
        assert [service.list_messages_shown(each) for each in (second, playing)] == [[], []]
        change_sign_up(event_id=event.pk, is_open=True, most_entries=None)
        assert self.list_messages(service, second) == ["Vous avez maintenant une place."]
        assert len(self.list_messages(service, first)) == 1

    def test_partner_found_or_lost_alerts_the_player_about_their_place(self, service: PushService) -> None:
        event = self.build_night("Ida Cyr", "Léa Roy", places=None)
        ida, lea = (self.get_player(event, number) for number in (3, 4))
        phone = subscribe_phone(service, event, ida)
        pair_entries(event_id=event.pk, numbers=(3, 4))
        assert self.list_messages(service, phone) == ["Vous avez maintenant une place."]
        number = event.entries.get(player_1=ida).number
        sign_off_entry(event_id=event.pk, number=number, person_id=lea.pk, by=Actor(key=uuid4()))
        assert self.list_messages(service, phone)[1:] == [
            "Vous n’avez plus de place\N{NO-BREAK SPACE}: voyez votre page."
        ]


@pytest.mark.slow
class TestAlertJobs:
    @pytest.mark.long
    def test_repeated_alert_job_sends_one_message(self, service: PushService) -> None:
        event = build_running_night()
        phone = subscribe_phone(service, event, find_person_at_table(event))
        publish_second_round(event)
        run_worker()
        (alert_job,) = list_alert_jobs()
        assert alert_job.status == Status.DONE
        run_job(alert_job.pk)
        enqueue_alerts(event.pk)
        run_worker()
        assert len(service.list_messages_shown(phone)) == 1
        assert list_alert_jobs() == [alert_job]

    @pytest.mark.long
    def test_unavailable_push_service_is_retried_with_longer_pauses(self, service: PushService) -> None:
        event = build_running_night()
        phone = subscribe_phone(service, event, find_person_at_table(event))
        publish_second_round(event)
        service.status = 503
        pauses = []
        run_worker()
        for _ in range(3):
            (alert_job,) = list_alert_jobs()
            assert (alert_job.status, service.refused_count) == (Status.QUEUED, alert_job.attempts)
            assert alert_job.waits_until is not None
            pauses.append(round((alert_job.waits_until - alert_job.sent_at).total_seconds()))
            sent_at = alert_job.sent_at - timedelta(minutes=5)
            Job.objects.filter(pk=alert_job.pk).update(sent_at=sent_at)
            sweep()
            assert list_alert_jobs()[0].sent_at == sent_at, "it is put off: nobody sends it now"
            Job.objects.filter(pk=alert_job.pk).update(waits_until=timezone.now() - timedelta(seconds=1))
            sweep()
            assert list_alert_jobs()[0].sent_at > sent_at
            run_job(alert_job.pk)
        assert pauses == [10, 40, 160]
        service.status = 201
        run_job(alert_job.pk)
        assert list_alert_jobs()[0].status == Status.DONE
        assert len(service.list_messages_shown(phone)) == 1

    @pytest.mark.long
    def test_failed_alert_is_sent_with_the_next_change(self, service: PushService) -> None:
        event = build_running_night()
        phone = subscribe_phone(service, event, find_person_at_table(event))
        publish_second_round(event)
        service.status = 500
        run_worker()
        (alert_job,) = list_alert_jobs()
        for _ in range(4):
            run_job(alert_job.pk)
        assert list_alert_jobs()[0].status == Status.FAILED
        service.status = 201
        add_entry(event_id=event.pk, players=("Ida Cyr", "Eva Cyr"))
        run_worker()
        assert len(service.list_messages_shown(phone)) == 1

    @pytest.mark.long
    def test_clock_set_back_does_not_delay_a_retry(self, service: PushService) -> None:
        event = build_running_night()
        subscribe_phone(service, event, find_person_at_table(event))
        publish_second_round(event)
        service.status = 503
        run_worker()
        (alert_job,) = list_alert_jobs()
        before = timezone.now() - timedelta(minutes=5)
        Job.objects.filter(pk=alert_job.pk).update(sent_at=before, waits_until=timezone.now() + timedelta(days=4000))
        sweep()
        assert list_alert_jobs()[0].sent_at > before

    @pytest.mark.parametrize("status", [404, 410])
    def test_expired_subscription_is_deleted(self, service: PushService, status: int) -> None:
        event = build_running_night()
        subscribe_phone(service, event, find_person_at_table(event))
        publish_second_round(event)
        service.status = status
        run_worker()
        assert not AlertSubscription.objects.exists()
        assert [one.status for one in list_alert_jobs()] == [Status.DONE]

    @pytest.mark.long
    def test_push_service_redirect_is_not_followed(self, service: PushService) -> None:
        event = build_running_night()
        subscribe_phone(service, event, find_person_at_table(event))
        publish_second_round(event)
        service.status = 307
        run_worker()
        assert (service.refused_count, service.messages) == (1, [])


class TestAlertSubscriptions:
    def test_push_address_belongs_to_one_person(self, service: PushService) -> None:
        event = build_running_night()
        browser = service.add_browser()
        for person in (find_person_at_table(event, seat=0), find_person_at_table(event, seat=1)):
            subscribe_to_alerts(event=event, person=person, channel="webpush", address=browser.address, language="fr")
        assert [one.person for one in AlertSubscription.objects.all()] == [find_person_at_table(event, seat=1)]

    @pytest.mark.long
    def test_excess_phones_drop_the_oldest_subscription(self, service: PushService) -> None:
        event = build_running_night()
        for number in range(MAX_PHONES + 2):
            subscribe_phone(service, event, find_person_at_table(event), name=str(number))
        endpoint_digits = [one.address["endpoint"][-5] for one in AlertSubscription.objects.order_by("pk")]
        assert endpoint_digits == ["2", "3", "4", "5", "6"]

    @pytest.mark.long
    def test_anonymized_person_loses_the_subscription(self, service: PushService) -> None:
        event = build_running_night()
        person = find_person_at_table(event)
        subscribe_phone(service, event, person)
        play_round(event)
        end_event(event_id=event.pk)
        Event.objects.update(held_on=event.held_on - timedelta(days=2))
        anonymize_people(club_id=event.club_id, person_ids=[person.pk])
        assert not AlertSubscription.objects.exists()

    def test_merged_person_passes_on_the_subscription(self, service: PushService) -> None:
        event = build_running_night()
        target = add_person(club_id=event.club_id, details=PersonDetails(name="Jeannine Roy"))
        subscribe_phone(service, event, find_person_at_table(event))
        merged = find_person_at_table(event)
        merge_people(club_id=event.club_id, target_id=target.pk, source_id=merged.pk)
        assert AlertSubscription.objects.get().person == target

    def test_subscription_is_deleted_a_week_after_the_event(self, service: PushService) -> None:
        event = build_running_night()
        subscribe_phone(service, event, find_person_at_table(event))
        today = timezone.now().date()
        Event.objects.update(held_on=today - KEEP_AFTER_END - timedelta(days=1))
        delete_old_alerts()
        assert AlertSubscription.objects.exists(), "it goes on"
        Event.objects.update(state="ended")
        delete_old_alerts()
        assert not AlertSubscription.objects.exists()

    def test_subscription_expires_with_the_own_page_session(self, service: PushService) -> None:
        event = build_running_night()
        subscribe_phone(service, event, find_person_at_table(event))
        AlertSubscription.objects.update(created_at=timezone.now() - MAX_AGE - timedelta(minutes=1))
        delete_old_alerts()
        assert not AlertSubscription.objects.exists()


class TestAlertsPage:
    """Alerts page without scripts: its texts, and its response to the form that a script would send."""

    def send_address(self, page: Page, browser: Browser, address: object) -> Page:
        form = page.find_form("/mine/alerts")
        return browser.send(page, form, address=json.dumps(address))

    @pytest.mark.long
    def test_page_explains_alerts_on_phones_without_push(self) -> None:
        event = build_running_night()
        page = open_own_page(event, find_person_at_table(event))
        assert "hidden" in page.find_form("/mine/alerts").attrs
        assert "On an iPhone, first add the page to the home screen" in page.text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_player_turns_alerts_on_and_off(self, service: PushService) -> None:
        event = build_running_night()
        person = find_person_at_table(event)
        phone, browser = Browser(), service.add_browser()
        page = self.send_address(open_own_page(event, person, phone), phone, browser.address)
        assert "This phone notifies you, even when asleep" in page.text
        assert AlertSubscription.objects.get().person == person
        publish_second_round(event)
        run_worker()
        assert len(service.list_messages_shown(browser)) == 1
        page = phone.send(page, page.find_form("/mine/alerts/stop"))
        assert page.find_form("/mine/alerts").attrs["action"].endswith("/mine/alerts")
        assert not AlertSubscription.objects.exists()

    @pytest.mark.slow
    def test_switching_person_removes_the_subscription(self, service: PushService) -> None:
        event = build_running_night()
        phone = Browser()
        page = self.send_address(
            open_own_page(event, find_person_at_table(event), phone), phone, service.add_browser().address
        )
        phone.send(page, page.find_form("/choose"))
        assert not AlertSubscription.objects.exists()

    @pytest.mark.long
    def test_another_phone_cannot_stop_alerts(self, service: PushService) -> None:
        event = build_running_night()
        phone = Browser()
        page = self.send_address(
            open_own_page(event, find_person_at_table(event), phone), phone, service.add_browser().address
        )
        other = Browser()
        open_own_page(event, find_person_at_table(event), other)
        other.send(page, page.find_form("/mine/alerts/stop"))
        assert AlertSubscription.objects.exists()

    @pytest.mark.long
    def test_unidentified_phone_cannot_subscribe(self, service: PushService) -> None:
        event = build_running_night()
        page = open_own_page(event, find_person_at_table(event))
        self.send_address(page, Browser(), service.add_browser().address)
        assert not AlertSubscription.objects.exists()

    @pytest.mark.parametrize(
        "address",
        [
            [],
            None,
            {},
            {"endpoint": "https://192.168.1.1/admin"},
            {"endpoint": 3, "p256dh": [], "auth": {}},
            PushBrowser("https://192.168.1.1/admin").address,
            PushBrowser("http://127.0.0.1/admin").address,
            PushBrowser("https://fcm.googleapis.com/" + "a" * 1_000).address,
            PushBrowser("https://fcm.googleapis.com/a").address | {"more": ""},
        ],
    )
    def test_unsupported_push_address_is_refused(self, address: object) -> None:
        event = build_running_night()
        phone = Browser()
        page = self.send_address(open_own_page(event, find_person_at_table(event), phone), phone, address)
        assert "Could not turn on notifications" in page.text
        assert not AlertSubscription.objects.exists()


class TestEmailAlerts:
    @pytest.fixture(autouse=True)
    def sends_mail(self, settings: Any) -> None:
        for name, value in MAIL_SETTINGS.items():
            setattr(settings, name, value)

    def subscribe_by_mail(self, event: Event) -> tuple[Person, Browser, Page]:
        """Open the own page of a person with an e-mail address, and turn on e-mail alerts."""
        person = find_person_at_table(event)
        Person.objects.filter(pk=person.pk).update(contact="jeannine@example.org")
        phone = Browser()
        page = phone.open(build_player_link(event, person.pk))
        return person, phone, phone.send(page, page.find_form("/mine/mail"))

    def test_subject_is_spaced_as_the_readers_language_has_it(self) -> None:
        seat = AlertMessage(
            club=Club(name="Les Joyeux Atouts"),
            title="Soirée du mardi",
            text="Ronde 2, table 7",
            page="/",
            stop="/",
            language="fr",
            topic="2",
        )
        for language in ("fr", "en"):
            CHANNELS[MAIL].send({"email": "jeannine@example.org"}, replace(seat, language=language))
        assert [message.subject for message in mail.outbox] == [
            "Soirée du mardi\N{NO-BREAK SPACE}: Ronde 2, table 7",
            "Soirée du mardi: Ronde 2, table 7",
        ]

    @pytest.mark.long
    def test_subscriber_gets_one_email_per_round(self) -> None:
        event = build_running_night()
        person, _, page = self.subscribe_by_mail(event)
        assert "E-mails also go to j…@example.org" in page.text
        publish_second_round(event)
        run_worker()
        run_worker()
        (message,) = mail.outbox
        table, side = seat_of(event, person, 2)
        seat_text = f"Round 2, table {table}, {SIDES['en'][side]}"
        assert (message.to, message.subject) == (["jeannine@example.org"], f"{event.name}: {seat_text}")
        assert f"{SITE_ADDRESS}{get_own_path(event)}" in message.body
        assert person.name not in message.body

    @pytest.mark.long
    def test_event_name_cannot_inject_email_headers(self) -> None:
        event = build_running_night()
        self.subscribe_by_mail(event)
        owner = build_account()
        Membership.objects.create(club=event.club, account=owner, role=Role.OWNER)
        desk = Browser(account=owner)
        page = desk.open(f"/e/{event.short}/desk/settings")
        desk.send(page, page.find_form(control_name="name"), name="Coupe\r\nBcc: evil@example.org\r\n\r\nx")
        publish_second_round(event)
        run_worker()
        (message,) = mail.outbox
        sent = message.message()
        assert message.recipients() == ["jeannine@example.org"]
        assert sent["Bcc"] is None
        assert "evil" in message.subject
        assert len(message.subject.splitlines()) == 1

    @pytest.mark.long
    def test_pending_email_goes_to_the_current_address(self) -> None:
        event = build_running_night()
        person, phone, _ = self.subscribe_by_mail(event)
        publish_second_round(event)
        enqueue_alerts(event.pk)
        Person.objects.filter(pk=person.pk).update(contact="j.roy@example.org")
        run_worker()
        (message,) = mail.outbox
        assert message.to == ["j.roy@example.org"]
        assert "E-mails also go to j…@example.org" in phone.open(get_own_path(event)).text
        assert "example.org" not in str(list(AlertSubscription.objects.values())), "it is kept once, by the club"

    @pytest.mark.slow
    def test_removed_address_pauses_emails_until_replaced(self) -> None:
        event = build_running_night()
        person, _, _ = self.subscribe_by_mail(event)
        Person.objects.filter(pk=person.pk).update(contact="418 555-0123")
        publish_second_round(event)
        run_worker()
        assert mail.outbox == []
        assert [one.status for one in list_alert_jobs()] == [Status.DONE]
        Person.objects.filter(pk=person.pk).update(contact="j.roy@example.org")
        add_entry(event_id=event.pk, players=("Ida Cyr", "Eva Cyr"))
        run_worker()
        assert [message.to for message in mail.outbox] == [["j.roy@example.org"]]

    @pytest.mark.long
    def test_one_click_unsubscribe_ends_emails(self) -> None:
        event = build_running_night()
        self.subscribe_by_mail(event)
        publish_second_round(event)
        run_worker()
        headers = mail.outbox[0].extra_headers
        assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        path = headers["List-Unsubscribe"].removeprefix(f"<{SITE_ADDRESS}").removesuffix(">")
        assert path in mail.outbox[0].body
        assert mail.outbox[0].body.endswith(f"\n\n{event.club.name}\n")
        Browser().client.post(path, {"List-Unsubscribe": "One-Click"})
        assert not AlertSubscription.objects.exists()

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_opening_the_unsubscribe_link_ends_nothing(self) -> None:
        event = build_running_night()
        self.subscribe_by_mail(event)
        subscription = AlertSubscription.objects.get()
        reader = Browser()
        page = reader.open(get_stop_path(subscription))
        assert AlertSubscription.objects.exists()
        assert (
            "No more messages about this event will be sent to this address"
            in reader.send(page, page.find_form(control_name="csrfmiddlewaretoken")).text
        )
        assert not AlertSubscription.objects.exists()

    @pytest.mark.slow
    def test_forged_unsubscribe_link_ends_nothing(self) -> None:
        event = build_running_night()
        self.subscribe_by_mail(event)
        path = get_stop_path(AlertSubscription.objects.get())
        assert Browser().client.post(f"{path[:-1]}{'BC'[path[-1] == 'B']}").status_code == 404
        assert AlertSubscription.objects.exists()

    @pytest.mark.slow
    def test_own_page_stops_emails(self) -> None:
        event = build_running_night()
        _, phone, page = self.subscribe_by_mail(event)
        page = phone.send(page, page.find_form("/mine/mail"), ("stop", "1"))
        assert "E-mail me at j…@example.org" in page.text
        assert not AlertSubscription.objects.exists()

    def test_unverified_person_cannot_request_emails_or_see_the_address(self) -> None:
        event = build_running_night()
        person = find_person_at_table(event)
        Person.objects.filter(pk=person.pk).update(contact="jeannine@example.org")
        phone = Browser()
        page = open_own_page(event, person, phone)
        assert "example.org" not in page.html
        token = page.find_all("input", name="csrfmiddlewaretoken")[0].value
        phone.client.post(f"{get_own_path(event)}/mail", {"csrfmiddlewaretoken": token})
        assert not AlertSubscription.objects.exists()

    @pytest.mark.long
    @pytest.mark.parametrize("contact", ["418 555-0123", "", "a@b\nBcc: c@example.org"])
    def test_invalid_address_hides_the_email_offer(self, contact: str) -> None:
        event = build_running_night()
        person = find_person_at_table(event)
        Person.objects.filter(pk=person.pk).update(contact=contact)
        assert "E-mail me" not in Browser().open(build_player_link(event, person.pk)).text

    @pytest.mark.long
    def test_installation_without_mail_hides_the_email_offer(self, settings: Any) -> None:
        settings.MAIL_ORIGIN = ""
        event = build_running_night()
        person = find_person_at_table(event)
        Person.objects.filter(pk=person.pk).update(contact="jeannine@example.org")
        assert "E-mail me" not in Browser().open(build_player_link(event, person.pk)).text
