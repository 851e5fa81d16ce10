"""Detect public changes and write them as messages to webhooks."""

from collections.abc import Callable

from django.db import IntegrityError, transaction

from clubs.models import Club, DeliveryState, PublishedFacts, Webhook, WebhookDelivery
from clubs.services.webhooks import NOTE, message_id, request_delivery
from jobs.models import UNDER_WAY, Job
from live.snapshots import snapshot
from tournaments.models import Event

from .facts import Facts, News, facts_of_calendar, news_between, webhook_facts


def write_news(ordering_key: str) -> None:
    """Write the messages for an event or a calendar. Safe to repeat: what was written is not news any more.

    The digests are computed from a snapshot, outside the transaction that stores them. If another worker
    stored some meanwhile, they are computed again.
    """
    while True:
        with snapshot():
            club = club_of(ordering_key)
            if club is None or not club.webhooks.filter(off_because="").exists():
                return
            kept = PublishedFacts.objects.filter(ordering_key=ordering_key).first()
            now = facts_now(ordering_key)
        is_known_already = kept is None and _is_being_noted(club)
        news = [] if is_known_already else list(news_between({} if kept is None else kept.facts, now))
        if _keep(club, ordering_key, kept, now, news):
            return


def note_what_is_public(club_id: int, progress: Callable[[int, int], None]) -> None:
    """Record what is already public, so that it is not sent as news. Safe to repeat."""
    club = Club.objects.get(pk=club_id)
    ordering_keys = [club.calendar_topic, *(event.topic for event in club.events.only("pk", "club_id"))]
    noted = set(PublishedFacts.objects.filter(club=club).values_list("ordering_key", flat=True))
    for place, ordering_key in enumerate(ordering_keys):
        if ordering_key not in noted:
            with snapshot():
                now = facts_now(ordering_key)
            _keep(club, ordering_key, None, now, [])
        progress(place + 1, len(ordering_keys))


def club_of(ordering_key: str) -> Club | None:
    """Return the club of an ordering key; None if the event or the club no longer exists."""
    name, _, pk = ordering_key.partition(":")
    return Club.objects.filter(**{"events" if name == "event" else "pk": pk}).first()


def event_of(ordering_key: str) -> Event | None:
    """Return the event of an ordering key; None for a calendar."""
    name, _, pk = ordering_key.partition(":")
    events = Event.objects.select_related("club", "terms", "night__club")
    return events.filter(pk=pk).first() if name == "event" else None


def facts_now(ordering_key: str) -> Facts:
    event = event_of(ordering_key)
    if event is not None:
        return webhook_facts(event)
    club = club_of(ordering_key)
    return {} if club is None else facts_of_calendar(club)


def _is_being_noted(club: Club) -> bool:
    return Job.objects.filter(kind=NOTE, key=str(club.pk), status__in=UNDER_WAY).exists()


@transaction.atomic
def _keep(club: Club, ordering_key: str, kept: PublishedFacts | None, now: Facts, news: list[News]) -> bool:
    """Store the digests and messages; False if another worker stored some meanwhile. Parts that are no longer
    public keep their digest, so that nothing is sent twice when shown again."""
    if kept is None:
        try:
            with transaction.atomic():
                PublishedFacts.objects.create(club=club, ordering_key=ordering_key, facts=now)
        except IntegrityError:
            return False
    else:
        facts = kept.facts | now
        if facts == kept.facts:
            return True
        mine = PublishedFacts.objects.filter(pk=kept.pk, number=kept.number)
        if not mine.update(facts=facts, number=kept.number + 1):
            return False
    if news:
        for webhook in club.webhooks.filter(off_because="").order_by("pk"):
            _write(webhook, ordering_key, news)
    return True


def _write(webhook: Webhook, ordering_key: str, news: list[News]) -> None:
    """Write the messages. One that waits untried is reused: it will contain what is public when sent."""
    waiting = webhook.deliveries.filter(ordering_key=ordering_key, state=DeliveryState.WAITING, attempts=0)
    told = set(waiting.values_list("kind", "subject"))
    wanted = [one for one in news if one.kind in webhook.kinds and (one.kind, one.subject) not in told]
    WebhookDelivery.objects.bulk_create(
        WebhookDelivery(
            webhook=webhook,
            message_id=message_id(),
            kind=one.kind,
            ordering_key=ordering_key,
            subject=one.subject,
        )
        for one in wanted
    )
    if wanted:
        request_delivery(webhook.pk, ordering_key, club_id=webhook.club_id)
