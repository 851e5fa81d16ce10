"""Steps of a large event, run by the worker through the usual services, with the idempotency key of the
request."""

import json
from collections.abc import Callable
from uuid import UUID, uuid4

from django.db import transaction

from clubs.audit.log import Actor
from clubs.models import Account
from jobs.models import Job
from jobs.services import enqueue
from tournaments.history.services.optimistic import is_done
from tournaments.models import Event

LARGE = 400
"""From this number of entries on, a round's steps may take over a second on a small machine."""

DEFERRED_SERVICES: dict[str, Callable[..., object]] = {}
"""Services by the kind of their jobs; ``register_step`` in ``events.tasks`` adds them."""


@transaction.atomic
def defer(*, event: Event, step: str, by: Actor, **arguments: int) -> Job:
    """Queue a step for the worker. Safe to repeat with the same idempotency key: the step is taken once.
    Refuses: what the precondition of ``by`` does."""
    if not is_done(event, by):
        by.check_precondition()
    account_id = None if by.account is None else by.account.pk
    request_data = {"step": step, "event": event.pk, "by": [account_id, str(by.key or uuid4()), by.origin], **arguments}
    return enqueue(kind=step, key=json.dumps(request_data), topic=event.topic, club_id=event.club_id)


def run_deferred_step(key: str) -> None:
    """Take a step that ``defer`` queued. Safe to repeat. Refuses: what the service does."""
    request_data = json.loads(key)
    step, event, (account_id, client_key, origin) = (
        request_data.pop("step"),
        request_data.pop("event"),
        request_data.pop("by"),
    )
    account = Account.objects.filter(pk=account_id).first()
    by = Actor(account=account, key=UUID(client_key), origin=origin)
    DEFERRED_SERVICES[step](event_id=event, by=by, **request_data)


def is_large_event(event: Event) -> bool:
    """Check whether the steps of an event run in the worker. One query."""
    return event.entries.count() >= LARGE
