"""Proof that what is kept beside the log is what the log says."""

from django.db import transaction

from scoring.folding import log_of

from .saving import kept_beside_the_log, locked, save_change


@transaction.atomic
def rebuild(*, match_id: int) -> list[str]:
    """Folds the match's log anew and puts right what differs. The names of the values that were wrong."""
    match = locked(match_id)
    kept = kept_beside_the_log(match, log_of(match))
    wrong = [name for name, value in kept.items() if getattr(match, name) != value]
    if wrong:
        save_change(match)
    return wrong
