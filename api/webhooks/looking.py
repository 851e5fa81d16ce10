"""What is new since somebody last looked is written as messages to whoever wants to be told."""

from collections.abc import Callable

from django.db import IntegrityError, transaction

from clubs.models import Club, DeliveryState, ToldNews, Webhook, WebhookDelivery
from clubs.services.webhooks import NOTE, message_id, request_delivery
from jobs.models import UNDER_WAY, Job
from live.snapshots import snapshot
from tournaments.models import Event

from .facts import Facts, News, facts_of_calendar, news_between, webhook_facts


def write_news(lane: str) -> None:
    """Writes what is to be told of an event or a calendar. Safe to repeat: what was written is no news.

    It is worked out beside the hall, and written in a moment; where somebody else wrote meanwhile, perhaps
    of a later moment, it is worked out again.
    """
    while True:
        with snapshot():
            club = club_of(lane)
            if club is None or not club.webhooks.filter(off_because="").exists():
                return
            kept = ToldNews.objects.filter(lane=lane).first()
            now = facts_now(lane)
        is_known_already = kept is None and _is_being_noted(club)
        news = [] if is_known_already else list(news_between({} if kept is None else kept.facts, now))
        if _keep(club, lane, kept, now, news):
            return


def note_what_is_public(club_id: int, progress: Callable[[int, int], None]) -> None:
    """What everybody knows at the beginning is no news. Safe to repeat."""
    club = Club.objects.get(pk=club_id)
    lanes = [club.calendar_topic, *(event.topic for event in club.events.only("pk", "club_id"))]
    noted = set(ToldNews.objects.filter(club=club).values_list("lane", flat=True))
    for place, lane in enumerate(lanes):
        if lane not in noted:
            with snapshot():
                now = facts_now(lane)
            _keep(club, lane, None, now, [])
        progress(place + 1, len(lanes))


def club_of(lane: str) -> Club | None:
    """None where the event, or the club, is no more."""
    name, _, pk = lane.partition(":")
    return Club.objects.filter(**{"events" if name == "event" else "pk": pk}).first()


def event_of(lane: str) -> Event | None:
    """None of a calendar."""
    name, _, pk = lane.partition(":")
    events = Event.objects.select_related("club", "terms", "night__club")
    return events.filter(pk=pk).first() if name == "event" else None


def facts_now(lane: str) -> Facts:
    event = event_of(lane)
    if event is not None:
        return webhook_facts(event)
    club = club_of(lane)
    return {} if club is None else facts_of_calendar(club)


def _is_being_noted(club: Club) -> bool:
    return Job.objects.filter(kind=NOTE, key=str(club.pk), status__in=UNDER_WAY).exists()


@transaction.atomic
def _keep(club: Club, lane: str, kept: ToldNews | None, now: Facts, news: list[News]) -> bool:
    """Whether it was written: not, where somebody else did so meanwhile. What nobody sees any more stays as
    it was told, so that nothing is told twice once it is shown again."""
    if kept is None:
        try:
            with transaction.atomic():
                ToldNews.objects.create(club=club, lane=lane, facts=now)
        except IntegrityError:
            return False
    else:
        facts = kept.facts | now
        if facts == kept.facts:
            return True
        mine = ToldNews.objects.filter(pk=kept.pk, number=kept.number)
        if not mine.update(facts=facts, number=kept.number + 1):
            return False
    if news:
        for webhook in club.webhooks.filter(off_because="").order_by("pk"):
            _write(webhook, lane, news)
    return True


def _write(webhook: Webhook, lane: str, news: list[News]) -> None:
    """A message that waits and was not tried yet says what is public when it is sent: it serves again."""
    waiting = webhook.deliveries.filter(lane=lane, state=DeliveryState.WAITING, attempts=0)
    told = set(waiting.values_list("kind", "subject"))
    wanted = [one for one in news if one.kind in webhook.kinds and (one.kind, one.subject) not in told]
    WebhookDelivery.objects.bulk_create(
        WebhookDelivery(
            webhook=webhook, message_id=message_id(), kind=one.kind, lane=lane, subject=one.subject
        )
        for one in wanted
    )
    if wanted:
        request_delivery(webhook.pk, lane)
