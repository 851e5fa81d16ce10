"""Check of the values cached beside the log against the log."""

from django.db import transaction
from django.db.models import QuerySet

from scoring.fold import load_log
from scoring.models import Match

from .chains import flag_if_damaged, seal_match
from .match_changes import compute_cached_values, lock_match, save_change

NEWER_KEYS = ("made", "charlemagnes", "dealer", "deals")
"""Values that summaries written by older versions lack."""


@transaction.atomic
def rebuild_match(*, match_id: int) -> list[str]:
    """Fold the match's log again and correct what differs; return the names of the values that were wrong."""
    match = lock_match(match_id)
    cached_values = compute_cached_values(match, load_log(match))
    wrong = [name for name, value in cached_values.items() if getattr(match, name) != value]
    if wrong:
        save_change(match)
    return wrong


@transaction.atomic
def complete_summaries(matches: QuerySet[Match] | None = None) -> None:
    """Add the values that older versions did not count, from the logs of these matches or of all.

    No existing value changes, so no correction is announced. Safe to repeat.
    """
    here = Match.objects.all() if matches is None else matches
    older = here.exclude(summary__has_keys=NEWER_KEYS).select_related("terms").prefetch_related("marks")
    completed = list(older)
    for match in completed:
        flag_if_damaged(match)
        match.summary = compute_cached_values(match, load_log(match))["summary"] | match.summary
        seal_match(match)
    Match.objects.bulk_update(completed, ["summary", "log_digest"], batch_size=200)
