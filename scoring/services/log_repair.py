"""Checks of stored logs against their digests, and repair of what a disk has damaged."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from types import MappingProxyType
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet

from clubs.services.changes import get_row
from live.revisions import Reach, raise_revisions
from scoring.fold import load_log
from scoring.log_chain import (
    DAMAGE_PREFIX,
    ChainedMark,
    Damage,
    compute_next_digest,
    find_broken_links,
    get_initial_digest,
    is_result_intact,
    is_status_intact,
    repair_marks,
)
from scoring.log_values import MarkStatus
from scoring.models import Mark, Match
from scoring.queries import list_damage

from .chains import RECORD, build_chain, build_chained_result, build_log_chain, seal_match
from .match_changes import compute_cached_values, save_change

BATCH_SIZE = 500


@transaction.atomic
def complete_chains(matches: Collection[int] | QuerySet[Match] | None = None) -> None:
    """Compute the digests of marks that an older program wrote, in these matches or in all. Safe to
    repeat."""
    scope = Q() if matches is None else Q(pk__in=matches)
    older = Match.objects.filter(scope & (Q(marks__digest="") | Q(log_digest="", marks__isnull=False)))
    older = older.exclude(log_digest__startswith=DAMAGE_PREFIX).order_by("pk").distinct()
    pks = list(older.values_list("pk", flat=True))
    for batch in _iter_batches(pks):
        locked_matches = Match.objects.select_for_update(of=("self",)).filter(pk__in=batch).order_by("pk")
        _renew_digests(list(locked_matches.prefetch_related("marks")))


@contextmanager
def chains_renewed(marks: Sequence[int]) -> Iterator[None]:
    """Renew the digests of these marks' logs, after words in them were changed in the block. A log that was
    damaged before stays marked as damaged."""
    matches: set[int] = set()
    for batch in _iter_batches(marks):
        matches |= set(Mark.objects.filter(pk__in=batch).values_list("match", flat=True))
    for batch in _iter_batches(sorted(matches)):
        detect_damage(batch)
    yield
    for batch in _iter_batches(sorted(matches)):
        with transaction.atomic():
            locked_matches = Match.objects.select_for_update(of=("self",)).filter(pk__in=batch).order_by("pk")
            intact = locked_matches.exclude(log_digest__startswith=DAMAGE_PREFIX).prefetch_related("marks")
            _renew_digests(list(intact), is_forced=True)


def detect_damage(matches: Collection[int] | None = None) -> list[Damage]:
    """Check the logs of these matches, or all; note which are damaged, so that phones are asked for them and
    no change seals the damage. Safe to repeat."""
    complete_chains(matches)
    damage = list_damage(matches)
    damaged_matches = Match.objects.filter(pk__in={each.match for each in damage}) if damage else Match.objects.none()
    unflagged_matches = damaged_matches.exclude(log_digest__startswith=DAMAGE_PREFIX)
    for match in unflagged_matches.select_related("card").order_by("pk"):
        _mark_as_damaged(match)
    return damage


@transaction.atomic
def _mark_as_damaged(match: Match) -> None:
    now = {"log_digest": DAMAGE_PREFIX + match.log_digest, "revision": F("revision") + 1}
    Match.objects.filter(pk=match.pk, log_digest=match.log_digest).update(**now)
    raise_revisions({match.card.own_topic: Reach.EVERYBODY, match.card.topic: Reach.STAFF})


@transaction.atomic
def repair_log(*, match_id: int, copies: Iterable[Mark] = ()) -> list[Damage]:
    """Repair a damaged log from itself and from copies of its marks, such as those of a backup, as far as the
    digests prove what was written; then fold its result again. Return the damage that is left. Safe to
    repeat. Refuses: no_such_match."""
    match = _lock_any_match(match_id)
    rows = {mark.pk: mark for mark in copies if mark.match_id == match_id}
    restore_marks(match, build_chain(sorted(rows.values(), key=lambda mark: mark.pk)), rows)
    remaining = list_damage([match_id])
    if match.is_damaged and not remaining:
        match.log_digest = match.log_digest.removeprefix(DAMAGE_PREFIX)
        save_change(match)
    return remaining


@transaction.atomic
def accept_log(*, match_id: int) -> None:
    """Accept a damaged log as it is, and fold its result again: somebody has compared it with another record.
    Safe to repeat. Refuses: no_such_match."""
    match = _lock_any_match(match_id)
    _renew_digests([match], is_forced=True)
    save_change(match)


def restore_marks(match: Match, copies: Sequence[ChainedMark], rows: Mapping[int, Mark] = MappingProxyType({})) -> None:
    """Restore the damaged marks of a locked match from these copies; ``rows`` are those of lost marks, by
    their ids."""
    old_seal = match.log_digest.removeprefix(DAMAGE_PREFIX)
    old_chain = build_log_chain(match)
    new_chain = repair_marks(match.pk, old_seal, old_chain, copies)
    _write_marks(match, old_chain, new_chain, {mark.entry_key.hex: mark for mark in rows.values()})
    if find_broken_links(match.pk, new_chain) or not is_status_intact(old_seal, new_chain):
        return
    dealer_now = match.first_dealer
    for dealer in (dealer_now, None, *range(match.ruleset.seats)):
        match.first_dealer = dealer
        for name, value in compute_cached_values(match, load_log(match)).items():
            setattr(match, name, value)
        if is_result_intact(old_seal, build_chained_result(match)):
            match.log_digest = old_seal
            save_change(match)
            return
    match.first_dealer = dealer_now


def _write_marks(
    match: Match, old_chain: Sequence[ChainedMark], new_chain: Sequence[ChainedMark], lost_marks: Mapping[str, Mark]
) -> None:
    keys = {each.key for each in new_chain}
    rows = {each.key: mark for each, mark in zip(old_chain, match.written_marks, strict=True)}
    spare_marks = [rows[each.key] for each in old_chain if each.key not in keys]
    places = {
        each.key: rows.get(each.key) or (lost_marks[each.key] if each.key in lost_marks else spare_marks.pop(0))
        for each in new_chain
    }
    for each in sorted(new_chain, key=lambda each: each.status == MarkStatus.CURRENT):
        if each in old_chain:
            continue
        mark = places[each.key]
        mark.match, mark.entry_key, mark.account_id = match, UUID(each.key), each.account
        mark.supersedes_id = None if each.supersedes is None else places[each.supersedes].pk
        mark.record_data = RECORD.from_stored(each.record)
        mark.created_at = datetime.fromisoformat(each.at).replace(tzinfo=UTC)
        for name in ("number", "saw_only", "waited", "reason", "device", "written_by", "status", "digest"):
            setattr(mark, name, getattr(each, name))
        mark.save()
    match.written_marks = list(match.marks.order_by("pk"))


def _renew_digests(matches: Sequence[Match], *, is_forced: bool = False) -> None:
    """Compute the digests of whole logs, unless those that there are do not fit, or they are accepted."""
    renewed_matches = []
    for match in matches:
        log = build_log_chain(match)
        if is_forced or not find_broken_links(match.pk, [line for line in log if line.digest]):
            match.log_digest, last_digest = "", get_initial_digest(match.pk)
            for mark, line in zip(match.written_marks, log, strict=True):
                last_digest = mark.digest = compute_next_digest(last_digest, line)
            renewed_matches.append(match)
            seal_match(match)
    marks = [mark for match in renewed_matches for mark in match.written_marks]
    Mark.objects.bulk_update(marks, ["digest"], BATCH_SIZE)
    Match.objects.bulk_update(renewed_matches, ["log_digest"], BATCH_SIZE)


def _iter_batches(pks: Sequence[int]) -> Iterator[Sequence[int]]:
    return (pks[start : start + BATCH_SIZE] for start in range(0, len(pks), BATCH_SIZE))


def _lock_any_match(match_id: int) -> Match:
    """Return the match, locked, also a mirrored one. Refuses: no_such_match."""
    rows = Match.objects.select_for_update(of=("self",)).select_related("terms", "card")
    return get_row(rows, match_id, refusal_code="no_such_match")
