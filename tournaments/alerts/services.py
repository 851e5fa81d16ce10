"""Services for alerts: subscribe, unsubscribe, and send each piece of news once."""

import json
from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from clubs.models import Person
from errors import Refusal
from jobs.services import enqueue
from tournaments.lifecycle import EventState
from tournaments.models import AlertSubscription, Event

from .channels import CHANNELS
from .queries import AlertNews, get_current_news

CHECK_ALERTS, SEND_ALERT = "look_for_alerts", "tell_alert"
"""Kinds of its tasks: to look for news of an event, and to send one alert."""

MAX_PHONES = 5
"""Maximum number of phones of one person in an event; beyond it, the oldest are deleted."""
KEEP_AFTER_END = timedelta(days=7)
MAX_AGE = timedelta(days=60)


@transaction.atomic
def subscribe_to_alerts(
    *, event: Event, person: Person, channel: str, address: Mapping[str, Any] | None = None, language: str
) -> AlertSubscription:
    """Subscribe an address to a person's seats, and to news that the event is cancelled or moved. The current
    news counts as told, as the page has just shown it. Without an address, the one that the club has is used
    each time. Safe to repeat: an address is that of one person.

    Refuses: no_such_address.
    """
    stored = {"person": person.pk} if address is None else dict(address)
    if channel not in CHANNELS or not _is_reachable(channel, stored, person):
        raise Refusal("no_such_address")
    current = get_current_news(event, {person.pk})[person.pk]
    subscription, _ = AlertSubscription.objects.update_or_create(
        event=event,
        digest=sha256(json.dumps([channel, stored], sort_keys=True).encode()).hexdigest(),
        defaults={
            "person": person,
            "channel": channel,
            "address": stored,
            "language": language,
            "told": {news.subject: news.code for news in current},
        },
    )
    newest = AlertSubscription.objects.filter(event=event, person=person).order_by("-created_at", "-pk")
    newest_ids = list(newest.values_list("pk", flat=True)[:MAX_PHONES])
    AlertSubscription.objects.filter(event=event, person=person).exclude(pk__in=newest_ids).delete()
    return subscription


def _is_reachable(channel: str, stored: Mapping[str, Any], person: Person) -> bool:
    return CHANNELS[channel].is_address(CHANNELS[channel].get_current_address(stored, person))


@transaction.atomic
def stop_alerts(subscription_id: int) -> None:
    """Delete the subscription, so that no more alerts are sent. Safe to repeat."""
    AlertSubscription.objects.filter(pk=subscription_id).delete()


def request_alerts(event: Event) -> None:
    """Enqueue the task that looks for news, in the transaction of a change. Safe to repeat."""
    if AlertSubscription.objects.filter(event=event).exists():
        enqueue(kind=CHECK_ALERTS, key=str(event.pk), club_id=event.club_id)


def enqueue_alerts(event_id: int) -> None:
    """Enqueue a task for each alert to send, compared with what each phone was last told. Safe to repeat."""
    event = Event.objects.filter(pk=event_id).select_related("club").first()
    subscriptions = list(AlertSubscription.objects.filter(event=event_id).order_by("pk"))
    if event is None or not subscriptions:
        return
    now = get_current_news(event, {alert_row.person_id for alert_row in subscriptions})
    for subscription in subscriptions:
        for news in now[subscription.person_id]:
            if news.is_news(subscription.told.get(news.subject)):
                enqueue(kind=SEND_ALERT, key=f"{subscription.pk}/{news.subject}/{news.code}", club_id=event.club_id)


def find_due_alert(key: str) -> tuple[AlertSubscription, AlertNews] | None:
    """Return the alert of the task with this key; None if it was sent, is outdated, or has no address."""
    pk, subject, code = key.split("/")
    rows = AlertSubscription.objects.filter(pk=int(pk), person__anonymized_at=None)
    subscription = rows.select_related("event__club", "person").first()
    if subscription is None or subscription.told.get(subject) == code:
        return None
    if not _is_reachable(subscription.channel, subscription.address, subscription.person):
        return None
    now = get_current_news(subscription.event, {subscription.person_id})[subscription.person_id]
    return next(((subscription, news) for news in now if (news.subject, news.code) == (subject, code)), None)


@transaction.atomic
def record_sent_news(subscription_id: int, news: AlertNews) -> None:
    """Record the news as told, so that it is not sent again."""
    subscription = AlertSubscription.objects.select_for_update().filter(pk=subscription_id).first()
    if subscription is not None:
        subscription.told[news.subject] = news.code
        subscription.save(update_fields=["told"])


def delete_old_alerts() -> None:
    """Delete the subscriptions of past events, and those as old as a phone's memory of its page."""
    now = timezone.now()
    is_over = Q(event__state=EventState.ENDED, event__held_on__lt=(now - KEEP_AFTER_END).date())
    AlertSubscription.objects.filter(is_over | Q(created_at__lt=now - MAX_AGE)).delete()
