"""Disagreements of two installations, kept at each event until an owner has decided."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from jobs.failures import job_refusal_to_json
from live.revisions import raise_revision
from tournaments.mirrors.agreement import FOR_OWNERS, OtherSide, disagreement
from tournaments.mirrors.queries import position_of
from tournaments.models import Event


def note_disagreement(event: Event, other: OtherSide) -> None:
    """Note what an owner has to settle, or that nothing is left. Safe to repeat."""
    mine = position_of(event)
    row: Any = event.sent if mine.leads else event.mirror
    waited = timezone.now() - row.as_of if mine.hands_over else timedelta()
    found = None if event.is_over else disagreement(mine, other, waited=waited)
    code, known = "" if found is None else found.code, "" if row.trouble is None else row.trouble["code"]
    if code != known and (code or known in FOR_OWNERS):
        trouble = None if found is None else job_refusal_to_json(found)
        type(row).objects.filter(pk=row.pk).update(trouble=trouble)
        raise_revision(event.topic)
