"""Check of the values cached beside the log against the log."""

from django.db import transaction

from scoring.fold import log_of
from scoring.models import Match

from .chains import note_if_damaged, seal
from .match_changes import lock_match, save_change, summary_of_match

COUNTED_LATER = ("made", "charlemagnes", "dealer", "deals")
"""Values that summaries written by older versions lack."""


@transaction.atomic
def rebuild(*, match_id: int) -> list[str]:
    """Fold the match's log again and correct what differs; return the names of the values that were wrong."""
    match = lock_match(match_id)
    kept = summary_of_match(match, log_of(match))
    wrong = [name for name, value in kept.items() if getattr(match, name) != value]
    if wrong:
        save_change(match)
    return wrong


@transaction.atomic
def complete_summaries() -> None:
    """Add the values that older versions did not count, from the log.

    No existing value changes, so no correction is announced. Safe to repeat.
    """
    older = Match.objects.exclude(summary__has_keys=COUNTED_LATER)
    matches = list(older.select_related("terms").prefetch_related("marks"))
    for match in matches:
        note_if_damaged(match)
        match.summary = summary_of_match(match, log_of(match))["summary"] | match.summary
        seal(match)
    Match.objects.bulk_update(matches, ["summary", "log_digest"], batch_size=200)
