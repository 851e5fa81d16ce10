"""Disagreements of two installations, kept at each event until an owner has decided."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from jobs.failures import serialize_refusal
from live.revisions import raise_revision
from tournaments.mirrors.agreement import OWNER_DECISIONS, RemoteState, find_disagreement
from tournaments.mirrors.queries import get_position
from tournaments.models import Event


def record_disagreement(event: Event, remote: RemoteState) -> None:
    """Note what an owner has to settle, or that nothing is left. Safe to repeat."""
    local = get_position(event)
    row: Any = event.sent if local.is_leader else event.mirror
    waiting_time = abs(timezone.now() - row.as_of) if local.is_handing_over else timedelta()
    dispute = None if event.is_over else find_disagreement(local, remote, waiting_time=waiting_time)
    code, known_code = "" if dispute is None else dispute.code, "" if row.trouble is None else row.trouble["code"]
    if code != known_code and (code or known_code in OWNER_DECISIONS):
        trouble = None if dispute is None else serialize_refusal(dispute)
        type(row).objects.filter(pk=row.pk).update(trouble=trouble)
        raise_revision(event.topic)
