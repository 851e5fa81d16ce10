"""The two ends of every change of a match: its lock, and its cache, revision and signal."""

from typing import Any

from django.utils import timezone

from live.revisions import Reach, raise_revisions
from rules import Refusal
from scoring.fold import CachedValues, fold_match, log_of, summary_of_log
from scoring.logs import Log
from scoring.models import Mark, Match, TableCard
from scoring.signals import match_changed
from web.compiled_query import CompiledQuery, Slot

_RESULT = ("games", "games_won", "points", "winner", "made", "charlemagnes")


_LOCKED_MATCH = CompiledQuery(
    Match.objects.select_for_update(of=("self",))
    .select_related("terms", "card")
    .filter(pk=Slot("pk", Match._meta.pk))
)


def lock_match(match_id: int, *, card: TableCard | None = None) -> Match:
    """The match, of that ``card`` where it is said, held by this transaction until it ends. Refuses:
    no_such_match, led_elsewhere."""
    match = _LOCKED_MATCH.one(pk=match_id)
    if match is None or card not in (None, match.card):
        raise Refusal("no_such_match")
    if match.terms.mirrored_at is not None:
        raise Refusal("led_elsewhere")
    return match


def summary_of_match(match: Match, log: Log[Mark]) -> CachedValues:
    """The cached values of a match by name, as its log has them."""
    return summary_of_log(log, fold_match(match, log.places))


def save_change(match: Match, *, log: Log[Mark] | None = None) -> None:
    """Refolds the log into the cache, raises the revisions, and says that the match changed.

    ``log`` comes from a caller that has just added a mark to it.
    """
    before, known = _result(match), match.summary if match.is_over else None
    for name, value in summary_of_match(match, log or log_of(match)).items():
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
            *Match.PENCIL,
        ]
    )
    result_changed = _result(match) != before
    match_changed.send(Match, match=match, result_changed=result_changed, before=known)
    raise_revisions({match.card.own_topic: Reach.EVERYBODY, match.card.topic: _reach_of(match)})


def _reach_of(match: Match) -> Reach:
    """Where a round is kept back, nobody hears at what pace it is marked either."""
    card = match.card
    is_silent = card.silent_from is not None and match.round_number >= card.silent_from
    return Reach.EVERYBODY if card.public_page and not is_silent else Reach.STAFF


def _result(match: Match) -> list[Any] | None:
    """What standings are made of: nothing while the match goes on."""
    return [match.summary.get(name) for name in _RESULT] if match.is_over else None
