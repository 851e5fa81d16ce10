"""What two installations do not agree on is kept at each event, until they do: an owner has to choose."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from jobs.failures import job_refusal_to_json
from live.revisions import raise_revision
from rules import Refusal
from tournaments.mirrors.agreement import FOR_OWNERS, OtherSide, disagreement
from tournaments.mirrors.queries import position_of
from tournaments.models import Event


def note_disagreement(event: Event, other: OtherSide) -> str:
    """Keeps what an owner has to settle, or that there is nothing of it; gives its code, "" where there is
    none. Safe to repeat."""
    mine = position_of(event)
    row: Any = event.sent if mine.leads else event.mirror
    waited = timezone.now() - row.as_of if mine.hands_over else timedelta()
    code = "" if event.is_over else disagreement(mine, other, waited=waited)
    known = "" if row.trouble is None else row.trouble["code"]
    if code != known and (code or known in FOR_OWNERS):
        trouble = job_refusal_to_json(Refusal(code)) if code else None
        type(row).objects.filter(pk=row.pk).update(trouble=trouble)
        raise_revision(event.topic)
    return code
