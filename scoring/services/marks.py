"""Recording of hands. Every mark comes in here, whether from a phone, the desk or a file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from clubs.models import Account
from errors import Refusal
from rules import Record, UndoneRecord, read_record, record_to_json
from scoring.fold import fold_match, load_log
from scoring.log_values import MarkStatus
from scoring.logs import Log, Placement, check_fits, is_ruling, place_mark
from scoring.models import Mark, Match, TableCard
from web.compiled_query import CompiledQuery, Slot
from web.names import clean_text

from .chains import add_digests, flag_if_damaged
from .match_changes import lock_match, save_change

REASON_LENGTH = 200
DEVICE_LENGTH = 40

_MATCH_FILTER = Q(match=Slot("match", Match._meta.pk))
_KEY_FILTER = Q(entry_key=Slot("key", Mark._meta.get_field("entry_key")))
_MARKS_QUERY = CompiledQuery(Mark.objects.filter(_MATCH_FILTER | _KEY_FILTER).select_related("account").order_by("pk"))
"""The marks of a match, and a mark stored under this entry key in another match."""


@transaction.atomic
def record_hand(  # noqa: PLR0913 (all that may be said of a hand)
    *,
    match_id: int,
    entry_key: UUID,
    number: int,
    hand: Mapping[str, Any],
    supersedes: int | UUID | None = None,
    saw_only: bool = False,
    device: str = "",
    waited: int = 0,
    account: Account | None = None,
    reason: str = "",
    card: TableCard | None = None,
) -> Mark:
    """Write the record of one place (``rules.read_record`` gives its form) and refold the match.

    ``supersedes``, by its id or its entry key, is the newest mark that the writer saw in that place. The new
    mark replaces it with all that stood there before it, or with ``saw_only`` it alone: a correction, an
    undo, or the choice between marks that differ. What the writer did not see stays: the new mark becomes an
    echo of it if they are equal, or else its rival: neither is lost, and the table is asked.

    ``waited`` is how many seconds it waited on the phone, as that reports.

    ``account`` is a director who rules, with a reason, also after the round is closed; only a director
    replaces what a director wrote. ``card`` is the card through which the writer came: the match is or was
    played there.

    Safe to repeat with the same ``entry_key``. The returned mark has its current match, with all its marks.

    Refuses: no_such_match, led_elsewhere; whatever ``read_record`` refuses; entry_key_reused, match_closed,
    match_over, director_only, number_skips, not_last_hand, no_such_mark, reason_required, reason_too_long.
    """
    match = lock_match(match_id, card=card)
    record = read_record(match.ruleset, hand)
    rows = _MARKS_QUERY.fetch_all(match=match.pk, key=entry_key)
    match.written_marks = [mark for mark in rows if mark.match_id == match.pk]
    flag_if_damaged(match)
    seen_mark = _find_seen_mark(match.written_marks, number, supersedes)
    earlier_mark = next((mark for mark in rows if mark.entry_key == entry_key), None)
    if earlier_mark is not None:
        return _check_repeated_mark(earlier_mark, match=match, number=number, record=record, supersedes=seen_mark)
    if supersedes is not None and seen_mark is None:
        raise Refusal("no_such_mark", field="supersedes")
    reason = clean_reason(reason, is_required=account is not None)
    log = load_log(match)
    placement = place_mark(log, number, record, supersedes=seen_mark, saw_only=saw_only)
    if placement.changes_place:
        if account is None:
            check_table_can_write(match, record, placement.replaced_marks)
        if placement.status != MarkStatus.ECHO:
            check_fits(log, number, is_over=match.is_over)
    mark = write_mark(
        match,
        log,
        record,
        placement,
        number=number,
        entry_key=entry_key,
        supersedes=seen_mark,
        saw_only=saw_only,
        waited=compute_late_wait(waited, match),
        reason=reason,
        device=clean_device_name(device),
        account=account,
    )
    if placement.changes_place:
        if account is None and not mark.helper and mark.device:
            match.scorekeeper = match.scorekeeper.record_mark(mark.device)
        save_change(match, log=log)
    return mark


def write_mark(match: Match, log: Log[Mark], record: Record, placement: Placement[Mark], **columns: Any) -> Mark:
    """Write a placed mark of a locked match, and add it to the log."""
    write_statuses([placement])
    mark = Mark(match=match, record_data=record_to_json(record), status=placement.status, **columns)
    append_mark(match, mark)
    if placement.changes_place:
        log.add(mark, record, placement)
    return mark


def append_mark(match: Match, mark: Mark) -> None:
    """Write a mark at the end of the log, with its digest."""
    add_digests(match.written_marks, [mark])
    mark.save(force_insert=True)
    match.written_marks.append(mark)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetHand:
    """A hand of an imported sheet: its place in the match, its plain record, and its entry key."""

    number: int
    entry_key: UUID
    record_data: Mapping[str, Any]


@transaction.atomic
def record_hands(*, match_id: int, hands: Iterable[SheetHand], device: str = "") -> None:
    """Write the hands of a sheet, in order, and refold the match once.

    Each is placed as ``record_hand`` places the mark of a table that saw nothing there. Safe to repeat with
    the same keys.

    Refuses: what ``record_hand`` refuses of a table; then none of them is written.
    """
    match = lock_match(match_id)
    flag_if_damaged(match)
    existing_keys = {mark.entry_key for mark in match.written_marks}
    log, state = load_log(match), None
    new_marks: list[Mark] = []
    placements: list[Placement[Mark]] = []
    for hand in hands:
        if hand.entry_key in existing_keys:
            continue
        record = read_record(match.ruleset, hand.record_data)
        placement = place_mark(log, hand.number, record, supersedes=None)
        if placement.changes_place:
            check_table_can_write(match, record, placement.replaced_marks)
            state = state or fold_match(match, log.places)
            check_fits(log, hand.number, is_over=state.is_over)
        mark = Mark(
            match=match,
            number=hand.number,
            entry_key=hand.entry_key,
            record_data=record_to_json(record),
            status=placement.status,
            device=clean_device_name(device),
        )
        new_marks.append(mark)
        placements.append(placement)
        log.add(mark, record, placement)
        follows = placement.status == MarkStatus.CURRENT and hand.number == log.last_number and not log.rivals
        state = state.add_record(hand.number, record) if state is not None and follows else None
    write_statuses(placements)
    add_digests(match.written_marks, new_marks)
    match.written_marks += Mark.objects.bulk_create(new_marks)
    if any(placement.changes_place for placement in placements):
        save_change(match, log=log)


LATE_SECONDS = 60
"""Seconds on a phone after which an entry is late."""


def compute_late_wait(reported: int, match: Match) -> int:
    """Limit a reported wait to how long the match has been open; 0 if not late. Phone clocks may be wrong."""
    wait = limit_wait(reported, match)
    return wait if wait >= LATE_SECONDS else 0


def limit_wait(reported: int, match: Match) -> int:
    """Limit a reported wait to how long the match has been open."""
    return min(reported, int((timezone.now() - match.opened_at).total_seconds()))


def clean_reason(reason: str, *, is_required: bool, field: str = "reason") -> str:
    """Return the cleaned reason. Refuses: reason_required, reason_too_long."""
    reason = clean_text(reason)
    if len(reason) > REASON_LENGTH:
        raise Refusal("reason_too_long", field=field, most=REASON_LENGTH)
    if is_required and not reason:
        raise Refusal("reason_required", field=field)
    return reason


def clean_device_name(device: str) -> str:
    """Return the name of a device in the form that is stored."""
    return clean_text(device)[:DEVICE_LENGTH]


def _find_seen_mark(marks: Iterable[Mark], number: int, supersedes: int | UUID | None) -> Mark | None:
    """Return the mark of that place that the writer saw; None if there is no such mark."""
    return next((mark for mark in marks if mark.number == number and supersedes in (mark.pk, mark.entry_key)), None)


def write_statuses(placements: Iterable[Placement[Mark]]) -> None:
    """Write the status changes of existing marks. Replaced marks go first, so that a place never has two
    current marks."""
    ids_by_status: dict[MarkStatus, list[int]] = {}
    for placement in placements:
        for mark, status in placement.iter_status_changes():
            mark.status = status
            ids_by_status.setdefault(status, []).append(mark.pk)
    for status in (MarkStatus.SUPERSEDED, MarkStatus.RIVAL, MarkStatus.CURRENT):
        if status in ids_by_status:
            Mark.objects.filter(pk__in=ids_by_status[status]).update(status=status)


def _check_repeated_mark(mark: Mark, *, match: Match, number: int, record: Record, supersedes: Mark | None) -> Mark:
    """Return the mark that the first call with this key wrote, if this call says the same."""
    first_values = mark.match_id, mark.number, mark.record_data, mark.supersedes_id
    if first_values != (match.pk, number, record_to_json(record), supersedes and supersedes.pk):
        raise Refusal("entry_key_reused", field="entry_key")
    mark.match = match
    return mark


def check_table_can_write(match: Match, record: Record, replaced: Iterable[Mark]) -> None:
    """Check that a table may write this: what was played, while the round lasts.

    Awards, ending a match that has no clock, and replacing a director's mark are for a director; a place that
    a director freed is free. Refuses: director_only, match_closed.
    """
    directors_marks = [mark for mark in replaced if mark.is_directors and mark.record_data["kind"] != UndoneRecord.kind]
    if is_ruling(record, match.match_format) or directors_marks:
        raise Refusal("director_only", field="kind")
    if match.closed_at is not None:
        raise Refusal("match_closed", field="hand")
