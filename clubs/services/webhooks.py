"""Webhooks: added, changed and removed by an owner."""

import secrets
from base64 import b64encode
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from uuid import uuid4

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from clubs.audit.log import Actor
from clubs.models import TEST, Club, DeliveryState, NewsKind, OffReason, PublishedFacts, Webhook, WebhookDelivery
from errors import Refusal
from jobs.services import enqueue
from web.outgoing import check_address, get_url_host

from .changes import ClubChange, get_row

CHECK_JOB, RECORD_JOB = "look_for_news", "note_what_is_public"
DELIVERY_JOB, WRITE_OWNERS = "deliver_webhooks", "write_webhook_owners"
"""Kinds of jobs: look for news, note what is public already, send waiting deliveries, tell
owners of failures."""

CLAIM_DURATION = timedelta(minutes=1)
"""How long a delivery in progress is reserved for its sender: well above what a try may take."""
PREFIX = "whsec_"
MAX_WEBHOOKS = 20
REPLAY_PERIOD = timedelta(days=60)
"""How far back nights are sent again once a restored webhook is turned on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookSecret:
    """A webhook with its secret, which is shown only this once; "" for a repeated request."""

    webhook: Webhook
    secret: str


@transaction.atomic
def add_webhook(*, club_id: int, address: str, kinds: Collection[str], by: Actor) -> WebhookSecret:
    """Add a webhook for some kinds of events, from now on. Safe to repeat with the same idempotency key.

    Refuses: address_unreadable, address_not_https, address_not_public, no_kinds_chosen, no_such_choice,
    too_many_webhooks.
    """
    address, chosen = check_address(address.strip()), _validate_kinds(kinds)
    change = ClubChange(club_id, "add_webhook", by)
    if change.is_repeat:
        return WebhookSecret(webhook=change.club.webhooks.get(key=by.key), secret="")
    if change.club.webhooks.count() >= MAX_WEBHOOKS:
        raise Refusal("too_many_webhooks", field="address", most=MAX_WEBHOOKS)
    _record_current_facts(change.club)
    secret = _generate_secret()
    webhook = Webhook.objects.create(club=change.club, address=address, kinds=chosen, secret=secret, key=by.key)
    change.record(host=get_url_host(address))
    return WebhookSecret(webhook=webhook, secret=secret)


@transaction.atomic
def change_webhook(
    *, club_id: int, webhook_id: int, address: str, kinds: Collection[str], is_on: bool, by: Actor
) -> Webhook:
    """Change the address or events of a webhook, or turn it off. Turning it off cancels its pending
    deliveries. Safe to repeat with the same idempotency key.

    Refuses: no_such_webhook, and what ``add_webhook`` refuses.
    """
    address, chosen = check_address(address.strip()), _validate_kinds(kinds)
    change = ClubChange(club_id, "change_webhook", by)
    webhook = _lock_webhook(change.club, webhook_id)
    if change.is_repeat:
        return webhook
    if is_on and not webhook.is_on:
        _record_current_facts(change.club)
        if webhook.off_because == OffReason.RESTORED:
            _replay_events(change.club)
        _give_up(webhook)
        webhook.off_because, webhook.failing_since = "", None
    webhook.address, webhook.kinds = address, chosen
    webhook.save()
    if not is_on and webhook.is_on:
        switch_off(webhook, OffReason.OWNER)
    change.record(host=get_url_host(address))
    return webhook


@transaction.atomic
def renew_webhook_secret(*, club_id: int, webhook_id: int, by: Actor) -> WebhookSecret:
    """Replace the secret of a webhook. For one day, deliveries are signed with both the old and the new one.
    Safe to repeat with the same idempotency key.

    Refuses: no_such_webhook.
    """
    change = ClubChange(club_id, "renew_webhook_secret", by)
    webhook = _lock_webhook(change.club, webhook_id)
    if change.is_repeat:
        return WebhookSecret(webhook=webhook, secret="")
    webhook.secret_before, webhook.secret, webhook.renewed_at = webhook.secret, _generate_secret(), timezone.now()
    webhook.save(update_fields=["secret", "secret_before", "renewed_at"])
    change.record(host=get_url_host(webhook.address))
    return WebhookSecret(webhook=webhook, secret=webhook.secret)


@transaction.atomic
def remove_webhook(*, club_id: int, webhook_id: int, by: Actor) -> None:
    """Delete a webhook and its delivery log. Safe to repeat with the same idempotency key.

    Refuses: no_such_webhook.
    """
    change = ClubChange(club_id, "remove_webhook", by)
    if not change.is_repeat:
        webhook = _lock_webhook(change.club, webhook_id)
        change.record(host=get_url_host(webhook.address))
        webhook.delete()


@transaction.atomic
def send_webhook_test(*, club_id: int, webhook_id: int, by: Actor) -> WebhookDelivery:
    """Send a test delivery now. Earlier tests that failed are sent again, too. Safe to repeat with the same
    idempotency key.

    Refuses: no_such_webhook, webhook_is_off.
    """
    webhook = _lock_active_webhook(club_id, webhook_id, by)
    message = generate_message_id() if by.key is None else f"msg_{by.key.hex}"
    delivery, _ = webhook.deliveries.get_or_create(
        message_id=message, defaults={"kind": TEST, "ordering_key": webhook.club.topic}
    )
    make_due(webhook.deliveries.filter(ordering_key=delivery.ordering_key))
    request_delivery(webhook.pk, delivery.ordering_key, club_id=club_id)
    return delivery


@transaction.atomic
def redeliver(*, club_id: int, webhook_id: int, delivery_id: int, by: Actor) -> WebhookDelivery:
    """Send a delivery again, under the same id, with the data that is public now. Safe to repeat.

    Refuses: no_such_webhook, webhook_is_off, no_such_delivery.
    """
    webhook = _lock_active_webhook(club_id, webhook_id, by)
    delivery = get_row(webhook.deliveries.all(), delivery_id, refusal_code="no_such_delivery")
    if not delivery.is_waiting:
        delivery.state, delivery.attempts, delivery.due_at = DeliveryState.WAITING, 0, timezone.now()
        delivery.save(update_fields=["state", "attempts", "due_at"])
    request_delivery(webhook.pk, delivery.ordering_key, club_id=club_id)
    return delivery


def make_due(deliveries: QuerySet[WebhookDelivery]) -> None:
    """Make the waiting deliveries due now, except those in progress. Safe to repeat."""
    now = timezone.now()
    pending = deliveries.filter(state=DeliveryState.WAITING, due_at__gt=now + CLAIM_DURATION)
    pending.update(due_at=now)


def request_delivery(webhook_id: int, ordering_key: str, *, club_id: int) -> None:
    """Have the worker send what waits with that ordering key. Safe to repeat."""
    enqueue(kind=DELIVERY_JOB, key=f"{webhook_id} {ordering_key}", club_id=club_id)


def switch_off(webhook: Webhook, reason: OffReason) -> None:
    """Turn a webhook off, within a transaction: nothing more is sent there."""
    webhook.off_because = reason
    webhook.save(update_fields=["off_because"])
    _give_up(webhook)


def _give_up(webhook: Webhook) -> None:
    """Give up waiting deliveries, including any written while the webhook was being turned off."""
    webhook.deliveries.filter(state=DeliveryState.WAITING).update(state=DeliveryState.GIVEN_UP)


@transaction.atomic
def switch_off_restored_webhooks() -> None:
    """Turn off the webhooks of a restored database: its original may still run, and receivers would get
    everything twice."""
    Webhook.objects.filter(off_because="").update(off_because=OffReason.RESTORED)


def generate_message_id() -> str:
    return f"msg_{uuid4().hex}"


def _record_current_facts(club: Club) -> None:
    """Start from what is public now, if no webhook was on before: that is no news."""
    if not club.webhooks.filter(off_because="").exists():
        PublishedFacts.objects.filter(club=club).delete()
        enqueue(kind=RECORD_JOB, key=str(club.pk), club_id=club.pk)


def _replay_events(club: Club) -> None:
    """Send all that is public of the last nights: what receivers were told of them before a database was
    restored is not known, and may be otherwise now."""
    recent = club.events.filter(held_on__gte=timezone.localdate() - REPLAY_PERIOD)
    for ordering_key in [club.calendar_topic, *(event.topic for event in recent.only("pk"))]:
        PublishedFacts.objects.update_or_create(
            ordering_key=ordering_key,
            defaults={"facts": {}, "number": F("number") + 1},
            create_defaults={"club": club},
        )
        enqueue(kind=CHECK_JOB, key=ordering_key, club_id=club.pk)


def _lock_webhook(club: Club, webhook_id: int) -> Webhook:
    """Lock the webhook before its deliveries, in the order of the sender. Refuses: no_such_webhook."""
    return get_row(club.webhooks.select_for_update(), webhook_id, refusal_code="no_such_webhook")


def _lock_active_webhook(club_id: int, webhook_id: int, by: Actor) -> Webhook:
    """Lock the webhook, and check that it is on. Refuses: no_such_webhook, webhook_is_off, and what the
    precondition of ``by`` does."""
    rows = Webhook.objects.select_for_update(of=("self",)).select_related("club").filter(club=club_id)
    webhook = get_row(rows, webhook_id, refusal_code="no_such_webhook")
    by.check_precondition()
    if not webhook.is_on:
        raise Refusal("webhook_is_off")
    return webhook


def _validate_kinds(kinds: Collection[str]) -> list[str]:
    """Return the kinds in their display order. Refuses: no_kinds_chosen, no_such_choice."""
    unknown = next((kind for kind in kinds if kind not in NewsKind.values), None)
    if unknown is not None:
        raise Refusal("no_such_choice", field="kinds", value=unknown, choices=tuple(NewsKind.values))
    if not kinds:
        raise Refusal("no_kinds_chosen", field="kinds")
    return [kind for kind in NewsKind.values if kind in kinds]


def _generate_secret() -> str:
    return PREFIX + b64encode(secrets.token_bytes(32)).decode()
