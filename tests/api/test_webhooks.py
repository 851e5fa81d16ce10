"""Another program is told what becomes public: signed, in order, again until it answers, and nothing else."""

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

import api.webhooks.signing
from api.webhooks import dispatch
from api.webhooks.dispatch import KEPT, PAUSES, deliver, request_due_deliveries
from clubs.audit.log import Actor
from clubs.models import (
    Account,
    DeliveryState,
    NewsKind,
    OffBecause,
    PublishedFacts,
    Webhook,
    WebhookDelivery,
)
from clubs.queries import deliveries_of
from clubs.services import (
    NightDetails,
    add_recurring_night,
    add_webhook,
    change_webhook,
    make_owner,
    redeliver,
    remove_recurring_night,
    remove_webhook,
    renew_webhook_secret,
    send_webhook_test,
)
from clubs.services.webhooks import CLAIMED_FOR, switch_off_restored_webhooks
from engine.visibility import RanksRelease, Release, Results
from jobs.models import Job, Status
from jobs.services import run_job
from operations.data_dir import PROJECT
from tests.api.program import Program, a_secret
from tests.builders import (
    a_club,
    a_running_night,
    an_account,
    an_event,
    code_of,
    matches_of,
    next_round,
    play_round,
    win,
)
from tests.support.browser import Browser, Page
from tests.support.mailbox import LEADS_TO
from tests.support.markup import fields_of
from tests.support.receiver import Received, Receiver, a_receiver
from tournaments.entries.services.entries import add_entry, remove_entry
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Event
from tournaments.publishing.services.publishing import change_release, publish_final
from tournaments.rounds.services.rounds import draw_round, publish_round, unpublish_round
from tournaments.rounds.services.tables import adjust_table

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

ALL = NewsKind.values
DAY = timedelta(days=1)
RESULTS = [NewsKind.TABLE_RESULT]


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.LOCAL_TARGETS = ["127.0.0.0/8"]
    settings.ADDRESS = "https://club.example.org"
    with a_receiver() as found:
        yield found


def told(event: Event, receiver: Receiver, kinds: Sequence[str] = ALL) -> Webhook:
    """An address of the club's, which knows what is public already."""
    made = add_webhook(club_id=event.club_id, address=receiver.address, kinds=kinds, by=Actor())
    work()
    return made.webhook


def work() -> None:
    """The worker does whatever may be begun now."""
    while True:
        waiting = Job.objects.filter(status=Status.QUEUED).exclude(waits_until__gt=timezone.now())
        queued = waiting.order_by("pk").first()
        if queued is None:
            return
        run_job(queued.pk)


def later(webhook: Webhook, by: timedelta) -> None:
    """So much time has gone by for it, and the sweeper has looked."""
    waiting = webhook.deliveries.filter(state=DeliveryState.WAITING)
    for one in waiting:
        waiting.filter(pk=one.pk).update(due_at=one.due_at - by)
    since = Webhook.objects.get(pk=webhook.pk).failing_since
    if since is not None:
        Webhook.objects.filter(pk=webhook.pk).update(failing_since=since - by)
    request_due_deliveries()
    work()


def states(webhook: Webhook) -> list[str]:
    return list(webhook.deliveries.order_by("pk").values_list("state", flat=True))


class TestIsTold:
    def test_a_whole_night_each_thing_once(self, receiver: Receiver) -> None:
        event = start_event(event_id=an_event(4).pk)
        told(event, receiver)
        next_round(event)
        work()
        play_round(event)
        work()
        end_event(event_id=event.pk)
        publish_final(event_id=event.pk)
        work()
        adjust_table(event_id=event.pk, number=1, table=1, games=(1, 0), points=(99, 1))
        work()
        publish_final(event_id=event.pk)
        work()
        nights = [one for one in receiver.told if one[0] == "night.changed"]
        assert nights == [("night.changed", None)]
        assert [one for one in receiver.told if one not in nights] == [
            ("round.published", 1),
            ("table.result", (1, 1)),
            ("table.result", (1, 2)),
            ("standings.final", 1),
            ("table.result", (1, 1)),
            ("standings.corrected", 2),
        ]
        assert len({one.id for one in receiver.received}) == len(receiver.received)

    def test_what_the_api_says_with_the_address_to_read_more(self, receiver: Receiver) -> None:
        event = a_running_night(4)
        webhook = told(event, receiver, RESULTS)
        win(matches_of(event)[0])
        work()
        assert [name for _, name in deliveries_of(webhook)] == [event.name], "its page says of which event"
        said = receiver.received[0].said
        assert said["data"]["club"] == event.club.slug
        assert said["data"]["event"] == event.short
        address = said["data"]["url"].removeprefix("https://club.example.org")
        read = Program().get(address)
        assert said["data"]["table"] == {key: read[key] for key in said["data"]["table"]}
        assert said["data"]["table"]["sides"][0]["points"] is not None

    def test_of_entries_as_they_come_and_go(self, receiver: Receiver) -> None:
        event = an_event(2)
        told(event, receiver, [NewsKind.ENTRY_CHANGED])
        (entry,) = add_entry(event_id=event.pk, players=("Noëlla Nadeau", "Odile Ouellet"))
        work()
        remove_entry(event_id=event.pk, number=entry.number)
        work()
        assert receiver.told == [("entry.changed", entry.pk)] * 2
        first, then = (one.said["data"]["entry"] for one in receiver.received)
        assert (first["number"], then) == (entry.number, None)

    def test_of_nights_of_the_calendar(self, receiver: Receiver) -> None:
        event = an_event(2)
        told(event, receiver, [NewsKind.NIGHT_CHANGED])
        details = NightDetails(
            name="Mardi", pattern="weekly", first_on=date(2026, 11, 24), starts_at=time(19)
        )
        night = add_recurring_night(club_id=event.club_id, details=details)
        assert night is not None
        work()
        remove_recurring_night(club_id=event.club_id, night_id=night.pk)
        work()
        shown = [one.said["data"]["night"] for one in receiver.received]
        assert [night and night["name"] for night in shown] == ["Mardi", None]

    def test_of_what_it_asked_for_and_only_of_what_happens_from_now_on(self, receiver: Receiver) -> None:
        event = a_running_night(4)
        win(matches_of(event)[0])
        told(event, receiver, RESULTS)
        win(matches_of(event)[1])
        work()
        assert receiver.told == [("table.result", (1, 2))]

    def test_of_a_round_that_is_published_anew_but_of_no_draft(self, receiver: Receiver) -> None:
        event = a_running_night(4)
        told(event, receiver, [NewsKind.ROUND_PUBLISHED])
        unpublish_round(event_id=event.pk, number=1)
        work()
        assert receiver.told == []
        publish_round(event_id=event.pk, number=1)
        work()
        assert receiver.told == [("round.published", 1)]

    def test_nothing_of_another_club(self, receiver: Receiver) -> None:
        told(an_event(2), receiver)
        other = a_running_night(4, club=None)
        win(matches_of(other)[0])
        work()
        assert [one for one in receiver.received if one.said["data"].get("event") == other.short] == []


class TestIsNotTold:
    @pytest.mark.parametrize(
        "release",
        [
            Release(silent_from=1),
            Release(results=Results.NOTHING),
            Release(draw=False),
            Release(is_public=False),
        ],
    )
    def test_what_is_kept_back_nor_that_there_is_something(
        self, receiver: Receiver, release: Release
    ) -> None:
        event = start_event(event_id=an_event(4).pk)
        change_release(event_id=event.pk, release=release)
        told(event, receiver, [NewsKind.TABLE_RESULT, NewsKind.STANDINGS_FINAL])
        next_round(event)
        play_round(event)
        adjust_table(event_id=event.pk, number=1, table=1, games=(1, 0), points=(4567, 1))
        work()
        assert receiver.received == []
        assert not WebhookDelivery.objects.exists()
        assert "4567" not in str(PublishedFacts.objects.values_list("facts", flat=True))

    def test_results_of_silent_rounds_until_the_final_standings_are_published(
        self, receiver: Receiver
    ) -> None:
        event = start_event(event_id=an_event(4).pk)
        change_release(event_id=event.pk, release=Release(silent_from=1))
        told(event, receiver, [NewsKind.TABLE_RESULT, NewsKind.STANDINGS_FINAL])
        next_round(event)
        play_round(event)
        work()
        publish_final(event_id=event.pk)
        work()
        assert receiver.told == [
            ("table.result", (1, 1)),
            ("table.result", (1, 2)),
            ("standings.final", 1),
        ]

    def test_final_standings_that_nobody_is_to_see(self, receiver: Receiver) -> None:
        event = start_event(event_id=an_event(4).pk)
        change_release(event_id=event.pk, release=Release(ranked=RanksRelease.NEVER))
        told(event, receiver, [NewsKind.STANDINGS_FINAL])
        next_round(event)
        play_round(event)
        publish_final(event_id=event.pk)
        work()
        assert receiver.received == []

    def test_what_was_hidden_while_the_message_waited(self, receiver: Receiver) -> None:
        event = a_running_night(4)
        webhook = told(event, receiver, RESULTS)
        receiver.status = 500
        win(matches_of(event)[0])
        work()
        assert len(receiver.received) == 1
        change_release(event_id=event.pk, release=Release(is_public=False))
        receiver.status = 200
        later(webhook, DAY)
        assert len(receiver.received) == 1
        assert states(webhook) == [DeliveryState.WITHDRAWN]

    def test_twice_what_was_hidden_for_a_while(self, receiver: Receiver) -> None:
        event = a_running_night(4)
        told(event, receiver, RESULTS)
        win(matches_of(event)[0])
        work()
        for release in (Release(is_public=False), Release()):
            change_release(event_id=event.pk, release=release)
            work()
        assert receiver.told == [("table.result", (1, 1))]

    def test_a_draft(self, receiver: Receiver) -> None:
        event = start_event(event_id=an_event(4).pk)
        told(event, receiver)
        draw_round(event_id=event.pk)
        work()
        assert [one for one in receiver.told if one[0] != "night.changed"] == []


class TestIsSigned:
    def test_as_the_specification_has_it(self) -> None:
        assert doctest.testmod(api.webhooks.signing).failed == 0

    def test_with_both_secrets_for_a_day_after_a_change(self, receiver: Receiver) -> None:
        event = a_running_night(4)
        made = add_webhook(club_id=event.club_id, address=receiver.address, kinds=ALL, by=Actor())
        here: dict[str, Any] = {"club_id": event.club_id, "webhook_id": made.webhook.pk}
        renewed = renew_webhook_secret(**here, by=Actor())
        for _ in range(2):
            send_webhook_test(**here, by=Actor())
            work()
            Webhook.objects.update(renewed_at=timezone.now() - DAY)
        first, then = receiver.received
        assert [first.is_signed_with(one.secret) for one in (made, renewed)] == [True, True]
        assert [then.is_signed_with(one.secret) for one in (made, renewed)] == [False, True]
        assert made.secret.startswith("whsec_")
        assert not first.is_signed_with("whsec_" + "A" * 40)


class TestIsTriedAgain:
    def test_by_longer_and_longer_pauses_then_given_up(self, receiver: Receiver) -> None:
        event = a_running_night(4)
        webhook = told(event, receiver, RESULTS)
        receiver.status = 503
        win(matches_of(event)[0])
        work()
        for number, pause in enumerate(PAUSES, start=1):
            later(webhook, pause - timedelta(seconds=1))
            assert len(receiver.received) == number
            later(webhook, timedelta(seconds=1))
            assert len(receiver.received) == number + 1
        assert states(webhook) == [DeliveryState.GIVEN_UP]
        assert len({one.id for one in receiver.received}) == 1
        later(webhook, DAY)
        assert len(receiver.received) == len(PAUSES) + 1

    def test_in_order_and_other_nights_do_not_wait_for_it(self, receiver: Receiver) -> None:
        event = a_running_night(6)
        other = a_running_night(4, club=event.club)
        webhook = told(event, receiver, RESULTS)
        receiver.status = 500
        win(matches_of(event)[0])
        work()
        receiver.status = 200
        for match in (*matches_of(event)[1:], matches_of(other)[0]):
            win(match)
            work()
        events = [one.said["data"]["event"] for one in receiver.received]
        assert events == [event.short, other.short]
        later(webhook, timedelta(minutes=1))
        mine = [one.told for one in receiver.received if one.said["data"]["event"] == event.short]
        assert mine == [("table.result", (1, number)) for number in (1, 1, 2, 3)]

    def test_under_the_same_id_where_who_sent_it_died_before_noting_it(
        self, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        event = a_running_night(4)
        webhook = told(event, receiver, RESULTS)
        with monkeypatch.context() as killed:
            killed.setattr(dispatch, "_note", _die)
            win(matches_of(event)[0])
            work()
        assert states(webhook) == [DeliveryState.WAITING]
        deliver(webhook.pk, event.topic)
        assert len(receiver.received) == 1, "it is still another's"
        later(webhook, CLAIMED_FOR)
        assert len(receiver.received) == 2
        assert len({one.id for one in receiver.received}) == 1
        assert states(webhook) == [DeliveryState.DELIVERED]

    def test_and_who_was_thought_dead_ends_nothing(self, receiver: Receiver) -> None:
        event = a_running_night(4)
        webhook = told(event, receiver, RESULTS)

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
        assert states(webhook) == [DeliveryState.GIVEN_UP]

    def test_one_message_serves_all_changes_before_it_is_sent(self, receiver: Receiver) -> None:
        event = a_running_night(4)
        webhook = told(event, receiver, RESULTS)
        receiver.status = 500
        win(matches_of(event)[0])
        work()
        for points in (50, 60, 70):
            adjust_table(event_id=event.pk, number=1, table=2, games=(1, 0), points=(points, 1))
            work()
        receiver.status = 200
        later(webhook, timedelta(minutes=1))
        shown = [one.said["data"]["table"]["sides"][0]["points"] for one in receiver.received]
        assert shown == [32, 32, 70]

    def test_as_soon_as_a_test_arrives_however_long_it_would_have_waited(self, receiver: Receiver) -> None:
        event = a_running_night(4)
        webhook = told(event, receiver, RESULTS)
        here = {"club_id": event.club_id, "webhook_id": webhook.pk}
        receiver.status = 500
        win(matches_of(event)[0])
        send_webhook_test(**here, by=Actor())
        work()
        later(webhook, timedelta(seconds=5))
        assert webhook.deliveries.filter(due_at__gt=timezone.now() + timedelta(minutes=4)).count() == 2
        receiver.status = 200
        receiver.received.clear()
        send_webhook_test(**here, by=Actor())
        work()
        request_due_deliveries()
        work()
        kinds = [one.said["type"] for one in receiver.received]
        assert kinds == ["webhook.test", "webhook.test", "table.result"]
        assert set(states(webhook)) == {DeliveryState.DELIVERED}

    def test_where_it_leads_elsewhere_or_is_too_near(self, receiver: Receiver, settings: Any) -> None:
        event = a_running_night(4)
        webhook = told(event, receiver, RESULTS)
        receiver.status, receiver.location = 302, f"{receiver.origin}/elsewhere"
        win(matches_of(event)[0])
        work()
        assert webhook.deliveries.get().status == 302
        settings.LOCAL_TARGETS = []
        later(webhook, timedelta(seconds=5))
        found = webhook.deliveries.get()
        assert (found.state, found.status, found.trouble) == ("waiting", None, "address_not_https")
        assert len(receiver.received) == 1


class TestIsSwitchedOff:
    def test_after_five_days_and_its_owner_hears_of_it(self, receiver: Receiver, settings: Any) -> None:
        settings.MAIL_LEADS_TO = LEADS_TO
        event = a_running_night(4)
        owner = an_owner(event)
        webhook = told(event, receiver, RESULTS)
        receiver.status = 500
        win(matches_of(event)[0])
        work()
        for pause in PAUSES:
            later(webhook, pause)
        (first,) = mail.outbox
        assert first.to == [owner.email]
        assert f"/club/{event.club.slug}/webhooks/{webhook.pk}" in first.body
        later(webhook, 2 * DAY)
        win(matches_of(event)[1])
        work()
        webhook.refresh_from_db()
        assert webhook.off_because == OffBecause.FAILING
        assert states(webhook) == [DeliveryState.GIVEN_UP] * 2
        assert len(mail.outbox) == 2

    def test_at_once_where_it_says_that_it_is_gone(self, receiver: Receiver) -> None:
        event = a_running_night(4)
        webhook = told(event, receiver, RESULTS)
        receiver.status = 410
        win(matches_of(event)[0])
        work()
        webhook.refresh_from_db()
        assert webhook.off_because == OffBecause.GONE

    def test_until_an_owner_switches_it_on_again_and_is_not_told_what_was(self, receiver: Receiver) -> None:
        event = a_running_night(4)
        webhook = told(event, receiver, RESULTS)
        asked: dict[str, Any] = {"club_id": event.club_id, "webhook_id": webhook.pk, "by": Actor()}
        same: dict[str, Any] = {"address": receiver.address, "kinds": RESULTS}
        change_webhook(**asked, **same, is_on=False)
        win(matches_of(event)[0])
        work()
        assert code_of(send_webhook_test, **asked) == "webhook_is_off"
        change_webhook(**asked, **same, is_on=True)
        work()
        win(matches_of(event)[1])
        work()
        assert receiver.told == [("table.result", (1, 2))]


class TestTheLog:
    def test_says_what_was_answered(self, receiver: Receiver) -> None:
        event = a_running_night(4)
        webhook = told(event, receiver, RESULTS)
        receiver.text = b"x" * 900
        win(matches_of(event)[0])
        work()
        found = webhook.deliveries.get()
        assert (found.status, found.attempts, found.answer) == (200, 1, "x" * 500)
        assert found.milliseconds is not None
        assert found.tried_at is not None

    def test_keeps_the_last_ones(self, receiver: Receiver) -> None:
        event = a_running_night(4)
        webhook = told(event, receiver, RESULTS)
        WebhookDelivery.objects.bulk_create(
            WebhookDelivery(
                webhook=webhook,
                message_id=f"msg_{number}",
                kind="x",
                ordering_key="x",
                state=DeliveryState.DELIVERED,
            )
            for number in range(KEPT + 10)
        )
        win(matches_of(event)[0])
        work()
        assert webhook.deliveries.count() == KEPT
        assert webhook.deliveries.filter(kind=NewsKind.TABLE_RESULT).exists()

    def test_sends_one_again_by_hand_under_its_id(self, receiver: Receiver) -> None:
        event = a_running_night(4)
        webhook = told(event, receiver, RESULTS)
        win(matches_of(event)[0])
        work()
        here: dict[str, Any] = {"club_id": event.club_id, "webhook_id": webhook.pk, "by": Actor()}
        for _ in range(2):
            redeliver(**here, delivery_id=webhook.deliveries.get().pk)
        work()
        assert len(receiver.received) == 2
        assert len({one.id for one in receiver.received}) == 1
        assert code_of(redeliver, **here, delivery_id=0) == "no_such_delivery"

    def test_goes_with_the_address(self, receiver: Receiver) -> None:
        event = a_running_night(4)
        webhook = told(event, receiver, RESULTS)
        win(matches_of(event)[0])
        remove_webhook(club_id=event.club_id, webhook_id=webhook.pk, by=Actor())
        work()
        assert receiver.received == []
        assert not WebhookDelivery.objects.exists()


class TestByItsPages:
    def test_an_owner_adds_one_and_sees_its_secret_once_and_what_arrives(self, receiver: Receiver) -> None:
        event = a_running_night(4)
        browser = Browser(account=an_owner(event))
        page = browser.open(f"/club/{event.club.slug}/webhooks")
        shown = browser.send(page, page.form(having="address"), address=receiver.address)
        secret = shown.one("textarea").text.strip()
        webhook = Webhook.objects.get()
        here = f"/club/{event.club.slug}/webhooks/{webhook.pk}"
        assert webhook.kinds == ALL
        page = browser.open(here)
        assert secret not in page.html
        browser.send(page, page.form("/test"))
        work()
        assert receiver.received[0].is_signed_with(secret)
        page = browser.open(here)
        assert "thanks" in page.text
        browser.send(page, page.form("/again"))
        work()
        assert len(receiver.received) == 2
        page = browser.open(here)
        browser.send(page, page.form("/remove"))
        assert not Webhook.objects.exists()

    @pytest.mark.snapshot
    def test_one_where_nothing_arrives_or_that_is_switched_off_says_so_above_its_messages(self) -> None:
        event = a_running_night(4)
        browser = Browser(account=an_owner(event))
        asked: dict[str, Any] = {"address": "https://example.org/hook", "kinds": RESULTS, "by": Actor()}
        webhook = add_webhook(club_id=event.club_id, **asked).webhook
        here = f"/club/{event.club.slug}/webhooks/{webhook.pk}"
        Webhook.objects.update(failing_since=timezone.now())
        page = browser.open(here)
        assert "After five days, the webhook is turned off" in page.one("p", role="status").text
        browser.send(page, page.form(having="is_on"), is_on=[])
        page = browser.open(here)
        assert "Turned off" in page.one("p", role="status").text
        browser.send(page, page.form(having="is_on"), is_on="1")
        page = browser.open(here)
        assert [one for one in page.every("p", role="status") if "hidden" not in one.attrs] == []

    def test_what_cannot_be_stands_beside_its_field(self, receiver: Receiver, settings: Any) -> None:
        settings.LOCAL_TARGETS = []
        event = a_running_night(4)
        browser = Browser(account=an_owner(event))
        page = browser.open(f"/club/{event.club.slug}/webhooks")
        refused = browser.send(page, page.form(having="address"), address=receiver.address)
        assert refused.status == 422
        assert refused.said_at("address").startswith("The address must start with https")

    def test_what_was_typed_of_a_change_that_cannot_be_is_still_there_to_be_put_right(
        self, receiver: Receiver, settings: Any
    ) -> None:
        event = a_running_night(4)
        webhook = told(event, receiver)
        settings.LOCAL_TARGETS = []
        browser = Browser(account=an_owner(event))
        page = browser.open(f"/club/{event.club.slug}/webhooks/{webhook.pk}")
        typed: dict[str, Any] = {"address": "http://example.org/hook", "kinds": RESULTS, "is_on": []}
        refused = browser.send(page, page.form(having="address"), **typed)
        assert refused.said_at("address").startswith("The address must start with https")
        kept = fields_of(refused.document, refused.form(having="address"))
        assert ("address", typed["address"]) in kept
        assert [value for name, value in kept if name == "kinds"] == RESULTS
        assert "is_on" not in dict(kept)

    def test_news_that_there_is_not_is_refused_and_not_left_out_in_silence(self, receiver: Receiver) -> None:
        event = a_running_night(4)
        browser = Browser(account=an_owner(event))
        page = browser.open(f"/club/{event.club.slug}/webhooks")
        typed: dict[str, Any] = {"address": receiver.address, "kinds": [*RESULTS, "table.lost"]}
        refused = browser.send(page, page.form(having="address"), **typed)
        assert refused.status == 422
        assert refused.one("p", id="id_kinds_error").text.startswith("“table.lost” is not allowed.")
        assert not Webhook.objects.exists()

    def a_page_left_open(self, receiver: Receiver) -> tuple[Webhook, Browser, Page]:
        """Of an address that was told of one match."""
        event = a_running_night(4)
        webhook = told(event, receiver, RESULTS)
        win(matches_of(event)[0])
        work()
        browser = Browser(account=an_owner(event))
        return webhook, browser, browser.open(f"/club/{event.club.slug}/webhooks/{webhook.pk}")

    def test_every_form_of_a_page_left_open_says_that_the_address_is_gone(self, receiver: Receiver) -> None:
        webhook, browser, page = self.a_page_left_open(receiver)
        remove_webhook(club_id=webhook.club_id, webhook_id=webhook.pk, by=Actor())
        forms = [one for one in page.every("form") if f"{webhook.pk}/" in one.attrs.get("action", "")]
        said = [browser.send(page, form).text for form in [page.form(having="address"), *forms]]
        assert len(said) == 5
        assert all("This webhook was removed." in each for each in said)

    @pytest.mark.parametrize("action", ["/test", "/again"])
    def test_nothing_is_sent_from_a_page_left_open_once_it_is_off_and_the_page_says_why(
        self, receiver: Receiver, action: str
    ) -> None:
        webhook, browser, page = self.a_page_left_open(receiver)
        asked: dict[str, Any] = {"address": receiver.address, "kinds": RESULTS, "is_on": False}
        change_webhook(club_id=webhook.club_id, webhook_id=webhook.pk, by=Actor(), **asked)
        refused = browser.send(page, page.form(action))
        assert refused.alert == "Turn on this webhook first."
        work()
        assert len(receiver.received) == 1

    def test_another_clubs_owner_finds_nothing(self, receiver: Receiver) -> None:
        event = a_running_night(4)
        webhook = told(event, receiver)
        other = an_event(2, club=a_club("Ailleurs"))
        browser = Browser(account=an_owner(other))
        assert browser.open(f"/club/{other.club.slug}/webhooks/{webhook.pk}").status == 404


class TestByAKey:
    def test_a_program_makes_changes_tries_and_removes_one(self, receiver: Receiver) -> None:
        event = a_running_night(4)
        program = Program(a_secret(event.club, an_owner(event)))
        webhooks = f"clubs/{event.club.slug}/webhooks"
        key = str(uuid4())
        asked = {"address": receiver.address, "kinds": ["table.result"]}
        made = program.do("post", webhooks, asked, key=key)
        again = program.do("post", webhooks, asked, key=key)
        assert (again["id"], again["secret"]) == (made["id"], "")
        here = f"{webhooks}/{made['id']}"
        sent = program.do("post", f"{here}/test")
        work()
        assert receiver.received[0].is_signed_with(made["secret"])
        program.do("post", f"{here}/deliveries/{sent['id']}/redeliver")
        work()
        (line,) = program.get(f"{here}/deliveries")["results"]
        assert (line["state"], line["status"], line["answer"]) == ("delivered", 200, "thanks")
        assert "secret" not in program.get(here)
        changed = program.do("put", here, {**asked, "kinds": ["round.published"], "is_on": False})
        assert (changed["kinds"], changed["off_because"]) == (["round.published"], "owner")
        assert program.refused("post", f"{here}/test") == (409, "webhook_is_off", None)
        assert program.ask("delete", here).status_code == 200
        assert program.get(webhooks)["results"] == []

    def test_only_one_that_manages_the_club_may(self, receiver: Receiver) -> None:
        event = a_running_night(4)
        program = Program(a_secret(event.club, an_owner(event), "direct"))
        assert program.refused("get", f"clubs/{event.club.slug}/webhooks")[:2] == (403, "scope_too_small")


def test_the_ten_lines_of_the_page_for_programs_know_who_wrote(receiver: Receiver) -> None:
    page = (PROJECT / "docs" / "api" / "guide.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    known: dict[str, Any] = {}
    exec(code, known)
    event = a_running_night(4)
    made = add_webhook(club_id=event.club_id, address=receiver.address, kinds=ALL, by=Actor())
    send_webhook_test(club_id=event.club_id, webhook_id=made.webhook.pk, by=Actor())
    work()
    (one,) = receiver.received
    is_ours = known["is_from_the_club"]
    assert is_ours(made.secret, one.headers, one.body)
    assert not is_ours(made.secret, one.headers, one.body + b" ")
    assert not is_ours(made.secret, {**one.headers, "webhook-timestamp": "1614265330"}, one.body)
    for seconds, is_taken in ((200, True), (400, False)):  # as somebody who has listened sends it again
        assert is_ours(made.secret, signed_ago(made.secret, one, seconds), one.body) is is_taken


def signed_ago(secret: str, message: Received, seconds: int) -> dict[str, str]:
    """The headers of the same message, as they were signed so many seconds ago."""
    at = str(int(message.headers["webhook-timestamp"]) - seconds)
    signed = f"{message.headers['webhook-id']}.{at}.".encode() + message.body
    digest = hmac.digest(base64.b64decode(secret.removeprefix("whsec_")), signed, "sha256")
    signature = f"v1,{base64.b64encode(digest).decode()}"
    return {**message.headers, "webhook-timestamp": at, "webhook-signature": signature}


def test_a_restored_copy_tells_nobody_until_an_owner_wants_it(receiver: Receiver) -> None:
    event = a_running_night(4)
    webhook = told(event, receiver)
    switch_off_restored_webhooks()
    win(matches_of(event)[0])
    work()
    webhook.refresh_from_db()
    assert (receiver.received, webhook.off_because) == ([], OffBecause.RESTORED)


def test_a_restored_copy_turned_on_tells_the_last_nights_again(receiver: Receiver) -> None:
    event = a_running_night(4)
    webhook = told(event, receiver)
    Event.objects.update(held_on=timezone.localdate())
    win(matches_of(event)[0])
    work()
    before = len(receiver.told)
    PublishedFacts.objects.all().delete()  # no backup has them
    switch_off_restored_webhooks()
    change_webhook(
        club_id=event.club_id,
        webhook_id=webhook.pk,
        address=webhook.address,
        kinds=webhook.kinds,
        is_on=True,
        by=Actor(account=an_account()),
    )
    work()
    assert "table.result" in [kind for kind, _ in receiver.told[before:]]


def an_owner(event: Event) -> Account:
    """Of the club, with a mail address."""
    owner = an_account("Rita Plourde")
    owner.email = "rita@example.org"
    owner.save(update_fields=["email"])
    make_owner(club=event.club, account=owner)
    return owner


def _die(*_: object) -> None:
    raise SystemError("killed")
