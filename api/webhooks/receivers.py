"""Signal receivers: possible public changes enqueue a task, in the transaction of the change."""

from typing import Any

from django.dispatch import receiver

from clubs.models import Webhook
from clubs.services.webhooks import CHECK_JOB
from jobs.services import enqueue
from live.news import public_change


@receiver(public_change)
def request_look(*, topic: str, club_id: int, **_: Any) -> None:
    if Webhook.objects.filter(club=club_id, off_because="").exists():
        enqueue(kind=CHECK_JOB, key=topic, club_id=club_id)
