"""Restoring of hands from phones, if the server lacks a part of a match that a phone has saved."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from uuid import UUID

from django.db import transaction

from errors import Refusal
from rules import Record, read_record, record_to_json
from scoring.fold import fold_match, load_log
from scoring.log_chain import ChainedMark, format_utc
from scoring.log_values import MarkStatus
from scoring.logs import Log, Placement, check_fits, place_mark
from scoring.models import DESK_PREFIX, RESTORED_PREFIX, Agreement, Mark, Match
from scoring.phone_logs import PhoneLog, PhoneLogAgreement, PhoneLogLine
from scoring.queries import is_recorded
from web.names import NAME_LENGTH

from .chains import RECORD, build_log_chain, flag_if_damaged
from .log_repair import restore_marks
from .marks import append_mark, check_table_can_write, clean_device_name, write_statuses
from .match_changes import lock_match, save_change


@transaction.atomic
def restore_log(*, match_id: int, phone_log: PhoneLog, device: str = "") -> dict[UUID, Refusal]:
    """Restore the marks of a saved log that the match lacks, in their order and under their keys.

    They are placed as ``record_hand`` placed them originally. Then the agreements are restored, and the first
    dealer if none is named. Safe to repeat, and in parts.

    Marks that a disk has damaged are repaired, as far as their digests prove what was written.

    If the log is sealed, a director's marks remain the director's; from an unsealed log they are not taken.
    Returns why, by key, for each mark that was not taken.
    """
    match = lock_match(match_id)
    flag_if_damaged(match)
    if match.is_damaged:
        restore_marks(match, _build_copies(match, phone_log))
    marks = {mark.entry_key: mark for mark in match.written_marks}
    log = load_log(match)
    refusals: dict[UUID, Refusal] = {}
    is_changed = False
    for line in phone_log.lines:
        if line.key in marks:
            continue
        try:
            mark, changes_place = _write_line(match, log, marks, line, phone_log=phone_log, device=device)
        except Refusal as refusal:
            refusals[line.key] = refusal
        else:
            marks[line.key] = mark
            is_changed = is_changed or changes_place
    is_dealer_named = _name_dealer(match, phone_log.first_dealer)
    is_agreed = _write_agreements(match, phone_log.agreements, device)
    if is_changed or is_dealer_named or is_agreed:
        save_change(match, log=log if is_changed else None)
    return refusals


def _build_copies(match: Match, phone_log: PhoneLog) -> list[ChainedMark]:
    """Return the marks of a saved log, with what no phone has of them as it is here."""
    marks_by_key = {mark.key: mark for mark in build_log_chain(match)}
    return [
        replace(
            marks_by_key[line.key.hex],
            number=line.number,
            record=RECORD.to_stored(dict(line.record)),
            supersedes=None if line.supersedes is None else line.supersedes.hex,
            saw_only=line.saw_only,
            at=format_utc(line.created_at),
        )
        for line in phone_log.lines
        if line.key.hex in marks_by_key
    ]


def _write_line(
    match: Match,
    log: Log[Mark],
    marks: Mapping[UUID, Mark],
    line: PhoneLogLine,
    *,
    phone_log: PhoneLog,
    device: str,
) -> tuple[Mark, bool]:
    """Write a mark; return it, and whether it changes its place.

    If its writer saw marks that are not restored yet, it is placed as if they had not been seen.
    """
    if is_recorded(line.key):
        raise Refusal("entry_key_reused", field="entry_key")
    record = read_record(match.ruleset, line.record)
    superseded = None if line.supersedes is None else marks.get(line.supersedes)
    superseded = superseded if superseded is not None and superseded.number == line.number else None
    unseen = [mark for mark in log.get_marks(line.number) if not phone_log.has_key(mark.entry_key)]
    placement = place_mark(log, line.number, record, supersedes=superseded, saw_only=line.saw_only, unseen=unseen)
    _check_line(match, log, line, record, placement, is_sealed=phone_log.is_sealed)
    write_statuses([placement])
    mark = Mark(
        match=match,
        number=line.number,
        entry_key=line.key,
        record_data=record_to_json(record),
        status=placement.status,
        supersedes=superseded,
        saw_only=line.saw_only,
        device=_get_device(line, phone_log=phone_log, restorer=device),
        written_by=(line.director or "")[:NAME_LENGTH],
        created_at=line.created_at,
    )
    append_mark(match, mark)
    log.add(mark, record, placement)
    return mark, placement.changes_place


def _check_line(
    match: Match,
    log: Log[Mark],
    line: PhoneLogLine,
    record: Record,
    placement: Placement[Mark],
    *,
    is_sealed: bool,
) -> None:
    """Check a restored mark by the rules for new ones. Refuses: director_only, match_closed, number_skips,
    match_over."""
    if line.director is not None and not is_sealed:
        raise Refusal("director_only", field="kind")
    if not placement.changes_place:
        return
    if line.director is None:
        check_table_can_write(match, record, placement.replaced_marks)
    if placement.status != MarkStatus.ECHO:
        check_fits(log, line.number, is_over=fold_match(match, log.places).is_over)


def _get_device(line: PhoneLogLine, *, phone_log: PhoneLog, restorer: str) -> str:
    """Return the device of a restored mark: the phone itself if it wrote it, else the restoring phone."""
    if line.is_own:
        return clean_device_name(restorer)
    if line.helper and phone_log.is_sealed:
        return clean_device_name(f"{DESK_PREFIX}{line.helper}")
    return clean_device_name(f"{RESTORED_PREFIX}{restorer}")


def _name_dealer(match: Match, seat: int) -> bool:
    """Name the first dealer if nobody has done so yet, and return whether this did."""
    is_unnamed = match.first_dealer is None and 0 < seat < match.ruleset.seats and match.closed_at is None
    if is_unnamed:
        match.first_dealer = seat
    return is_unnamed


def _write_agreements(match: Match, agreements: Iterable[PhoneLogAgreement], device: str) -> bool:
    """Write the agreements as they were given; each holds if its game has that result, now or after more
    restoring."""
    created = [
        Agreement.objects.get_or_create(
            match=match,
            game=each.game,
            side=each.side.value,
            agreed_to=each.agreed_to,
            defaults={"device": clean_device_name(f"{RESTORED_PREFIX}{device}"), "created_at": each.created_at},
        )[1]
        for each in agreements
    ]
    return any(created)
