"""Marking: the one way in for whatever is written down for a hand, from a phone, the desk or a file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction

from clubs.models import Account
from rules import Record, Refusal, Undone, plain_record, read_record
from scoring.fold import fold_match
from scoring.logs import check_fits, is_ruling, read_log, seen_in, status_in
from scoring.models import Mark, MarkStatus, Match
from web.names import clean_text

from .saving import lock_match, save_change

REASON_LENGTH = 200
DEVICE_LENGTH = 40


@transaction.atomic
def record_hand(
    *,
    match_id: int,
    entry_key: UUID,
    number: int,
    hand: Mapping[str, Any],
    supersedes: int | None = None,
    device: str = "",
    account: Account | None = None,
    reason: str = "",
) -> Mark:
    """Writes the record of one place (``rules.read_record`` gives its form) and refolds the match.

    ``supersedes`` is the mark that the writer saw in that place, the newest where there are several, and
    replaces: a correction, an undo, or the choice between marks that differ. Whoever did not see what stands
    there writes an echo, if it says the same, or else a rival: neither is lost, and the table is asked.
    ``account`` is a director who rules, with a reason, also after the round is closed; what a director wrote,
    only a director replaces. Safe to repeat with the same ``entry_key``.

    Refuses: whatever ``read_record`` refuses; entry_key_reused, match_closed, match_over, director_only,
    number_skips, not_last_hand, no_such_mark, reason_required, reason_too_long.
    """
    match = lock_match(match_id)
    repeated = Mark.objects.filter(entry_key=entry_key).first()
    record = read_record(match.terms.ruleset, hand)
    if repeated is not None:
        return _same_as_before(repeated, match=match, number=number, record=record, supersedes=supersedes)
    reason = checked_reason(reason, is_required=account is not None)
    marks = list(match.marks.all())
    log = read_log(marks, match.terms.ruleset)
    status = status_in(log, number, record, seen_in(marks, number, supersedes))
    replaced = log.marks_at(number) if status == MarkStatus.CURRENT else []
    if status != MarkStatus.ECHO:
        if account is None:
            _check_table_may_write(match, record, replaced)
        check_fits(log, number, record, is_over=match.is_over)
    match.marks.filter(pk__in=[mark.pk for mark in replaced]).update(status=MarkStatus.SUPERSEDED)
    mark = Mark.objects.create(
        match=match,
        number=number,
        entry_key=entry_key,
        record_data=plain_record(record),
        status=status,
        supersedes_id=supersedes,
        reason=reason,
        device=kept_device(device),
        account=account,
    )
    if status != MarkStatus.ECHO:
        log.add(mark, record)
        save_change(match, log=log)
    return mark


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenHand:
    """A hand of a sheet: its place in the match, and its record in the plain form; its key is what a phone
    sends with it."""

    number: int
    entry_key: UUID
    plain: Mapping[str, Any]


@transaction.atomic
def record_hands(*, match_id: int, hands: Iterable[WrittenHand], device: str = "") -> None:
    """Writes the hands of a sheet, in order, as ``record_hand`` writes what a table marks that saw nothing in
    those places; the match is refolded once. Safe to repeat with the same keys.

    Refuses: what ``record_hand`` refuses of a table; then none of them is written.
    """
    match = lock_match(match_id)
    marks = list(match.marks.all())
    there = {mark.entry_key for mark in marks}
    log, state = read_log(marks, match.terms.ruleset), None
    added: list[Mark] = []
    replaced: list[Mark] = []
    for hand in hands:
        if hand.entry_key in there:
            continue
        record = read_record(match.terms.ruleset, hand.plain)
        status = status_in(log, hand.number, record, None)
        if status != MarkStatus.ECHO:
            here = log.marks_at(hand.number) if status == MarkStatus.CURRENT else []
            _check_table_may_write(match, record, here)
            state = state or fold_match(match, log.places)
            check_fits(log, hand.number, record, is_over=state.is_over)
            replaced += here
        mark = Mark(
            match=match,
            number=hand.number,
            entry_key=hand.entry_key,
            record_data=plain_record(record),
            status=status,
            device=kept_device(device),
        )
        added.append(mark)
        log.add(mark, record)
        follows = status == MarkStatus.CURRENT and hand.number == log.last_number and not log.rivals
        state = state.after(hand.number, record) if state is not None and follows else None
    match.marks.filter(pk__in=[mark.pk for mark in replaced]).update(status=MarkStatus.SUPERSEDED)
    Mark.objects.bulk_create(added)
    if any(mark.status != MarkStatus.ECHO for mark in added):
        save_change(match, log=log)


def checked_reason(reason: str, *, is_required: bool, field: str = "reason") -> str:
    """The reason as it is kept. Refuses: reason_required, reason_too_long."""
    reason = clean_text(reason)
    if len(reason) > REASON_LENGTH:
        raise Refusal("reason_too_long", field=field, most=REASON_LENGTH)
    if is_required and not reason:
        raise Refusal("reason_required", field=field)
    return reason


def kept_device(device: str) -> str:
    """The name of a device as it is kept."""
    return clean_text(device)[:DEVICE_LENGTH]


def _same_as_before(mark: Mark, *, match: Match, number: int, record: Record, supersedes: int | None) -> Mark:
    """The mark that the first call with this key wrote, if this call says the same."""
    before = mark.match_id, mark.number, mark.record_data, mark.supersedes_id
    if before != (match.pk, number, plain_record(record), supersedes):
        raise Refusal("entry_key_reused", field="entry_key")
    return mark


def _check_table_may_write(match: Match, record: Record, replaced: list[Mark]) -> None:
    """A table writes what was played, while the round lasts. To award, to stop a match that has no clock,
    and to replace what a director wrote is for a director; a place that a director freed is free."""
    ruled = [mark for mark in replaced if mark.is_directors and mark.record_data["kind"] != Undone.kind]
    if is_ruling(record, match.terms.match_format) or ruled:
        raise Refusal("director_only", field="kind")
    if match.closed_at is not None:
        raise Refusal("match_closed", field="hand")
