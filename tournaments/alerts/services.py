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
from .queries import AlertNews, news_now

LOOK, TELL = "look_for_alerts", "tell_alert"
"""Kinds of its tasks: to look for news of an event, and to send one alert."""

MOST_PHONES = 5
"""Maximum number of phones of one person in an event; beyond it, the oldest are deleted."""
AFTER_THE_END = timedelta(days=7)
AT_MOST = timedelta(days=60)


@transaction.atomic
def ask_alerts(
    *, event: Event, person: Person, channel: str, address: Mapping[str, Any] | None = None, language: str
) -> AlertSubscription:
    """Subscribe an address to a person's seats, and to news that the event is cancelled or moved. The current
    news counts as told, as the page has just shown it. Without an address, the one that the club has is used
    each time. Safe to repeat: an address is that of one person.

    Refuses: no_such_address.
    """
    kept = {"person": person.pk} if address is None else dict(address)
    if channel not in CHANNELS or not _is_reached(channel, kept, person):
        raise Refusal("no_such_address")
    known = news_now(event, {person.pk})[person.pk]
    subscription, _ = AlertSubscription.objects.update_or_create(
        event=event,
        digest=sha256(json.dumps([channel, kept], sort_keys=True).encode()).hexdigest(),
        defaults={
            "person": person,
            "channel": channel,
            "address": kept,
            "language": language,
            "told": {news.subject: news.code for news in known},
        },
    )
    newest = AlertSubscription.objects.filter(event=event, person=person).order_by("-created_at", "-pk")
    newest_ids = list(newest.values_list("pk", flat=True)[:MOST_PHONES])
    AlertSubscription.objects.filter(event=event, person=person).exclude(pk__in=newest_ids).delete()
    return subscription


def _is_reached(channel: str, kept: Mapping[str, Any], person: Person) -> bool:
    return CHANNELS[channel].is_address(CHANNELS[channel].address_now(kept, person))


@transaction.atomic
def stop_alerts(subscription_id: int) -> None:
    """Delete the subscription, so that no more alerts are sent. Safe to repeat."""
    AlertSubscription.objects.filter(pk=subscription_id).delete()


def request_alerts(event: Event) -> None:
    """Enqueue the task that looks for news, in the transaction of a change. Safe to repeat."""
    if AlertSubscription.objects.filter(event=event).exists():
        enqueue(kind=LOOK, key=str(event.pk))


def enqueue_alerts(event_id: int) -> None:
    """Enqueue a task for each alert to send, compared with what each phone was last told. Safe to repeat."""
    event = Event.objects.filter(pk=event_id).select_related("club").first()
    subscriptions = list(AlertSubscription.objects.filter(event=event_id).order_by("pk"))
    if event is None or not subscriptions:
        return
    now = news_now(event, {one.person_id for one in subscriptions})
    for subscription in subscriptions:
        for news in now[subscription.person_id]:
            if news.is_news(subscription.told.get(news.subject)):
                enqueue(kind=TELL, key=f"{subscription.pk}/{news.subject}/{news.code}", club_id=event.club_id)


def due_alert(key: str) -> tuple[AlertSubscription, AlertNews] | None:
    """Return the alert of the task with this key; None if it was sent, is outdated, or has no address."""
    pk, subject, code = key.split("/")
    found = AlertSubscription.objects.filter(pk=int(pk), person__anonymized_at=None)
    subscription = found.select_related("event__club", "person").first()
    if subscription is None or subscription.told.get(subject) == code:
        return None
    if not _is_reached(subscription.channel, subscription.address, subscription.person):
        return None
    now = news_now(subscription.event, {subscription.person_id})[subscription.person_id]
    return next(((subscription, each) for each in now if (each.subject, each.code) == (subject, code)), None)


@transaction.atomic
def keep_told(subscription_id: int, news: AlertNews) -> None:
    """Record the news as told, so that it is not sent again."""
    subscription = AlertSubscription.objects.select_for_update().filter(pk=subscription_id).first()
    if subscription is not None:
        subscription.told[news.subject] = news.code
        subscription.save(update_fields=["told"])


def forget_old_alerts() -> None:
    """Delete the subscriptions of past events, and those as old as a phone's memory of its page."""
    now = timezone.now()
    is_over = Q(event__state=EventState.ENDED, event__held_on__lt=(now - AFTER_THE_END).date())
    AlertSubscription.objects.filter(is_over | Q(created_at__lt=now - AT_MOST)).delete()
