"""Detect public changes and write them as messages to webhooks."""

from collections.abc import Callable

from django.db import IntegrityError, transaction

from clubs.models import Club, DeliveryState, PublishedFacts, Webhook, WebhookDelivery
from clubs.services.webhooks import RECORD_JOB, generate_message_id, request_delivery
from jobs.models import ACTIVE_STATUSES, Job
from live.conditional_pages import read_snapshot
from tournaments.models import Event

from .facts import Facts, News, build_calendar_facts, build_event_facts, iter_news


def write_news(ordering_key: str) -> None:
    """Write the messages for an event or a calendar. Safe to repeat: what was written is not news any more.

    The digests are computed from a snapshot, outside the transaction that stores them. If another worker
    stored some meanwhile, they are computed again.
    """
    while True:
        with read_snapshot():
            club = find_club(ordering_key)
            if club is None or not club.webhooks.filter(off_because="").exists():
                return
            stored = PublishedFacts.objects.filter(ordering_key=ordering_key).first()
            facts = load_facts(ordering_key)
        is_already_public = stored is None and _is_recording(club)
        news = [] if is_already_public else list(iter_news({} if stored is None else stored.facts, facts))
        if _store_facts(club, ordering_key, stored, facts, news):
            return


def note_what_is_public(club_id: int, progress: Callable[[int, int], None]) -> None:
    """Record what is already public, so that it is not sent as news. Safe to repeat."""
    club = Club.objects.get(pk=club_id)
    ordering_keys = [club.calendar_topic, *(event.topic for event in club.events.only("pk", "club_id"))]
    known_keys = set(PublishedFacts.objects.filter(club=club).values_list("ordering_key", flat=True))
    for place, ordering_key in enumerate(ordering_keys):
        if ordering_key not in known_keys:
            with read_snapshot():
                facts = load_facts(ordering_key)
            _store_facts(club, ordering_key, None, facts, [])
        progress(place + 1, len(ordering_keys))


def find_club(ordering_key: str) -> Club | None:
    """Return the club of an ordering key; None if the event or the club no longer exists."""
    name, _, pk = ordering_key.partition(":")
    return Club.objects.filter(**{"events" if name == "event" else "pk": pk}).first()


def find_event(ordering_key: str) -> Event | None:
    """Return the event of an ordering key; None for a calendar."""
    name, _, pk = ordering_key.partition(":")
    events = Event.objects.select_related("club", "terms", "night__club")
    return events.filter(pk=pk).first() if name == "event" else None


def load_facts(ordering_key: str) -> Facts:
    event = find_event(ordering_key)
    if event is not None:
        return build_event_facts(event)
    club = find_club(ordering_key)
    return {} if club is None else build_calendar_facts(club)


def _is_recording(club: Club) -> bool:
    return Job.objects.filter(kind=RECORD_JOB, key=str(club.pk), status__in=ACTIVE_STATUSES).exists()


@transaction.atomic
def _store_facts(
    club: Club, ordering_key: str, stored: PublishedFacts | None, new_facts: Facts, news: list[News]
) -> bool:
    """Store the digests and messages; False if another worker stored some meanwhile. Parts that are no longer
    public keep their digest, so that nothing is sent twice when shown again."""
    if stored is None:
        try:
            with transaction.atomic():
                PublishedFacts.objects.create(club=club, ordering_key=ordering_key, facts=new_facts)
        except IntegrityError:
            return False
    else:
        facts = stored.facts | new_facts
        if facts == stored.facts:
            return True
        rows = PublishedFacts.objects.filter(pk=stored.pk, number=stored.number)
        if not rows.update(facts=facts, number=stored.number + 1):
            return False
    if news:
        for webhook in club.webhooks.filter(off_because="").order_by("pk"):
            _write_deliveries(webhook, ordering_key, news)
    return True


def _write_deliveries(webhook: Webhook, ordering_key: str, news: list[News]) -> None:
    """Write the messages. One that waits untried is reused: it will contain what is public when sent."""
    waiting_deliveries = webhook.deliveries.filter(ordering_key=ordering_key, state=DeliveryState.WAITING, attempts=0)
    waiting_subjects = set(waiting_deliveries.values_list("kind", "subject"))
    new_items = [
        item for item in news if item.kind in webhook.kinds and (item.kind, item.subject) not in waiting_subjects
    ]
    WebhookDelivery.objects.bulk_create(
        WebhookDelivery(
            webhook=webhook,
            message_id=generate_message_id(),
            kind=item.kind,
            ordering_key=ordering_key,
            subject=item.subject,
        )
        for item in new_items
    )
    if new_items:
        request_delivery(webhook.pk, ordering_key, club_id=webhook.club_id)
