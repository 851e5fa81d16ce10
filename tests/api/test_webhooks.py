"""Webhooks: public events are sent signed and in order, and retried until the receiver accepts them."""

from __future__ import annotations

import base64
import doctest
import hmac
import re
from collections.abc import Iterator, Sequence
from datetime import date, time, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core import mail
from django.utils import timezone

import api.webhooks.signatures
from api.webhooks import dispatch
from api.webhooks.dispatch import MAX_FINISHED, RETRY_DELAYS, deliver, request_due_deliveries
from clubs.audit.log import Actor
from clubs.models import Account, DeliveryState, NewsKind, OffReason, PublishedFacts, Webhook, WebhookDelivery
from clubs.queries import list_deliveries
from clubs.services.accounts import make_owner
from clubs.services.calendar import NightDetails, add_recurring_night, remove_recurring_night
from clubs.services.webhooks import (
    CLAIM_DURATION,
    add_webhook,
    change_webhook,
    redeliver,
    remove_webhook,
    renew_webhook_secret,
    send_webhook_test,
    switch_off_restored_webhooks,
)
from engine.visibility import RanksRelease, Release, Results
from jobs.models import Job, Status
from jobs.services import run_job
from operations.data_dir import PROJECT
from tests.api.program import Program, create_secret
from tests.builders import (
    build_account,
    build_club,
    build_event,
    build_running_night,
    get_refusal_code,
    matches_of,
    play_round,
    start_next_round,
    win,
)
from tests.support.browser import Browser, Page
from tests.support.mailbox import SITE_ADDRESS
from tests.support.markup import list_form_fields
from tests.support.receiver import ReceivedRequest, Receiver, run_receiver
from tournaments.entries.services.entries import add_entry, remove_entry
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Event
from tournaments.publishing.services.publishing import change_release, publish_final
from tournaments.rounds.services.rounds import draw_round, publish_round, unpublish_round
from tournaments.rounds.services.tables import adjust_table

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

ALL_KINDS = NewsKind.values
DAY = timedelta(days=1)
RESULTS = [NewsKind.TABLE_RESULT]


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.LOCAL_TARGETS = ["127.0.0.0/8"]
    settings.ADDRESS = "https://club.example.org"
    with run_receiver() as found:
        yield found


def add_webhook_for(event: Event, receiver: Receiver, kinds: Sequence[str] = ALL_KINDS) -> Webhook:
    """Add a webhook of the event's club, and let the worker note what is public already."""
    made = add_webhook(club_id=event.club_id, address=receiver.address, kinds=kinds, by=Actor())
    run_worker()
    return made.webhook


def run_worker() -> None:
    """Run every job that is due."""
    while True:
        waiting = Job.objects.filter(status=Status.QUEUED).exclude(waits_until__gt=timezone.now())
        queued = waiting.order_by("pk").first()
        if queued is None:
            return
        run_job(queued.pk)


def advance_time(webhook: Webhook, by: timedelta) -> None:
    """Move the webhook's due times into the past, then run the sweeper and the worker."""
    waiting = webhook.deliveries.filter(state=DeliveryState.WAITING)
    for one in waiting:
        waiting.filter(pk=one.pk).update(due_at=one.due_at - by)
    since = Webhook.objects.get(pk=webhook.pk).failing_since
    if since is not None:
        Webhook.objects.filter(pk=webhook.pk).update(failing_since=since - by)
    request_due_deliveries()
    run_worker()


def list_states(webhook: Webhook) -> list[str]:
    return list(webhook.deliveries.order_by("pk").values_list("state", flat=True))


class TestDeliveredEvents:
    @pytest.mark.long
    def test_webhook_receives_each_event_of_a_night_once(self, receiver: Receiver) -> None:
        event = start_event(event_id=build_event(4).pk)
        add_webhook_for(event, receiver)
        start_next_round(event)
        run_worker()
        play_round(event)
        run_worker()
        end_event(event_id=event.pk)
        publish_final(event_id=event.pk)
        run_worker()
        adjust_table(event_id=event.pk, number=1, table=1, games=(1, 0), points=(99, 1))
        run_worker()
        publish_final(event_id=event.pk)
        run_worker()
        nights = [one for one in receiver.events if one[0] == "night.changed"]
        assert nights == [("night.changed", None)]
        assert [one for one in receiver.events if one not in nights] == [
            ("round.published", 1),
            ("table.result", (1, 1)),
            ("table.result", (1, 2)),
            ("standings.final", 1),
            ("table.result", (1, 1)),
            ("standings.corrected", 2),
        ]
        assert len({one.id for one in receiver.requests}) == len(receiver.requests)

    @pytest.mark.long
    def test_webhook_payload_matches_the_api_resource(self, receiver: Receiver) -> None:
        event = build_running_night(4)
        webhook = add_webhook_for(event, receiver, RESULTS)
        win(matches_of(event)[0])
        run_worker()
        assert [name for _, name in list_deliveries(webhook)] == [event.name], "its page says of which event"
        payload = receiver.requests[0].payload
        assert payload["data"]["club"] == event.club.slug
        assert payload["data"]["event"] == event.short
        address = payload["data"]["url"].removeprefix("https://club.example.org")
        read = Program().get(address)
        assert payload["data"]["table"] == {key: read[key] for key in payload["data"]["table"]}
        assert payload["data"]["table"]["sides"][0]["points"] is not None

    @pytest.mark.long
    def test_webhook_receives_added_and_removed_entries(self, receiver: Receiver) -> None:
        event = build_event(2)
        add_webhook_for(event, receiver, [NewsKind.ENTRY_CHANGED])
        (entry,) = add_entry(event_id=event.pk, players=("Noëlla Nadeau", "Odile Ouellet"))
        run_worker()
        remove_entry(event_id=event.pk, number=entry.number)
        run_worker()
        assert receiver.events == [("entry.changed", entry.pk)] * 2
        first, then = (one.payload["data"]["entry"] for one in receiver.requests)
        assert (first["number"], then) == (entry.number, None)

    def test_webhook_receives_calendar_changes(self, receiver: Receiver) -> None:
        event = build_event(2)
        add_webhook_for(event, receiver, [NewsKind.NIGHT_CHANGED])
        details = NightDetails(name="Mardi", pattern="weekly", first_on=date(2026, 11, 24), starts_at=time(19))
        night = add_recurring_night(club_id=event.club_id, details=details)
        assert night is not None
        run_worker()
        remove_recurring_night(club_id=event.club_id, night_id=night.pk)
        run_worker()
        shown = [one.payload["data"]["night"] for one in receiver.requests]
        assert [night and night["name"] for night in shown] == ["Mardi", None]

    @pytest.mark.long
    def test_webhook_receives_only_subscribed_events_from_now_on(self, receiver: Receiver) -> None:
        event = build_running_night(4)
        win(matches_of(event)[0])
        add_webhook_for(event, receiver, RESULTS)
        win(matches_of(event)[1])
        run_worker()
        assert receiver.events == [("table.result", (1, 2))]

    @pytest.mark.long
    def test_webhook_receives_a_republished_round_but_no_draft(self, receiver: Receiver) -> None:
        event = build_running_night(4)
        add_webhook_for(event, receiver, [NewsKind.ROUND_PUBLISHED])
        unpublish_round(event_id=event.pk, number=1)
        run_worker()
        assert receiver.events == []
        publish_round(event_id=event.pk, number=1)
        run_worker()
        assert receiver.events == [("round.published", 1)]

    @pytest.mark.long
    def test_webhook_receives_nothing_of_another_club(self, receiver: Receiver) -> None:
        add_webhook_for(build_event(2), receiver)
        other = build_running_night(4, club=None)
        win(matches_of(other)[0])
        run_worker()
        assert [one for one in receiver.requests if one.payload["data"].get("event") == other.short] == []


class TestWithheldEvents:
    @pytest.mark.parametrize(
        "release",
        [
            Release(silent_from=1),
            Release(results=Results.NOTHING),
            Release(draw=False),
            Release(is_public=False),
        ],
    )
    @pytest.mark.long
    def test_hidden_results_trigger_no_webhook(self, receiver: Receiver, release: Release) -> None:
        event = start_event(event_id=build_event(4).pk)
        change_release(event_id=event.pk, release=release)
        add_webhook_for(event, receiver, [NewsKind.TABLE_RESULT, NewsKind.STANDINGS_FINAL])
        start_next_round(event)
        play_round(event)
        adjust_table(event_id=event.pk, number=1, table=1, games=(1, 0), points=(4567, 1))
        run_worker()
        assert receiver.requests == []
        assert not WebhookDelivery.objects.exists()
        assert "4567" not in str(PublishedFacts.objects.values_list("facts", flat=True))

    def test_silent_results_are_sent_with_the_final_standings(self, receiver: Receiver) -> None:
        event = start_event(event_id=build_event(4).pk)
        change_release(event_id=event.pk, release=Release(silent_from=1))
        add_webhook_for(event, receiver, [NewsKind.TABLE_RESULT, NewsKind.STANDINGS_FINAL])
        start_next_round(event)
        play_round(event)
        run_worker()
        publish_final(event_id=event.pk)
        run_worker()
        assert receiver.events == [
            ("table.result", (1, 1)),
            ("table.result", (1, 2)),
            ("standings.final", 1),
        ]

    @pytest.mark.long
    def test_unreleased_final_standings_are_not_sent(self, receiver: Receiver) -> None:
        event = start_event(event_id=build_event(4).pk)
        change_release(event_id=event.pk, release=Release(ranked=RanksRelease.NEVER))
        add_webhook_for(event, receiver, [NewsKind.STANDINGS_FINAL])
        start_next_round(event)
        play_round(event)
        publish_final(event_id=event.pk)
        run_worker()
        assert receiver.requests == []

    def test_delivery_is_withdrawn_if_its_event_is_hidden_meanwhile(self, receiver: Receiver) -> None:
        event = build_running_night(4)
        webhook = add_webhook_for(event, receiver, RESULTS)
        receiver.status = 500
        win(matches_of(event)[0])
        run_worker()
        assert len(receiver.requests) == 1
        change_release(event_id=event.pk, release=Release(is_public=False))
        receiver.status = 200
        advance_time(webhook, DAY)
        assert len(receiver.requests) == 1
        assert list_states(webhook) == [DeliveryState.WITHDRAWN]

    @pytest.mark.long
    def test_result_hidden_for_a_while_is_not_sent_twice(self, receiver: Receiver) -> None:
        event = build_running_night(4)
        add_webhook_for(event, receiver, RESULTS)
        win(matches_of(event)[0])
        run_worker()
        for release in (Release(is_public=False), Release()):
            change_release(event_id=event.pk, release=release)
            run_worker()
        assert receiver.events == [("table.result", (1, 1))]

    @pytest.mark.long
    def test_draft_is_not_sent(self, receiver: Receiver) -> None:
        event = start_event(event_id=build_event(4).pk)
        add_webhook_for(event, receiver)
        draw_round(event_id=event.pk)
        run_worker()
        assert [one for one in receiver.events if one[0] != "night.changed"] == []


class TestWebhookSignatures:
    @pytest.mark.long
    def test_signature_examples_match_the_specification(self) -> None:
        assert doctest.testmod(api.webhooks.signatures).failed == 0

    def test_renewed_secret_signs_beside_the_old_one_for_a_day(self, receiver: Receiver) -> None:
        event = build_running_night(4)
        made = add_webhook(club_id=event.club_id, address=receiver.address, kinds=ALL_KINDS, by=Actor())
        here: dict[str, Any] = {"club_id": event.club_id, "webhook_id": made.webhook.pk}
        renewed = renew_webhook_secret(**here, by=Actor())
        for _ in range(2):
            send_webhook_test(**here, by=Actor())
            run_worker()
            Webhook.objects.update(renewed_at=timezone.now() - DAY)
        first, then = receiver.requests
        assert [first.is_signed_with(one.secret) for one in (made, renewed)] == [True, True]
        assert [then.is_signed_with(one.secret) for one in (made, renewed)] == [False, True]
        assert made.secret.startswith("whsec_")
        assert not first.is_signed_with("whsec_" + "A" * 40)


class TestRetries:
    @pytest.mark.long
    def test_failed_delivery_is_retried_with_growing_delays_then_given_up(self, receiver: Receiver) -> None:
        event = build_running_night(4)
        webhook = add_webhook_for(event, receiver, RESULTS)
        receiver.status = 503
        win(matches_of(event)[0])
        run_worker()
        for number, pause in enumerate(RETRY_DELAYS, start=1):
            advance_time(webhook, pause - timedelta(seconds=1))
            assert len(receiver.requests) == number
            advance_time(webhook, timedelta(seconds=1))
            assert len(receiver.requests) == number + 1
        assert list_states(webhook) == [DeliveryState.GIVEN_UP]
        assert len({one.id for one in receiver.requests}) == 1
        advance_time(webhook, DAY)
        assert len(receiver.requests) == len(RETRY_DELAYS) + 1

    @pytest.mark.long
    def test_retries_keep_the_order_of_an_event_without_blocking_others(self, receiver: Receiver) -> None:
        event = build_running_night(6)
        other = build_running_night(4, club=event.club)
        webhook = add_webhook_for(event, receiver, RESULTS)
        receiver.status = 500
        win(matches_of(event)[0])
        run_worker()
        receiver.status = 200
        for match in (*matches_of(event)[1:], matches_of(other)[0]):
            win(match)
            run_worker()
        events = [one.payload["data"]["event"] for one in receiver.requests]
        assert events == [event.short, other.short]
        advance_time(webhook, timedelta(minutes=1))
        mine = [one.event for one in receiver.requests if one.payload["data"]["event"] == event.short]
        assert mine == [("table.result", (1, number)) for number in (1, 1, 2, 3)]

    @pytest.mark.long
    def test_interrupted_delivery_is_retried_under_the_same_id(
        self, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        event = build_running_night(4)
        webhook = add_webhook_for(event, receiver, RESULTS)
        with monkeypatch.context() as killed:
            killed.setattr(dispatch, "_note", _raise_killed)
            win(matches_of(event)[0])
            run_worker()
        assert list_states(webhook) == [DeliveryState.WAITING]
        deliver(webhook.pk, event.topic)
        assert len(receiver.requests) == 1, "it is still another's"
        advance_time(webhook, CLAIM_DURATION)
        assert len(receiver.requests) == 2
        assert len({one.id for one in receiver.requests}) == 1
        assert list_states(webhook) == [DeliveryState.DELIVERED]

    def test_late_success_does_not_change_a_given_up_delivery(self, receiver: Receiver) -> None:
        event = build_running_night(4)
        webhook = add_webhook_for(event, receiver, RESULTS)

        delivery = WebhookDelivery.objects.create(
            webhook=webhook,
            message_id="msg_1",
            kind=NewsKind.TABLE_RESULT,
            ordering_key=event.topic,
            attempts=2,
            state=DeliveryState.GIVEN_UP,
        )
        late = WebhookDelivery.objects.select_related("webhook").get(pk=delivery.pk)
        late.attempts = 1
        dispatch._note(late, dispatch.DeliveryOutcome(status=200))
        assert list_states(webhook) == [DeliveryState.GIVEN_UP]

    @pytest.mark.long
    def test_one_message_covers_all_changes_before_it_is_sent(self, receiver: Receiver) -> None:
        event = build_running_night(4)
        webhook = add_webhook_for(event, receiver, RESULTS)
        receiver.status = 500
        win(matches_of(event)[0])
        run_worker()
        for points in (50, 60, 70):
            adjust_table(event_id=event.pk, number=1, table=2, games=(1, 0), points=(points, 1))
            run_worker()
        receiver.status = 200
        advance_time(webhook, timedelta(minutes=1))
        shown = [one.payload["data"]["table"]["sides"][0]["points"] for one in receiver.requests]
        assert shown == [32, 32, 70]

    @pytest.mark.long
    @pytest.mark.parametrize("is_tried", [False, True])
    def test_delivery_does_not_wait_for_a_clock_that_was_set_back(self, receiver: Receiver, is_tried: bool) -> None:
        event = build_running_night(4)
        webhook = add_webhook_for(event, receiver, RESULTS)
        receiver.status = 500
        win(matches_of(event)[0])
        if is_tried:
            run_worker()
        earlier_time = timezone.now() + timedelta(hours=1)
        webhook.deliveries.update(due_at=earlier_time, tried_at=earlier_time if is_tried else None)
        receiver.status = 200
        request_due_deliveries()
        run_worker()
        assert list_states(webhook) == [DeliveryState.DELIVERED]

    @pytest.mark.long
    def test_successful_test_sends_waiting_messages_at_once(self, receiver: Receiver) -> None:
        event = build_running_night(4)
        webhook = add_webhook_for(event, receiver, RESULTS)
        here = {"club_id": event.club_id, "webhook_id": webhook.pk}
        receiver.status = 500
        win(matches_of(event)[0])
        send_webhook_test(**here, by=Actor())
        run_worker()
        advance_time(webhook, timedelta(seconds=5))
        assert webhook.deliveries.filter(due_at__gt=timezone.now() + timedelta(minutes=4)).count() == 2
        receiver.status = 200
        receiver.requests.clear()
        send_webhook_test(**here, by=Actor())
        run_worker()
        request_due_deliveries()
        run_worker()
        kinds = [one.payload["type"] for one in receiver.requests]
        assert kinds == ["webhook.test", "webhook.test", "table.result"]
        assert set(list_states(webhook)) == {DeliveryState.DELIVERED}

    def test_redirect_or_insecure_address_is_not_followed(self, receiver: Receiver, settings: Any) -> None:
        event = build_running_night(4)
        webhook = add_webhook_for(event, receiver, RESULTS)
        receiver.status, receiver.location = 302, f"{receiver.origin}/elsewhere"
        win(matches_of(event)[0])
        run_worker()
        assert webhook.deliveries.get().status == 302
        settings.LOCAL_TARGETS = []
        advance_time(webhook, timedelta(seconds=5))
        found = webhook.deliveries.get()
        assert (found.state, found.status, found.trouble) == ("waiting", None, "address_not_https")
        assert len(receiver.requests) == 1


class TestDisabledWebhooks:
    def test_failing_webhook_is_disabled_after_five_days_with_an_email(self, receiver: Receiver, settings: Any) -> None:
        settings.MAIL_ORIGIN = SITE_ADDRESS
        event = build_running_night(4)
        owner = add_owner_email(event)
        webhook = add_webhook_for(event, receiver, RESULTS)
        receiver.status = 500
        win(matches_of(event)[0])
        run_worker()
        for pause in RETRY_DELAYS:
            advance_time(webhook, pause)
        (first,) = mail.outbox
        assert first.to == [owner.email]
        assert f"/club/{event.club.slug}/webhooks/{webhook.pk}" in first.body
        advance_time(webhook, 2 * DAY)
        win(matches_of(event)[1])
        run_worker()
        webhook.refresh_from_db()
        assert webhook.off_because == OffReason.FAILING
        assert list_states(webhook) == [DeliveryState.GIVEN_UP] * 2
        assert len(mail.outbox) == 2

    def test_gone_response_disables_the_webhook_at_once(self, receiver: Receiver) -> None:
        event = build_running_night(4)
        webhook = add_webhook_for(event, receiver, RESULTS)
        receiver.status = 410
        win(matches_of(event)[0])
        run_worker()
        webhook.refresh_from_db()
        assert webhook.off_because == OffReason.GONE

    @pytest.mark.long
    def test_reenabled_webhook_receives_no_past_events(self, receiver: Receiver) -> None:
        event = build_running_night(4)
        webhook = add_webhook_for(event, receiver, RESULTS)
        target: dict[str, Any] = {"club_id": event.club_id, "webhook_id": webhook.pk, "by": Actor()}
        same: dict[str, Any] = {"address": receiver.address, "kinds": RESULTS}
        change_webhook(**target, **same, is_on=False)
        win(matches_of(event)[0])
        run_worker()
        assert get_refusal_code(send_webhook_test, **target) == "webhook_is_off"
        change_webhook(**target, **same, is_on=True)
        run_worker()
        win(matches_of(event)[1])
        run_worker()
        assert receiver.events == [("table.result", (1, 2))]


class TestDeliveryLog:
    @pytest.mark.long
    def test_log_records_the_response(self, receiver: Receiver) -> None:
        event = build_running_night(4)
        webhook = add_webhook_for(event, receiver, RESULTS)
        receiver.text = b"x" * 900
        win(matches_of(event)[0])
        run_worker()
        found = webhook.deliveries.get()
        assert (found.status, found.attempts, found.answer) == (200, 1, "x" * 500)
        assert found.milliseconds is not None
        assert found.tried_at is not None

    @pytest.mark.long
    def test_log_keeps_only_the_latest_deliveries(self, receiver: Receiver) -> None:
        event = build_running_night(4)
        webhook = add_webhook_for(event, receiver, RESULTS)
        WebhookDelivery.objects.bulk_create(
            WebhookDelivery(
                webhook=webhook,
                message_id=f"msg_{number}",
                kind="x",
                ordering_key="x",
                state=DeliveryState.DELIVERED,
            )
            for number in range(MAX_FINISHED + 10)
        )
        win(matches_of(event)[0])
        run_worker()
        assert webhook.deliveries.count() == MAX_FINISHED
        assert webhook.deliveries.filter(kind=NewsKind.TABLE_RESULT).exists()

    @pytest.mark.long
    def test_redelivery_uses_the_same_message_id(self, receiver: Receiver) -> None:
        event = build_running_night(4)
        webhook = add_webhook_for(event, receiver, RESULTS)
        win(matches_of(event)[0])
        run_worker()
        here: dict[str, Any] = {"club_id": event.club_id, "webhook_id": webhook.pk, "by": Actor()}
        for _ in range(2):
            redeliver(**here, delivery_id=webhook.deliveries.get().pk)
        run_worker()
        assert len(receiver.requests) == 2
        assert len({one.id for one in receiver.requests}) == 1
        assert get_refusal_code(redeliver, **here, delivery_id=0) == "no_such_delivery"

    def test_removed_webhook_loses_its_log_and_messages(self, receiver: Receiver) -> None:
        event = build_running_night(4)
        webhook = add_webhook_for(event, receiver, RESULTS)
        win(matches_of(event)[0])
        remove_webhook(club_id=event.club_id, webhook_id=webhook.pk, by=Actor())
        run_worker()
        assert receiver.requests == []
        assert not WebhookDelivery.objects.exists()


class TestWebhookPages:
    @pytest.mark.long
    def test_owner_adds_a_webhook_and_sees_its_secret_once(self, receiver: Receiver) -> None:
        event = build_running_night(4)
        browser = Browser(account=add_owner_email(event))
        page = browser.open(f"/club/{event.club.slug}/webhooks")
        shown = browser.send(page, page.find_form(control_name="address"), address=receiver.address)
        secret = shown.find_one("textarea").text.strip()
        webhook = Webhook.objects.get()
        here = f"/club/{event.club.slug}/webhooks/{webhook.pk}"
        assert webhook.kinds == ALL_KINDS
        page = browser.open(here)
        assert secret not in page.html
        browser.send(page, page.find_form("/test"))
        run_worker()
        assert receiver.requests[0].is_signed_with(secret)
        page = browser.open(here)
        assert "thanks" in page.text
        browser.send(page, page.find_form("/again"))
        run_worker()
        assert len(receiver.requests) == 2
        page = browser.open(here)
        browser.send(page, page.find_form("/remove"))
        assert not Webhook.objects.exists()

    @pytest.mark.snapshot
    def test_failing_or_disabled_webhook_shows_a_notice(self) -> None:
        event = build_running_night(4)
        browser = Browser(account=add_owner_email(event))
        arguments: dict[str, Any] = {"address": "https://example.org/hook", "kinds": RESULTS, "by": Actor()}
        webhook = add_webhook(club_id=event.club_id, **arguments).webhook
        here = f"/club/{event.club.slug}/webhooks/{webhook.pk}"
        Webhook.objects.update(failing_since=timezone.now())
        page = browser.open(here)
        assert "After five days, the webhook is turned off" in page.find_one("p", role="status").text
        browser.send(page, page.find_form(control_name="is_on"), is_on=[])
        page = browser.open(here)
        assert "Turned off" in page.find_one("p", role="status").text
        browser.send(page, page.find_form(control_name="is_on"), is_on="1")
        page = browser.open(here)
        assert [one for one in page.find_all("p", role="status") if "hidden" not in one.attrs] == []

    @pytest.mark.long
    def test_invalid_address_is_reported_at_its_field(self, receiver: Receiver, settings: Any) -> None:
        settings.LOCAL_TARGETS = []
        event = build_running_night(4)
        browser = Browser(account=add_owner_email(event))
        page = browser.open(f"/club/{event.club.slug}/webhooks")
        refused = browser.send(page, page.find_form(control_name="address"), address=receiver.address)
        assert refused.status == 422
        assert refused.get_field_error("address").startswith("The address must start with https")

    def test_refused_change_keeps_the_typed_values(self, receiver: Receiver, settings: Any) -> None:
        event = build_running_night(4)
        webhook = add_webhook_for(event, receiver)
        settings.LOCAL_TARGETS = []
        browser = Browser(account=add_owner_email(event))
        page = browser.open(f"/club/{event.club.slug}/webhooks/{webhook.pk}")
        typed: dict[str, Any] = {"address": "http://example.org/hook", "kinds": RESULTS, "is_on": []}
        refused = browser.send(page, page.find_form(control_name="address"), **typed)
        assert refused.get_field_error("address").startswith("The address must start with https")
        fields = list_form_fields(refused.document, refused.find_form(control_name="address"))
        assert ("address", typed["address"]) in fields
        assert [value for name, value in fields if name == "kinds"] == RESULTS
        assert "is_on" not in dict(fields)

    def test_unknown_event_kind_is_refused(self, receiver: Receiver) -> None:
        event = build_running_night(4)
        browser = Browser(account=add_owner_email(event))
        page = browser.open(f"/club/{event.club.slug}/webhooks")
        typed: dict[str, Any] = {"address": receiver.address, "kinds": [*RESULTS, "table.lost"]}
        refused = browser.send(page, page.find_form(control_name="address"), **typed)
        assert refused.status == 422
        assert refused.find_one("p", id="id_kinds_error").text.startswith("“table.lost” is not allowed.")
        assert not Webhook.objects.exists()

    def open_webhook_page(self, receiver: Receiver) -> tuple[Webhook, Browser, Page]:
        """Open the page of a webhook that has received the result of one match."""
        event = build_running_night(4)
        webhook = add_webhook_for(event, receiver, RESULTS)
        win(matches_of(event)[0])
        run_worker()
        browser = Browser(account=add_owner_email(event))
        return webhook, browser, browser.open(f"/club/{event.club.slug}/webhooks/{webhook.pk}")

    @pytest.mark.long
    def test_stale_form_reports_a_removed_webhook(self, receiver: Receiver) -> None:
        webhook, browser, page = self.open_webhook_page(receiver)
        remove_webhook(club_id=webhook.club_id, webhook_id=webhook.pk, by=Actor())
        forms = [one for one in page.find_all("form") if f"{webhook.pk}/" in one.attrs.get("action", "")]
        page_texts = [browser.send(page, form).text for form in [page.find_form(control_name="address"), *forms]]
        assert len(page_texts) == 5
        assert all("This webhook was removed." in each for each in page_texts)

    @pytest.mark.parametrize("action", ["/test", "/again"])
    @pytest.mark.long
    def test_disabled_webhook_sends_nothing_from_a_stale_page(self, receiver: Receiver, action: str) -> None:
        webhook, browser, page = self.open_webhook_page(receiver)
        changes: dict[str, Any] = {"address": receiver.address, "kinds": RESULTS, "is_on": False}
        change_webhook(club_id=webhook.club_id, webhook_id=webhook.pk, by=Actor(), **changes)
        refused = browser.send(page, page.find_form(action))
        assert refused.alert == "Turn on this webhook first."
        run_worker()
        assert len(receiver.requests) == 1

    def test_owner_of_another_club_cannot_open_a_webhook(self, receiver: Receiver) -> None:
        event = build_running_night(4)
        webhook = add_webhook_for(event, receiver)
        other = build_event(2, club=build_club("Ailleurs"))
        browser = Browser(account=add_owner_email(other))
        assert browser.open(f"/club/{other.club.slug}/webhooks/{webhook.pk}").status == 404


class TestWebhookApi:
    def test_program_creates_changes_tests_and_removes_a_webhook(self, receiver: Receiver) -> None:
        event = build_running_night(4)
        program = Program(create_secret(event.club, add_owner_email(event)))
        webhooks = f"clubs/{event.club.slug}/webhooks"
        key = str(uuid4())
        body = {"address": receiver.address, "kinds": ["table.result"]}
        made = program.call("post", webhooks, body, key=key)
        again = program.call("post", webhooks, body, key=key)
        assert (again["id"], again["secret"]) == (made["id"], "")
        here = f"{webhooks}/{made['id']}"
        sent = program.call("post", f"{here}/test")
        run_worker()
        assert receiver.requests[0].is_signed_with(made["secret"])
        program.call("post", f"{here}/deliveries/{sent['id']}/redeliver")
        run_worker()
        (line,) = program.get(f"{here}/deliveries")["results"]
        assert (line["state"], line["status"], line["answer"]) == ("delivered", 200, "thanks")
        assert "secret" not in program.get(here)
        changed = program.call("put", here, {**body, "kinds": ["round.published"], "is_on": False})
        assert (changed["kinds"], changed["off_because"]) == (["round.published"], "owner")
        assert program.get_refusal("post", f"{here}/test") == (409, "webhook_is_off", None)
        assert program.send_request("delete", here).status_code == 200
        assert program.get(webhooks)["results"] == []

    @pytest.mark.long
    def test_webhook_api_requires_the_manage_scope(self, receiver: Receiver) -> None:
        event = build_running_night(4)
        program = Program(create_secret(event.club, add_owner_email(event), "direct"))
        assert program.get_refusal("get", f"clubs/{event.club.slug}/webhooks")[:2] == (403, "scope_too_small")


def test_documented_code_verifies_signatures(receiver: Receiver) -> None:
    page = (PROJECT / "docs" / "api" / "guide.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    namespace: dict[str, Any] = {}
    exec(code, namespace)
    event = build_running_night(4)
    made = add_webhook(club_id=event.club_id, address=receiver.address, kinds=ALL_KINDS, by=Actor())
    send_webhook_test(club_id=event.club_id, webhook_id=made.webhook.pk, by=Actor())
    run_worker()
    (one,) = receiver.requests
    is_ours = namespace["is_from_the_club"]
    assert is_ours(made.secret, one.headers, one.body)
    assert not is_ours(made.secret, one.headers, one.body + b" ")
    assert not is_ours(made.secret, {**one.headers, "webhook-timestamp": "1614265330"}, one.body)
    for seconds, is_taken in ((200, True), (400, False)):  # a replay within the tolerance, and one after it
        assert is_ours(made.secret, sign_with_age(made.secret, one, seconds), one.body) is is_taken


def sign_with_age(secret: str, message: ReceivedRequest, seconds: int) -> dict[str, str]:
    """Return the message's headers as if it had been signed this many seconds earlier."""
    at = str(int(message.headers["webhook-timestamp"]) - seconds)
    signed = f"{message.headers['webhook-id']}.{at}.".encode() + message.body
    digest = hmac.digest(base64.b64decode(secret.removeprefix("whsec_")), signed, "sha256")
    signature = f"v1,{base64.b64encode(digest).decode()}"
    return {**message.headers, "webhook-timestamp": at, "webhook-signature": signature}


@pytest.mark.long
def test_restored_copy_sends_nothing_until_enabled(receiver: Receiver) -> None:
    event = build_running_night(4)
    webhook = add_webhook_for(event, receiver)
    switch_off_restored_webhooks()
    win(matches_of(event)[0])
    run_worker()
    webhook.refresh_from_db()
    assert (receiver.requests, webhook.off_because) == ([], OffReason.RESTORED)


def test_enabled_copy_sends_the_latest_nights_again(receiver: Receiver) -> None:
    event = build_running_night(4)
    webhook = add_webhook_for(event, receiver)
    Event.objects.update(held_on=timezone.localdate())
    win(matches_of(event)[0])
    run_worker()
    before = len(receiver.events)
    PublishedFacts.objects.all().delete()  # a backup does not contain them
    switch_off_restored_webhooks()
    change_webhook(
        club_id=event.club_id,
        webhook_id=webhook.pk,
        address=webhook.address,
        kinds=webhook.kinds,
        is_on=True,
        by=Actor(account=build_account()),
    )
    run_worker()
    assert "table.result" in [kind for kind, _ in receiver.events[before:]]


def add_owner_email(event: Event) -> Account:
    """Add an owner with an e-mail address to the event's club."""
    owner = build_account("Rita Plourde")
    owner.email = "rita@example.org"
    owner.save(update_fields=["email"])
    make_owner(club=event.club, account=owner)
    return owner


def _raise_killed(*_: object) -> None:
    raise SystemError("killed")
