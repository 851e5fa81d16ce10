"""Hands from a phone, which may have kept them for long: what is refused then, the desk still reads."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from live.revisions import Reach, raise_revision
from rules import Refusal, read_record, record_to_json
from scoring.models import Mark, Match, RefusedMark
from scoring.queries import is_recorded

from .marks import device_name, record_hand
from .saving import lock_match

LATE = 60
"""What waited for as many seconds on a phone came late."""
CAME_TOO_LATE = frozenset(
    {"director_only", "match_closed", "match_over", "no_such_mark", "not_last_hand", "number_skips"}
)
"""Refusals by what stands in the log, or because the round is closed."""


def record_hand_of_phone(*, device: str, waited: int, **hand: Any) -> Mark:
    """``record_hand`` for what a phone had kept for ``waited`` seconds, as it says. What came late says so in
    the log; where it no longer fits, it is kept for the desk, as is what was tapped before its round was
    closed.

    Refuses: what ``record_hand`` refuses.
    """
    try:
        if waited < LATE:
            return record_hand(device=device, **hand)
        return _record_late_hand(device=device, waited=waited, **hand)
    except Refusal as refusal:
        if refusal.code in CAME_TOO_LATE:
            _keep_refused(
                match_id=hand["match_id"],
                entry_key=hand["entry_key"],
                number=hand["number"],
                hand=hand["hand"],
                code=refusal.code,
                device=device,
                waited=waited,
            )
        raise


@transaction.atomic
def _record_late_hand(*, waited: int, **hand: Any) -> Mark:
    """One that was recorded before was not late, however often it is sent again."""
    is_known = is_recorded(hand["entry_key"])
    mark = record_hand(**hand)
    if not is_known:
        mark.waited = plausible_wait(waited, mark.match)
        mark.save(update_fields=["waited"])
    return mark


def plausible_wait(waited: int, match: Match) -> int:
    """No longer than the match is open, whatever the clock of the phone did meanwhile; 0 where that is not
    late."""
    believed = _believed_wait(waited, match)
    return believed if believed >= LATE else 0


def _believed_wait(waited: int, match: Match) -> int:
    return min(waited, int((timezone.now() - match.opened_at).total_seconds()))


def _was_tapped_while_open(waited: int, match: Match) -> bool:
    """Whether the round was closed only after the tap. A phone says whole seconds: it may be one more."""
    since = timezone.now() - timedelta(seconds=_believed_wait(waited, match) + 1)
    return match.closed_at is not None and since < match.closed_at


@transaction.atomic
def _keep_refused(
    *,
    match_id: int,
    entry_key: UUID,
    number: int,
    hand: Mapping[str, Any],
    code: str,
    device: str,
    waited: int,
) -> None:
    """What was tapped a moment ago, in a round that was closed then, is not: whoever tapped it reads why.
    Safe to repeat with the same ``entry_key``."""
    match = lock_match(match_id)
    if waited < LATE and not _was_tapped_while_open(waited, match):
        return
    _, is_new = RefusedMark.objects.get_or_create(
        entry_key=entry_key,
        defaults={
            "match": match,
            "number": number,
            "record_data": record_to_json(read_record(match.terms.ruleset, hand)),
            "code": code,
            "waited": _believed_wait(waited, match),
            "device": device_name(device),
        },
    )
    if is_new:
        raise_revision(match.card.topic, Reach.STAFF)
