"""The rules of a match's log: what becomes of a new mark, and what stands once all are written.

They look at nothing but the marks themselves, so that a log can be followed wherever it was read from.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from rules import MatchFormat, Record, Refusal, Ruleset, TimeCalled, Undone, plain_record, read_record

from .models import MarkStatus

STANDING = (MarkStatus.CURRENT, MarkStatus.RIVAL)


class LogLine(Protocol):
    """A line of a log, as its rules see it; ``pk`` is what a later line says it supersedes.

    (``Any``, since the columns of a model are descriptors, which match no protocol.)
    """

    @property
    def pk(self) -> Any: ...
    @property
    def number(self) -> Any: ...
    @property
    def status(self) -> Any: ...
    @property
    def record_data(self) -> Any: ...


_Written = TypeVar("_Written", bound=LogLine)


@dataclass(slots=True)
class Log(Generic[_Written]):
    """The marks of a match by place. ``standing`` ones count, unless the place has ``rivals``: then it waits
    until the table has chosen. ``undone`` places are free again."""

    standing: dict[int, tuple[_Written, Record]] = field(default_factory=dict)
    undone: dict[int, _Written] = field(default_factory=dict)
    rivals: dict[int, list[_Written]] = field(default_factory=dict)

    def add(self, mark: _Written, record: Record) -> None:
        """Takes in the next mark: a rival stands beside what is there, a current one takes its place."""
        if mark.status == MarkStatus.RIVAL:
            self.rivals.setdefault(mark.number, []).append(mark)
        elif mark.status == MarkStatus.CURRENT:
            self.rivals.pop(mark.number, None)
            self.undone.pop(mark.number, None)
            self.standing.pop(mark.number, None)
            if isinstance(record, Undone):
                self.undone[mark.number] = mark
            else:
                self.standing[mark.number] = mark, record

    @property
    def last_number(self) -> int:
        """The highest place that is taken; 0 on an empty sheet."""
        return max(self.standing, default=0)

    @property
    def next_number(self) -> int:
        return self.last_number + 1

    def marks_at(self, number: int) -> list[_Written]:
        """What stands in a place, oldest first: one mark, or those that differ; an undo where it is free."""
        first = self.standing[number][0] if number in self.standing else self.undone.get(number)
        return ([] if first is None else [first]) + self.rivals.get(number, [])

    @property
    def places(self) -> list[tuple[int, Record]]:
        """What counts, for the fold."""
        return [
            (number, record) for number, (_, record) in self.standing.items() if number not in self.rivals
        ]


def read_log(marks: Iterable[_Written], ruleset: Ruleset) -> Log[_Written]:
    """The log of these marks, which come in the order in which they were made."""
    log: Log[_Written] = Log()
    for mark in marks:
        if mark.status in STANDING:
            log.add(mark, read_record(ruleset, mark.record_data))
    return log


def is_ruling(record: Record, match_format: MatchFormat) -> bool:
    """Whether it is for a director to write: an award, or the end of a match that only games won can end."""
    return bool(getattr(record, "awarded", False)) or (
        isinstance(record, TimeCalled) and not match_format.may_stop_in_a_game
    )


def seen_in(marks: Iterable[_Written], number: int, supersedes: int | None) -> _Written | None:
    """The mark of that place that the writer saw there. Refuses: no_such_mark."""
    seen = next((mark for mark in marks if (mark.pk, mark.number) == (supersedes, number)), None)
    if supersedes is not None and seen is None:
        raise Refusal("no_such_mark", field="supersedes")
    return seen


def status_in(log: Log[_Written], number: int, record: Record, seen: _Written | None) -> MarkStatus:
    """What becomes of a new mark: it counts where the place is free, where its writer saw all that stands
    there, and where it chooses among marks that differ.

    Refuses: no_such_mark, for an undo where nothing was marked.
    """
    if number not in log.standing:
        if not isinstance(record, Undone):
            return MarkStatus.CURRENT
        if number in log.undone:
            return MarkStatus.ECHO
        raise Refusal("no_such_mark", field="number")
    here = [mark.record_data for mark in log.marks_at(number)]
    is_said = plain_record(record) in here
    has_seen = seen is not None and seen.record_data in (here if is_said else here[-1:])
    if has_seen and (len(here) > 1 or not is_said):
        return MarkStatus.CURRENT
    return MarkStatus.ECHO if is_said else MarkStatus.RIVAL


def check_fits(log: Log[_Written], number: int, record: Record, *, is_over: bool) -> None:
    """Marks follow one another without a gap until the match is over; only the last one is undone.

    Refuses: not_last_hand, number_skips, match_over.
    """
    if number in log.standing:
        if isinstance(record, Undone) and number != log.last_number:
            raise Refusal("not_last_hand", field="number", last=log.last_number)
    elif number != log.next_number:
        raise Refusal("number_skips", field="number", expected=log.next_number)
    elif is_over:
        raise Refusal("match_over", field="hand")
