"""Begin and end of every change of a match: its lock, then its cache, revision and signal."""

from typing import Any

from django.utils import timezone

from errors import Refusal
from live.revisions import Reach, raise_revisions
from scoring.fold import CachedValues, build_cached_values, fold_match, load_log
from scoring.logs import Log
from scoring.models import Mark, Match, TableCard
from scoring.signals import match_changed
from web.compiled_query import CompiledQuery, Slot

from .chains import flag_if_damaged, seal_match

_RESULT = ("games", "games_won", "points", "winner", "made", "charlemagnes")


_LOCKED_MATCH = CompiledQuery(
    Match.objects.select_for_update(of=("self",)).select_related("terms", "card").filter(pk=Slot("pk", Match._meta.pk))
)


def lock_match(match_id: int, *, card: TableCard | None = None) -> Match:
    """Lock a match until the end of the transaction, and check that it is of that ``card``, if given.
    Refuses: no_such_match, led_elsewhere."""
    match = _LOCKED_MATCH.fetch_first(pk=match_id)
    if match is None or card not in (None, match.card):
        raise Refusal("no_such_match")
    if match.terms.mirrored_at is not None:
        raise Refusal("led_elsewhere")
    return match


def compute_cached_values(match: Match, log: Log[Mark]) -> CachedValues:
    """Return the cached values of a match by name, from its log."""
    return build_cached_values(log, fold_match(match, log.places))


def save_change(match: Match, *, log: Log[Mark] | None = None) -> None:
    """Refold the log into the cache, seal both, raise the revisions, and signal that the match changed.

    ``log`` comes from a caller that has just added a mark to it, and to the match's ``written_marks``.
    """
    old_result, old_summary = _get_result(match), match.summary if match.is_over else None
    if log is None:
        flag_if_damaged(match)
    for name, value in compute_cached_values(match, log or load_log(match)).items():
        setattr(match, name, value)
    seal_match(match)
    match.revision += 1
    if log is not None:
        match.last_marked_at = timezone.now()
    match.save(
        update_fields=[
            "summary",
            "is_over",
            "has_rivals",
            "log_digest",
            "revision",
            "last_marked_at",
            "first_dealer",
            "closed_at",
            *Match.SCOREKEEPER_FIELDS,
        ]
    )
    result_changed = _get_result(match) != old_result
    match_changed.send(Match, match=match, result_changed=result_changed, before=old_summary)
    raise_revisions({match.card.own_topic: Reach.EVERYBODY, match.card.topic: _get_reach(match)})


def _get_reach(match: Match) -> Reach:
    """Return who may learn of the change: only staff while the round is hidden. Otherwise its pace would
    show."""
    card = match.card
    is_silent = card.silent_from is not None and match.round_number >= card.silent_from
    return Reach.EVERYBODY if card.public_page and not is_silent else Reach.STAFF


def _get_result(match: Match) -> list[Any] | None:
    """Return the values that standings use; None while the match goes on."""
    return [match.summary.get(name) for name in _RESULT] if match.is_over else None
