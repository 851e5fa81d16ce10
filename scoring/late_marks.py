"""Late marks from a phone and their effect: the log with them, and as it would be without."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from errors import Refusal
from rules import MatchState

from .fold import fold_match, load_log
from .log_values import MarkStatus
from .logs import Log, check_fits, place_mark
from .models import Mark, Match


@dataclass(slots=True)
class _MarkCopy:
    """Copy of a mark of the log, with a status of its own."""

    pk: int
    number: int
    record_data: Any
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LateMarks:
    """The late entries of a match: its ``marks`` in order of arrival, and the match in three states.

    ``state_before`` is its state without them, ``state_after`` with them, both from the log at the time when
    the last of them arrived. ``current_state`` is its state now.
    """

    match: Match
    marks: Sequence[Mark]
    state_before: MatchState
    state_after: MatchState
    current_state: MatchState


def find_late_marks(match: Match) -> LateMarks | None:
    """Return the late marks of a match, None if there are none. No query, if the match came with its
    marks."""
    late_marks = [mark for mark in match.written_marks if mark.waited]
    if not late_marks:
        return None
    marks_then = [mark for mark in match.written_marks if mark.pk <= late_marks[-1].pk]
    return LateMarks(
        match=match,
        marks=late_marks,
        state_before=_fold_marks(match, marks_then, excluded={mark.pk for mark in late_marks}),
        state_after=_fold_marks(match, marks_then),
        current_state=fold_match(match, load_log(match).places),
    )


def _fold_marks(match: Match, marks: Iterable[Mark], *, excluded: Collection[int] = ()) -> MatchState:
    return fold_match(match, _rebuild_log(match, (mark for mark in marks if mark.pk not in excluded)).places)


def _rebuild_log(match: Match, marks: Iterable[Mark]) -> Log[_MarkCopy]:
    """Rebuild the log from these marks, one after another. Marks that do not fit without the others are left
    out."""
    log: Log[_MarkCopy] = Log()
    copies: dict[int, _MarkCopy] = {}
    for mark in marks:
        record = mark.record(match.ruleset)
        superseded = None if mark.supersedes_id is None else copies.get(mark.supersedes_id)
        try:
            placement = place_mark(log, mark.number, record, supersedes=superseded, saw_only=mark.saw_only)
            if placement.status != MarkStatus.ECHO:
                check_fits(log, mark.number, is_over=False)
        except Refusal:
            continue
        copy = _MarkCopy(mark.pk, mark.number, mark.record_data, placement.status)
        copies[mark.pk] = copy
        for changed_copy, status in placement.iter_status_changes():
            changed_copy.status = status
        log.add(copy, record, placement)
    return log
