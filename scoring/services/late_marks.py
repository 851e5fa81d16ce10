"""Recording of hands that arrive late from a phone. The desk can read those refused for being late."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from clubs.models import Account
from errors import Refusal
from live.revisions import Reach, raise_revision
from rules import read_record, record_to_json
from scoring.models import Mark, Match, RefusedMark
from scoring.parsing import PostedMark

from .marks import LATE_SECONDS, clean_device_name, limit_wait, record_hand
from .match_changes import lock_match

LATE_REFUSALS = frozenset(
    {"director_only", "match_closed", "match_over", "no_such_mark", "not_last_hand", "number_skips"}
)
"""Refusals because of the state of the log, or because the round is closed."""


def record_phone_hand(*, match_id: int, posted: PostedMark, device: str, account: Account | None = None) -> Mark:
    """Record a hand, which a phone may have kept for a while.

    A late one is marked as late in the log; if it no longer fits, it is saved for the desk. So is a hand
    tapped before its round was closed.

    Refuses: what ``record_hand`` refuses.
    """
    try:
        return record_hand(
            match_id=match_id,
            device=device,
            waited=posted.waited,
            account=account,
            reason=posted.reason,
            **posted.record,
        )
    except Refusal as refusal:
        if refusal.code in LATE_REFUSALS:
            _save_refused(match_id=match_id, posted=posted, code=refusal.code, device=device)
        raise


def _is_tapped_before_close(waited: int, match: Match) -> bool:
    """Check whether the round was closed only after the tap. Phones report whole seconds: one more is
    allowed."""
    tapped_at = timezone.now() - timedelta(seconds=limit_wait(waited, match) + 1)
    return match.closed_at is not None and tapped_at < match.closed_at


@transaction.atomic
def _save_refused(*, match_id: int, posted: PostedMark, code: str, device: str) -> None:
    """Save a refused hand for the desk.

    Not one tapped a moment ago, after its round was closed: the player is told why. Safe to repeat with the
    same entry key.
    """
    match = lock_match(match_id)
    if posted.waited < LATE_SECONDS and not _is_tapped_before_close(posted.waited, match):
        return
    _, is_new = RefusedMark.objects.get_or_create(
        entry_key=posted.entry_key,
        defaults={
            "match": match,
            "number": posted.number,
            "record_data": record_to_json(read_record(match.ruleset, posted.hand)),
            "code": code,
            "waited": limit_wait(posted.waited, match),
            "device": clean_device_name(device),
        },
    )
    if is_new:
        raise_revision(match.card.topic, Reach.STAFF)
