"""Send webhook messages, ordering key by ordering key and in order, with retries for three days."""

import json
import time
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from clubs.models import ANSWER_LENGTH, TEST, DeliveryState, OffBecause, Webhook, WebhookDelivery
from clubs.services.webhooks import CLAIMED_FOR, WRITE_OWNERS, make_due, request_delivery, switch_off
from jobs.services import enqueue
from live.snapshots import snapshot
from web.outgoing import NotSent, post

from .payloads import payload_of
from .signing import headers_of

PAUSES = (
    *(timedelta(seconds=5), timedelta(minutes=5), timedelta(minutes=30)),
    *(timedelta(hours=hours) for hours in (2, 5, 10, 14, 20, 24)),
)
"""Pauses after failed attempts; after the last one the message is given up."""
SWITCHED_OFF_AFTER = timedelta(days=5)
TURN = 20.0
"""Seconds after which other ordering keys get their turn."""
KEPT = 100
"""Number of finished messages kept in the log of each webhook."""
GONE = 410


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
    until = time.monotonic() + TURN
    while True:
        claimed = _claim(webhook_id, ordering_key)
        if claimed is None:
            return
        _note(claimed, _try_delivery(claimed))
        if time.monotonic() > until:
            request_delivery(webhook_id, ordering_key, club_id=claimed.webhook.club_id)
            return


def request_due_deliveries() -> None:
    """Enqueue a task for each ordering key with messages due, unless an earlier message of it must wait."""
    waiting = WebhookDelivery.objects.filter(state=DeliveryState.WAITING, webhook__off_because="")
    now = timezone.now()
    earlier = waiting.filter(
        webhook=OuterRef("webhook"),
        ordering_key=OuterRef("ordering_key"),
        pk__lt=OuterRef("pk"),
        due_at__gt=now,
    )
    due = waiting.filter(~Exists(earlier), due_at__lte=now).order_by()
    for webhook_id, ordering_key, club_id in due.values_list(
        "webhook", "ordering_key", "webhook__club"
    ).distinct():
        request_delivery(webhook_id, ordering_key, club_id=club_id)


def _claim(webhook_id: int, ordering_key: str) -> WebhookDelivery | None:
    """Claim the first waiting message if it is due. One UPDATE decides which worker has it, and postpones it
    meanwhile."""
    waiting = WebhookDelivery.objects.filter(
        webhook=webhook_id, ordering_key=ordering_key, state=DeliveryState.WAITING
    )
    first = waiting.select_related("webhook").order_by("pk").first()
    now = timezone.now()
    if first is None or first.due_at > now or not first.webhook.is_on:
        return None
    mine = waiting.filter(pk=first.pk, attempts=first.attempts, due_at=first.due_at)
    first.attempts += 1
    first.tried_at, first.due_at = now, now + CLAIMED_FOR
    return first if mine.update(attempts=first.attempts, tried_at=now, due_at=first.due_at) else None


def _try_delivery(delivery: WebhookDelivery) -> DeliveryOutcome:
    with snapshot():
        told = payload_of(delivery)
    if told is None:
        return DeliveryOutcome(is_public=False)
    body = json.dumps(told, ensure_ascii=False).encode()
    headers = headers_of(delivery.webhook, delivery.message_id, body, timezone.now())
    begun = time.monotonic()
    try:
        answer = post(delivery.webhook.address, body, headers)
    except NotSent as trouble:
        return DeliveryOutcome(trouble=trouble.code, milliseconds=_since(begun))
    shown = answer.text[:ANSWER_LENGTH]
    return DeliveryOutcome(status=answer.status, milliseconds=_since(begun), answer=shown)


def _since(begun: float) -> int:
    return int((time.monotonic() - begun) * 1000)


@transaction.atomic
def _note(delivery: WebhookDelivery, outcome: DeliveryOutcome) -> None:
    """Record the outcome of an attempt, unless another worker has claimed the message since."""
    webhook = Webhook.objects.select_for_update().filter(pk=delivery.webhook_id).first()
    now = timezone.now()
    pauses = PAUSES[delivery.attempts - 1 : delivery.attempts]
    state, due_at = DeliveryState.WAITING, now + (pauses[0] if pauses else timedelta())
    if not outcome.is_public:
        state = DeliveryState.WITHDRAWN
    elif outcome.has_arrived:
        state = DeliveryState.DELIVERED
    elif not pauses or outcome.status == GONE:
        state = DeliveryState.GIVEN_UP
    mine = WebhookDelivery.objects.filter(
        pk=delivery.pk, attempts=delivery.attempts, state=DeliveryState.WAITING
    )
    is_mine = mine.update(
        state=state,
        due_at=due_at,
        status=outcome.status,
        milliseconds=outcome.milliseconds,
        trouble=outcome.trouble,
        answer=outcome.answer,
    )
    if webhook is None or not is_mine:
        return
    if outcome.is_public:
        _follow(webhook, outcome, state, now)
    if delivery.kind == TEST and state == DeliveryState.DELIVERED:
        make_due(webhook.deliveries.all())
    ended = webhook.deliveries.exclude(state=DeliveryState.WAITING).order_by("-pk")
    kept = list(ended.values_list("pk", flat=True)[:KEPT])
    ended.exclude(pk__in=kept).delete()


def _follow(webhook: Webhook, outcome: DeliveryOutcome, state: DeliveryState, now: datetime) -> None:
    """Record since when the webhook fails, and turn it off after days of failures or when it is gone. Owners
    get an e-mail then, and after the first message given up."""
    since = None if outcome.has_arrived else webhook.failing_since or now
    if since != webhook.failing_since:
        webhook.failing_since = since
        webhook.save(update_fields=["failing_since"])
    if since is None or not webhook.is_on:
        return
    given_up = webhook.deliveries.filter(state=DeliveryState.GIVEN_UP, tried_at__gte=since)
    is_told = state == DeliveryState.GIVEN_UP and given_up.count() == 1
    if outcome.status == GONE or now - since >= SWITCHED_OFF_AFTER:
        switch_off(webhook, OffBecause.GONE if outcome.status == GONE else OffBecause.FAILING)
        is_told = True
    if is_told:
        enqueue(kind=WRITE_OWNERS, key=str(webhook.pk), club_id=webhook.club_id)
