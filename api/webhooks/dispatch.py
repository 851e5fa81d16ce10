"""Send webhook messages, ordering key by ordering key and in order, with retries for three days."""

import json
import time
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from clubs.models import ANSWER_LENGTH, TEST, DeliveryState, OffReason, Webhook, WebhookDelivery
from clubs.services.webhooks import CLAIM_DURATION, WRITE_OWNERS, make_due, request_delivery, switch_off
from jobs.delays import build_ahead_condition
from jobs.services import enqueue
from live.conditional_pages import read_snapshot
from web.outgoing import RequestNotSentError, post_url

from .payloads import build_payload
from .signatures import build_headers

RETRY_DELAYS = (
    *(timedelta(seconds=5), timedelta(minutes=5), timedelta(minutes=30)),
    *(timedelta(hours=hours) for hours in (2, 5, 10, 14, 20, 24)),
)
"""Pauses after failed attempts; after the last one the message is given up."""
DISABLE_DELAY = timedelta(days=5)
TURN_SECONDS = 20.0
"""Seconds after which other ordering keys get their turn."""
MAX_FINISHED = 100
"""Number of finished messages kept in the log of each webhook."""
GONE_STATUS = 410


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryOutcome:
    """Outcome of one attempt: the answer, or the code of the trouble. ``is_public`` is False if the message
    was not sent because its subject is no longer public."""

    status: int | None = None
    milliseconds: int | None = None
    trouble: str = ""
    answer: str = ""
    is_public: bool = True

    @property
    def has_arrived(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def deliver(webhook_id: int, ordering_key: str) -> None:
    """Send the waiting messages of an ordering key until one must wait. Safe to repeat: a message sent by a
    worker that died before recording it is sent again with the same id."""
    deadline = time.monotonic() + TURN_SECONDS
    while True:
        delivery = _claim_delivery(webhook_id, ordering_key)
        if delivery is None:
            return
        _note(delivery, _try_delivery(delivery))
        if time.monotonic() > deadline:
            request_delivery(webhook_id, ordering_key, club_id=delivery.webhook.club_id)
            return


def request_due_deliveries() -> None:
    """Enqueue a task for each ordering key with messages due, unless an earlier message of it must wait."""
    waiting_deliveries = WebhookDelivery.objects.filter(state=DeliveryState.WAITING, webhook__off_because="")
    now = timezone.now()
    earlier = waiting_deliveries.filter(
        webhook=OuterRef("webhook"),
        ordering_key=OuterRef("ordering_key"),
        pk__lt=OuterRef("pk"),
    ).exclude(_build_due_condition(now))
    due_deliveries = waiting_deliveries.filter(~Exists(earlier), _build_due_condition(now)).order_by()
    for webhook_id, ordering_key, club_id in due_deliveries.values_list(
        "webhook", "ordering_key", "webhook__club"
    ).distinct():
        request_delivery(webhook_id, ordering_key, club_id=club_id)


def _build_due_condition(now: datetime) -> Q:
    """Return a condition on deliveries that are due."""
    return Q(attempts=0) | Q(due_at__lte=now) | build_ahead_condition("tried_at", now)


def _claim_delivery(webhook_id: int, ordering_key: str) -> WebhookDelivery | None:
    """Claim the first waiting message if it is due. One UPDATE decides which worker has it, and postpones it
    meanwhile."""
    waiting_deliveries = WebhookDelivery.objects.filter(
        webhook=webhook_id, ordering_key=ordering_key, state=DeliveryState.WAITING
    )
    delivery = waiting_deliveries.select_related("webhook").order_by("pk").first()
    now = timezone.now()
    if delivery is None or not delivery.webhook.is_on:
        return None
    due_deliveries = waiting_deliveries.filter(_build_due_condition(now))
    claimable = due_deliveries.filter(pk=delivery.pk, attempts=delivery.attempts, due_at=delivery.due_at)
    delivery.attempts += 1
    delivery.tried_at, delivery.due_at = now, now + CLAIM_DURATION
    return delivery if claimable.update(attempts=delivery.attempts, tried_at=now, due_at=delivery.due_at) else None


def _try_delivery(delivery: WebhookDelivery) -> DeliveryOutcome:
    with read_snapshot():
        payload = build_payload(delivery)
    if payload is None:
        return DeliveryOutcome(is_public=False)
    body = json.dumps(payload, ensure_ascii=False).encode()
    headers = build_headers(delivery.webhook, delivery.message_id, body, timezone.now())
    started = time.monotonic()
    try:
        answer = post_url(delivery.webhook.address, body, headers)
    except RequestNotSentError as trouble:
        return DeliveryOutcome(trouble=trouble.code, milliseconds=_measure_milliseconds(started))
    answer_text = answer.text[:ANSWER_LENGTH]
    return DeliveryOutcome(status=answer.status, milliseconds=_measure_milliseconds(started), answer=answer_text)


def _measure_milliseconds(started: float) -> int:
    return int((time.monotonic() - started) * 1000)


@transaction.atomic
def _note(delivery: WebhookDelivery, outcome: DeliveryOutcome) -> None:
    """Record the outcome of an attempt, unless another worker has claimed the message since."""
    webhook = Webhook.objects.select_for_update().filter(pk=delivery.webhook_id).first()
    now = timezone.now()
    pauses = RETRY_DELAYS[delivery.attempts - 1 : delivery.attempts]
    state, due_at = DeliveryState.WAITING, now + (pauses[0] if pauses else timedelta())
    if not outcome.is_public:
        state = DeliveryState.WITHDRAWN
    elif outcome.has_arrived:
        state = DeliveryState.DELIVERED
    elif not pauses or outcome.status == GONE_STATUS:
        state = DeliveryState.GIVEN_UP
    claimed_rows = WebhookDelivery.objects.filter(
        pk=delivery.pk, attempts=delivery.attempts, state=DeliveryState.WAITING
    )
    is_still_claimed = claimed_rows.update(
        state=state,
        due_at=due_at,
        status=outcome.status,
        milliseconds=outcome.milliseconds,
        trouble=outcome.trouble,
        answer=outcome.answer,
    )
    if webhook is None or not is_still_claimed:
        return
    if outcome.is_public:
        _update_webhook_health(webhook, outcome, state, now)
    if delivery.kind == TEST and state == DeliveryState.DELIVERED:
        make_due(webhook.deliveries.all())
    finished_deliveries = webhook.deliveries.exclude(state=DeliveryState.WAITING).order_by("-pk")
    retained_ids = list(finished_deliveries.values_list("pk", flat=True)[:MAX_FINISHED])
    finished_deliveries.exclude(pk__in=retained_ids).delete()


def _update_webhook_health(webhook: Webhook, outcome: DeliveryOutcome, state: DeliveryState, now: datetime) -> None:
    """Record since when the webhook fails, and turn it off after days of failures or when it is gone. Owners
    get an e-mail then, and after the first message given up."""
    failing_since = None if outcome.has_arrived else webhook.failing_since or now
    if failing_since != webhook.failing_since:
        webhook.failing_since = failing_since
        webhook.save(update_fields=["failing_since"])
    if failing_since is None or not webhook.is_on:
        return
    abandoned = webhook.deliveries.filter(state=DeliveryState.GIVEN_UP, tried_at__gte=failing_since)
    is_notified = state == DeliveryState.GIVEN_UP and abandoned.count() == 1
    if outcome.status == GONE_STATUS or now - failing_since >= DISABLE_DELAY:
        switch_off(webhook, OffReason.GONE if outcome.status == GONE_STATUS else OffReason.FAILING)
        is_notified = True
    if is_notified:
        enqueue(kind=WRITE_OWNERS, key=str(webhook.pk), club_id=webhook.club_id)
