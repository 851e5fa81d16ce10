"""Recording of hands that arrive late from a phone. The desk can read those refused for being late."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from errors import Refusal
from live.revisions import Reach, raise_revision
from rules import read_record, record_to_json
from scoring.models import Mark, Match, RefusedMark

from .marks import LATE_SECONDS, clean_device_name, limit_wait, record_hand
from .match_changes import lock_match

LATE_REFUSALS = frozenset(
    {"director_only", "match_closed", "match_over", "no_such_mark", "not_last_hand", "number_skips"}
)
"""Refusals because of the state of the log, or because the round is closed."""


def record_phone_hand(*, device: str, waited: int, **hand: Any) -> Mark:
    """Record a hand that a phone had kept for ``waited`` seconds, as it reports.

    A late one is marked as late in the log; if it no longer fits, it is saved for the desk. So is a hand
    tapped before its round was closed.

    Refuses: what ``record_hand`` refuses.
    """
    try:
        return record_hand(device=device, waited=waited, **hand)
    except Refusal as refusal:
        if refusal.code in LATE_REFUSALS:
            _save_refused(
                match_id=hand["match_id"],
                entry_key=hand["entry_key"],
                number=hand["number"],
                hand=hand["hand"],
                code=refusal.code,
                device=device,
                waited=waited,
            )
        raise


def _is_tapped_before_close(waited: int, match: Match) -> bool:
    """Check whether the round was closed only after the tap. Phones report whole seconds: one more is
    allowed."""
    tapped_at = timezone.now() - timedelta(seconds=limit_wait(waited, match) + 1)
    return match.closed_at is not None and tapped_at < match.closed_at


@transaction.atomic
def _save_refused(
    *,
    match_id: int,
    entry_key: UUID,
    number: int,
    hand: Mapping[str, Any],
    code: str,
    device: str,
    waited: int,
) -> None:
    """Save a refused hand for the desk.

    Not one tapped a moment ago, after its round was closed: the player is told why. Safe to repeat with the
    same ``entry_key``.
    """
    match = lock_match(match_id)
    if waited < LATE_SECONDS and not _is_tapped_before_close(waited, match):
        return
    _, is_new = RefusedMark.objects.get_or_create(
        entry_key=entry_key,
        defaults={
            "match": match,
            "number": number,
            "record_data": record_to_json(read_record(match.ruleset, hand)),
            "code": code,
            "waited": limit_wait(waited, match),
            "device": clean_device_name(device),
        },
    )
    if is_new:
        raise_revision(match.card.topic, Reach.STAFF)
