"""Checks of stored logs against their digests, and repair of what a disk has damaged."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from types import MappingProxyType
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q

from clubs.services.validators import row_or_refuse
from live.revisions import Reach, raise_revisions
from scoring.fold import log_of
from scoring.log_chain import (
    DAMAGED,
    ChainedMark,
    Damage,
    broken_links,
    digest_after,
    first_digest,
    has_result,
    has_statuses,
    repair_marks,
)
from scoring.log_values import MarkStatus
from scoring.models import Mark, Match
from scoring.queries import damaged_hands

from .chains import RECORD, chain_of, log_chain_of, result_of, seal
from .match_changes import save_change, summary_of_match

BATCH = 500


@transaction.atomic
def complete_chains(matches: Collection[int] | None = None) -> None:
    """Compute the digests of marks that an older program wrote, in these matches or in all. Safe to
    repeat."""
    here = Q() if matches is None else Q(pk__in=matches)
    older = Match.objects.filter(here & (Q(marks__digest="") | Q(log_digest="", marks__isnull=False)))
    older = older.exclude(log_digest__startswith=DAMAGED).order_by("pk").distinct()
    pks = list(older.values_list("pk", flat=True))
    for some in _in_batches(pks):
        held = Match.objects.select_for_update(of=("self",)).filter(pk__in=some).order_by("pk")
        _renew(list(held.prefetch_related("marks")))


@contextmanager
def chains_renewed(marks: Sequence[int]) -> Iterator[None]:
    """Renew the digests of these marks' logs, after words in them were changed in the block. A log that was
    damaged before stays marked as damaged."""
    matches: set[int] = set()
    for some in _in_batches(marks):
        matches |= set(Mark.objects.filter(pk__in=some).values_list("match", flat=True))
    for some in _in_batches(sorted(matches)):
        note_damage(some)
    yield
    for some in _in_batches(sorted(matches)):
        with transaction.atomic():
            held = Match.objects.select_for_update(of=("self",)).filter(pk__in=some).order_by("pk")
            intact = held.exclude(log_digest__startswith=DAMAGED).prefetch_related("marks")
            _renew(list(intact), is_accepted=True)


def note_damage(matches: Collection[int] | None = None) -> list[Damage]:
    """Check the logs of these matches, or all; note which are damaged, so that phones are asked for them and
    no change seals the damage. Safe to repeat."""
    complete_chains(matches)
    found = damaged_hands(matches)
    damaged = Match.objects.filter(pk__in={each.match for each in found}) if found else Match.objects.none()
    intact = damaged.exclude(log_digest__startswith=DAMAGED)
    for match in intact.select_related("card").order_by("pk"):
        _mark_as_damaged(match)
    return found


@transaction.atomic
def _mark_as_damaged(match: Match) -> None:
    now = {"log_digest": DAMAGED + match.log_digest, "revision": F("revision") + 1}
    Match.objects.filter(pk=match.pk, log_digest=match.log_digest).update(**now)
    raise_revisions({match.card.own_topic: Reach.EVERYBODY, match.card.topic: Reach.STAFF})


@transaction.atomic
def repair_log(*, match_id: int, copies: Iterable[Mark] = ()) -> list[Damage]:
    """Repair a damaged log from itself and from copies of its marks, such as those of a backup, as far as the
    digests prove what was written; then fold its result again. Return the damage that is left. Safe to
    repeat. Refuses: no_such_match."""
    match = _held_match(match_id)
    rows = {mark.pk: mark for mark in copies if mark.match_id == match_id}
    restore_marks(match, chain_of(sorted(rows.values(), key=lambda mark: mark.pk)), rows)
    left = damaged_hands([match_id])
    if match.is_damaged and not left:
        match.log_digest = match.log_digest.removeprefix(DAMAGED)
        save_change(match)
    return left


@transaction.atomic
def accept_log(*, match_id: int) -> None:
    """Accept a damaged log as it is, and fold its result again: somebody has compared it with another record.
    Safe to repeat. Refuses: no_such_match."""
    match = _held_match(match_id)
    _renew([match], is_accepted=True)
    save_change(match)


def restore_marks(
    match: Match, copies: Sequence[ChainedMark], rows: Mapping[int, Mark] = MappingProxyType({})
) -> None:
    """Restore the damaged marks of a locked match from these copies; ``rows`` are those of lost marks, by
    their ids."""
    seal_before = match.log_digest.removeprefix(DAMAGED)
    before = log_chain_of(match)
    after = repair_marks(match.pk, seal_before, before, copies)
    _write(match, before, after, {mark.entry_key.hex: mark for mark in rows.values()})
    if broken_links(match.pk, after) or not has_statuses(seal_before, after):
        return
    dealer_now = match.first_dealer
    for dealer in (dealer_now, None, *range(match.ruleset.seats)):
        match.first_dealer = dealer
        for name, value in summary_of_match(match, log_of(match)).items():
            setattr(match, name, value)
        if has_result(seal_before, result_of(match)):
            match.log_digest = seal_before
            save_change(match)
            return
    match.first_dealer = dealer_now


def _write(
    match: Match, before: Sequence[ChainedMark], after: Sequence[ChainedMark], lost: Mapping[str, Mark]
) -> None:
    keys = {each.key for each in after}
    rows = {each.key: mark for each, mark in zip(before, match.written_marks, strict=True)}
    spare = [rows[each.key] for each in before if each.key not in keys]
    places = {
        each.key: rows.get(each.key) or (lost[each.key] if each.key in lost else spare.pop(0))
        for each in after
    }
    for each in sorted(after, key=lambda each: each.status == MarkStatus.CURRENT):
        if each in before:
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


def _renew(matches: Sequence[Match], *, is_accepted: bool = False) -> None:
    """Compute the digests of whole logs, unless those that there are do not fit, or they are accepted."""
    renewed = []
    for match in matches:
        log = log_chain_of(match)
        if is_accepted or not broken_links(match.pk, [line for line in log if line.digest]):
            match.log_digest, last = "", first_digest(match.pk)
            for mark, line in zip(match.written_marks, log, strict=True):
                last = mark.digest = digest_after(last, line)
            renewed.append(match)
            seal(match)
    marks = [mark for match in renewed for mark in match.written_marks]
    Mark.objects.bulk_update(marks, ["digest"], BATCH)
    Match.objects.bulk_update(renewed, ["log_digest"], BATCH)


def _in_batches(pks: Sequence[int]) -> Iterator[Sequence[int]]:
    return (pks[start : start + BATCH] for start in range(0, len(pks), BATCH))


def _held_match(match_id: int) -> Match:
    """Return the match, locked, also a mirrored one. Refuses: no_such_match."""
    rows = Match.objects.select_for_update(of=("self",)).select_related("terms", "card")
    return row_or_refuse(rows, match_id, otherwise="no_such_match")
