"""The two ends of every change of a match: its lock, and its cache, revision and signal."""

from typing import Any

from django.utils import timezone

from live.revisions import raise_revision
from rules import Refusal
from scoring.fold import fold_match, kept_beside, log_of
from scoring.logs import Log
from scoring.models import Mark, Match
from scoring.signals import match_changed

_RESULT = ("games", "games_won", "points", "winner", "made", "charlemagnes")


def lock_match(match_id: int) -> Match:
    """The match, held by this transaction until it ends. Refuses: no_such_match."""
    match = (
        Match.objects.select_for_update(of=("self",))
        .select_related("terms", "card")
        .filter(pk=match_id)
        .first()
    )
    if match is None:
        raise Refusal("no_such_match")
    return match


def kept_beside_the_log(match: Match, log: Log[Mark]) -> dict[str, Any]:
    """The cached values of a match by name, as its log has them."""
    return kept_beside(log, fold_match(match, log.places))


def save_change(match: Match, *, log: Log[Mark] | None = None) -> None:
    """Refolds the log into the cache, raises the revisions, and says that the match changed.

    ``log`` comes from a caller that has just added a mark to it.
    """
    before, known = _result(match), match.summary if match.is_over else None
    for name, value in kept_beside_the_log(match, log or log_of(match)).items():
        setattr(match, name, value)
    match.revision += 1
    if log is not None:
        match.last_marked_at = timezone.now()
    match.save(
        update_fields=[
            "summary",
            "is_over",
            "has_rivals",
            "revision",
            "last_marked_at",
            "first_dealer",
            "closed_at",
        ]
    )
    result_changed = _result(match) != before
    match_changed.send(Match, match=match, result_changed=result_changed, before=known)
    raise_revision(match.card.topic)


def _result(match: Match) -> list[Any] | None:
    """What standings are made of: nothing while the match goes on."""
    return [match.summary.get(name) for name in _RESULT] if match.is_over else None
