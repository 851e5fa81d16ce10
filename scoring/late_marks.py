"""Late marks from a phone and their effect: the log with them, and as it would be without."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from errors import Refusal
from rules import MatchState

from .fold import fold_match, log_of
from .log_values import MarkStatus
from .logs import Log, check_fits, place_mark
from .models import Mark, Match


@dataclass(slots=True)
class _Line:
    """Copy of a mark of the log, with a status of its own."""

    pk: int
    number: int
    record_data: Any
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LateMarks:
    """The late entries of a match: its ``marks`` in order of arrival, and the match in three states.
    ``without`` them and ``with_them``, as its log was when the last of them arrived, and as it is ``now``."""

    match: Match
    marks: Sequence[Mark]
    without: MatchState
    with_them: MatchState
    now: MatchState


def late_marks_of(match: Match) -> LateMarks | None:
    """Return the late marks of a match, None if there are none. No query, if the match came with its
    marks."""
    late = [mark for mark in match.written_marks if mark.waited]
    if not late:
        return None
    until = [mark for mark in match.written_marks if mark.pk <= late[-1].pk]
    return LateMarks(
        match=match,
        marks=late,
        without=_state(match, until, but={mark.pk for mark in late}),
        with_them=_state(match, until),
        now=fold_match(match, log_of(match).places),
    )


def _state(match: Match, marks: Iterable[Mark], *, but: Collection[int] = ()) -> MatchState:
    return fold_match(match, _written_again(match, (mark for mark in marks if mark.pk not in but)).places)


def _written_again(match: Match, marks: Iterable[Mark]) -> Log[_Line]:
    """Rebuild the log from these marks, one after another. Marks that do not fit without the others are left
    out."""
    log: Log[_Line] = Log()
    lines: dict[int, _Line] = {}
    for mark in marks:
        record = mark.record(match.ruleset)
        seen = None if mark.supersedes_id is None else lines.get(mark.supersedes_id)
        try:
            placement = place_mark(log, mark.number, record, supersedes=seen, saw_only=mark.saw_only)
            if placement.status != MarkStatus.ECHO:
                check_fits(log, mark.number, is_over=False)
        except Refusal:
            continue
        line = _Line(mark.pk, mark.number, mark.record_data, placement.status)
        lines[mark.pk] = line
        for each, status in placement.statuses():
            each.status = status
        log.take(line, record, placement)
    return log
