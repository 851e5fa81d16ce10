"""Disagreements of two installations, kept at each event until an owner has decided."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from errors import Refusal
from jobs.delays import build_ahead_condition
from jobs.failures import serialize_refusal
from live.revisions import raise_revision
from tournaments.mirrors.agreement import HANDOVER_TIMEOUT, OWNER_DECISIONS, RemoteState, find_disagreement
from tournaments.mirrors.queries import Sender, get_position
from tournaments.models import Event, Mirror, SentEvent


def record_disagreement(event: Event, remote: RemoteState) -> None:
    """Note what an owner has to settle, or that nothing is left. Safe to repeat."""
    local = get_position(event)
    row: Any = event.sent if local.is_leader else event.mirror
    waiting_time = abs(timezone.now() - row.as_of) if local.is_handing_over else timedelta()
    dispute = None if event.is_over else find_disagreement(local, remote, waiting_time=waiting_time)
    code, known_code = "" if dispute is None else dispute.code, "" if row.trouble is None else row.trouble["code"]
    if code != known_code and (code or known_code in OWNER_DECISIONS):
        _record_trouble(row, dispute)


def record_unreadable_snapshot(sender: Sender, chain: UUID) -> None:
    """Note snapshot_unreadable at a copy: what the leader sends cannot be read here. Safe to repeat."""
    mirrors = Mirror.objects.filter(event__club=sender.club_id, chain=chain, led_since=None)
    for mirror in mirrors.select_related("event"):
        if mirror.trouble is None or mirror.trouble["code"] != "snapshot_unreadable":
            _record_trouble(mirror, Refusal("snapshot_unreadable"))


def record_overdue_handovers() -> None:
    """Note handover_not_accepted at events that were handed over a minute ago and not taken, even if the other
    installation is not heard of. Safe to repeat. One query."""
    now = timezone.now()
    is_overdue = Q(as_of__lte=now - HANDOVER_TIMEOUT) | build_ahead_condition("as_of", now)
    mirrors = Mirror.objects.filter(is_overdue, trouble__isnull=True)
    handed_over = mirrors.filter(event__terms__mirrored_at__isnull=False, event__sent__handed_over__isnull=False)
    for mirror in handed_over.select_related("event__terms"):
        if not mirror.event.is_over:
            _record_trouble(mirror, Refusal("handover_not_accepted"))


def _record_trouble(row: Mirror | SentEvent, trouble: Refusal | None) -> None:
    type(row).objects.filter(pk=row.pk).update(trouble=None if trouble is None else serialize_refusal(trouble))
    raise_revision(row.event.topic)
