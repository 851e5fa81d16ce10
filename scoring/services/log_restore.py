"""Restoring of hands from phones, if the server lacks a part of a match that a phone has saved."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from uuid import UUID

from django.db import transaction

from errors import Refusal
from rules import Record, read_record, record_to_json
from scoring.fold import fold_match, log_of
from scoring.log_chain import ChainedMark, in_utc
from scoring.log_values import MarkStatus
from scoring.logs import Log, Placement, check_fits, place_mark
from scoring.models import AT_DESK, BROUGHT_BACK, Agreement, Mark, Match
from scoring.phone_logs import PhoneLog, PhoneLogAgreement, PhoneLogLine
from scoring.queries import is_recorded
from web.names import NAME_LENGTH

from .chains import RECORD, log_chain_of, note_if_damaged
from .log_repair import restore_marks
from .marks import append_mark, check_table_may_write, device_name, write_statuses
from .match_changes import lock_match, save_change


@transaction.atomic
def bring_back_log(*, match_id: int, kept: PhoneLog, device: str = "") -> dict[UUID, Refusal]:
    """Restore the marks of a saved log that the match lacks, in their order and under their keys.

    They are placed as ``record_hand`` placed them originally. Then the agreements are restored, and the first
    dealer if none is named. Safe to repeat, and in parts.

    Marks that a disk has damaged are repaired, as far as their digests prove what was written.

    If the log is sealed, a director's marks remain the director's; from an unsealed log they are not taken.
    Returns why, by key, for each mark that was not taken.
    """
    match = lock_match(match_id)
    note_if_damaged(match)
    if match.is_damaged:
        restore_marks(match, _copies(match, kept))
    marks = {mark.entry_key: mark for mark in match.written_marks}
    log = log_of(match)
    not_taken: dict[UUID, Refusal] = {}
    is_changed = False
    for line in kept.lines:
        if line.key in marks:
            continue
        try:
            mark, changes_place = _write(match, log, marks, line, kept=kept, device=device)
        except Refusal as refusal:
            not_taken[line.key] = refusal
        else:
            marks[line.key] = mark
            is_changed = is_changed or changes_place
    is_named = _name_dealer(match, kept.first_dealer)
    is_agreed = _write_agreements(match, kept.agreements, device)
    if is_changed or is_named or is_agreed:
        save_change(match, log=log if is_changed else None)
    return not_taken


def _copies(match: Match, kept: PhoneLog) -> list[ChainedMark]:
    """Return the marks of a saved log, with what no phone has of them as it is here."""
    here = {each.key: each for each in log_chain_of(match)}
    return [
        replace(
            here[line.key.hex],
            number=line.number,
            record=RECORD.to_stored(dict(line.record)),
            supersedes=None if line.supersedes is None else line.supersedes.hex,
            saw_only=line.saw_only,
            at=in_utc(line.created_at),
        )
        for line in kept.lines
        if line.key.hex in here
    ]


def _write(
    match: Match,
    log: Log[Mark],
    marks: Mapping[UUID, Mark],
    line: PhoneLogLine,
    *,
    kept: PhoneLog,
    device: str,
) -> tuple[Mark, bool]:
    """Write a mark; return it, and whether it changes its place.

    If its writer saw marks that are not restored yet, it is placed as if they had not been seen.
    """
    if is_recorded(line.key):
        raise Refusal("entry_key_reused", field="entry_key")
    record = read_record(match.ruleset, line.record)
    seen = None if line.supersedes is None else marks.get(line.supersedes)
    seen = seen if seen is not None and seen.number == line.number else None
    unseen = [mark for mark in log.marks_at(line.number) if not kept.has(mark.entry_key)]
    placement = place_mark(log, line.number, record, supersedes=seen, saw_only=line.saw_only, unseen=unseen)
    _check(match, log, line, record, placement, is_sealed=kept.is_sealed)
    write_statuses([placement])
    mark = Mark(
        match=match,
        number=line.number,
        entry_key=line.key,
        record_data=record_to_json(record),
        status=placement.status,
        supersedes=seen,
        saw_only=line.saw_only,
        device=_device_of(line, kept=kept, bringer=device),
        written_by=(line.director or "")[:NAME_LENGTH],
        created_at=line.created_at,
    )
    append_mark(match, mark)
    log.take(mark, record, placement)
    return mark, placement.changes_place


def _check(
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
        check_table_may_write(match, record, placement.replaced)
    if placement.status != MarkStatus.ECHO:
        check_fits(log, line.number, is_over=fold_match(match, log.places).is_over)


def _device_of(line: PhoneLogLine, *, kept: PhoneLog, bringer: str) -> str:
    """Return the device of a restored mark: the phone itself if it wrote it, else the restoring phone."""
    if line.is_own:
        return device_name(bringer)
    if line.helper and kept.is_sealed:
        return device_name(f"{AT_DESK}{line.helper}")
    return device_name(f"{BROUGHT_BACK}{bringer}")


def _name_dealer(match: Match, seat: int) -> bool:
    """Name the first dealer if nobody has done so yet, and return whether this did."""
    is_news = match.first_dealer is None and 0 < seat < match.ruleset.seats and match.closed_at is None
    if is_news:
        match.first_dealer = seat
    return is_news


def _write_agreements(match: Match, kept: Iterable[PhoneLogAgreement], device: str) -> bool:
    """Write the agreements as they were given; each holds if its game has that result, now or after more
    restoring."""
    news = [
        Agreement.objects.get_or_create(
            match=match,
            game=each.game,
            side=each.side.value,
            agreed_to=each.agreed_to,
            defaults={"device": device_name(f"{BROUGHT_BACK}{device}"), "created_at": each.created_at},
        )[1]
        for each in kept
    ]
    return any(news)
