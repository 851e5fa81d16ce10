"""Steps of a large event, done by the worker: the same services, with the client's id of who asked."""

import json
from collections.abc import Callable, Mapping
from uuid import UUID, uuid4

from django.db import transaction

from clubs.audit.log import Actor
from clubs.models import Account
from jobs.models import Job
from jobs.services import enqueue
from tournaments.models import Event
from tournaments.publishing.services.publishing import publish_final
from tournaments.rounds.services.rounds import close_round, draw_round, publish_round, unpublish_round

LARGE = 400
"""From so many entries on, a round's steps may take over a second on a small machine."""

DEFERRED: Mapping[str, Callable[..., object]] = {
    "draw": draw_round,
    "publish": publish_round,
    "unpublish": unpublish_round,
    "close": close_round,
    "publish-final": publish_final,
}


@transaction.atomic
def defer(*, event: Event, step: str, by: Actor, **arguments: int) -> Job:
    """Has the worker take a step. Safe to repeat with the same client's id: the step is taken once."""
    who = None if by.account is None else by.account.pk
    asked = {"step": step, "event": event.pk, "by": [who, str(by.key or uuid4()), by.origin], **arguments}
    return enqueue(kind=step, key=json.dumps(asked), topic=event.topic)


def do_deferred(key: str) -> None:
    """Takes the step that ``defer`` wrote down. Safe to repeat. Refuses: what the service does."""
    asked = json.loads(key)
    step, event, (who, client, origin) = asked.pop("step"), asked.pop("event"), asked.pop("by")
    account = Account.objects.filter(pk=who).first()
    by = Actor(account=account, key=UUID(client), origin=origin)
    DEFERRED[step](event_id=event, by=by, **asked)


def is_large(event: Event) -> bool:
    """One query."""
    return event.entries.count() >= LARGE
