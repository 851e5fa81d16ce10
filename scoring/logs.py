"""The rules of a match's log: where a new mark goes, and which marks count once all are written.

They need nothing but the marks themselves, so a log can be checked wherever it was read from.
``static/js/table/log.js`` has the same rules for phones without a network; both are tested by
``tests/vectors/logs.json``.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from errors import Refusal
from rules import MatchFormat, Misdeal, Record, Ruleset, TimeCall, UndoneRecord, VoidHand

from .log_values import MarkStatus
from .stored_values import get_record_reader

ACTIVE_STATUSES = (MarkStatus.CURRENT, MarkStatus.RIVAL)

_REDEALT_RECORDS = (Misdeal, VoidHand)


class LogLine(Protocol):
    """A line of a log, as its rules see it; ``pk`` rises in the order in which lines were written.

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


_LineT = TypeVar("_LineT", bound=LogLine)


Value = tuple[_LineT, Record]
"""A mark with its record."""


@dataclass(slots=True)
class Log(Generic[_LineT]):
    """The marks of a match by place, without those replaced by somebody who had seen them. ``active`` marks
    count, unless the place has ``rivals``: then it waits until the table has chosen. ``undone`` places are
    free again. ``echoes`` repeat an earlier mark."""

    active: dict[int, Value[_LineT]] = field(default_factory=dict)
    undone: dict[int, _LineT] = field(default_factory=dict)
    rivals: dict[int, list[Value[_LineT]]] = field(default_factory=dict)
    echoes: dict[int, list[Value[_LineT]]] = field(default_factory=dict)

    def add(self, mark: _LineT, record: Record, placement: "Placement[_LineT]") -> None:
        """Add a mark as it was placed; an echo goes only beside the mark that it repeats."""
        removed = [*placement.replaced_marks, *(each for each, _ in placement.remaining_values)]
        echoes = [value for value in self.echoes.get(mark.number, []) if value[0] not in removed]
        is_echo = placement.status == MarkStatus.ECHO
        self.echoes[mark.number] = [*echoes, (mark, record)] if is_echo else echoes
        if placement.changes_place:
            self.set_place(
                mark.number, placement.remaining_values if is_echo else [*placement.remaining_values, (mark, record)]
            )

    def set_place(self, number: int, values: Iterable[Value[_LineT]]) -> None:
        """Set the marks of a place, replacing all others there. An undo beside a hand is one of the choices;
        only alone does it free the place."""
        ordered_values = sorted(values, key=_is_undo)
        for place in (self.active, self.undone, self.rivals):
            place.pop(number, None)
        first, *others = ordered_values
        if isinstance(first[1], UndoneRecord):
            self.undone[number] = first[0]
        else:
            self.active[number] = first
        if others:
            self.rivals[number] = others

    @property
    def last_number(self) -> int:
        """The highest taken place; 0 on an empty sheet."""
        return max(self.active, default=0)

    @property
    def next_number(self) -> int:
        return self.last_number + 1

    def get_values(self, number: int) -> list[Value[_LineT]]:
        """Return the marks of a place with their records: one, or several that differ; an undo if it is
        free."""
        if number in self.active:
            return [self.active[number], *self.rivals.get(number, [])]
        return [(self.undone[number], UndoneRecord())] if number in self.undone else []

    def get_marks(self, number: int) -> list[_LineT]:
        """Return the marks of a place; the first one counts, unless it has rivals."""
        return [mark for mark, _ in self.get_values(number)]

    @property
    def last_played_number(self) -> int:
        """The place of the last hand that was played to its end; 0 before the first."""
        numbers = (number for number, (_, record) in self.active.items() if not isinstance(record, _REDEALT_RECORDS))
        return max(numbers, default=0)

    @property
    def places(self) -> list[tuple[int, Record]]:
        """Places that count, for the fold."""
        return [(number, record) for number, (_, record) in self.active.items() if number not in self.rivals]

    @property
    def deals(self) -> list[tuple[int, Record]]:
        """Places of all hands dealt: those that count, and the first mark of each place still disputed."""
        return [(number, record) for number, (_, record) in self.active.items()]


def read_log(marks: Iterable[_LineT], ruleset: Ruleset) -> Log[_LineT]:
    """Return the log of these marks, given in the order in which they were made."""
    log: Log[_LineT] = Log()
    read = get_record_reader(ruleset)
    active: dict[int, list[Value[_LineT]]] = {}
    for mark in marks:
        if mark.status == MarkStatus.SUPERSEDED:
            continue
        target = log.echoes if mark.status == MarkStatus.ECHO else active
        values = target.setdefault(mark.number, [])
        place = 0 if mark.status == MarkStatus.CURRENT else len(values)
        values.insert(place, (mark, read(mark.record_data)))
    for number, values in active.items():
        log.set_place(number, values)
    return log


def is_ruling(record: Record, match_format: MatchFormat) -> bool:
    """Check whether only a director may write this: an award, or ending a match that only games won can
    end."""
    return bool(getattr(record, "awarded", False)) or (
        isinstance(record, TimeCall) and not match_format.may_stop_in_a_game
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement(Generic[_LineT]):
    """Placement of a new mark: its status, the marks that it replaces, those that stay beside it."""

    status: MarkStatus
    replaced_marks: Sequence[_LineT] = ()
    remaining_values: Sequence[Value[_LineT]] = ()

    @property
    def changes_place(self) -> bool:
        return self.status != MarkStatus.ECHO or bool(self.replaced_marks)

    def iter_status_changes(self) -> Iterator[tuple[_LineT, MarkStatus]]:
        """Yield the existing marks whose status changes, with the new status."""
        for mark in self.replaced_marks:
            yield mark, MarkStatus.SUPERSEDED
        for place, (mark, _) in enumerate(self.remaining_values):
            is_first = place == 0 and self.status != MarkStatus.CURRENT
            status = MarkStatus.CURRENT if is_first else MarkStatus.RIVAL
            if mark.status != status:
                yield mark, status


def place_mark(
    log: Log[_LineT],
    number: int,
    record: Record,
    *,
    supersedes: LogLine | None = None,
    saw_only: bool = False,
    unseen: Collection[LogLine] = (),
) -> Placement[_LineT]:
    """Place a new mark: it replaces what its writer saw there.

    Marks that nobody who saw them has replaced stay, and the table chooses
    (docs/decisions/0001-keep-two-conflicting-marks.md).

    ``supersedes`` is the newest mark that the writer saw in that place, on a page of the server, which shows
    all the marks there. A phone that replaces its own mark before the server has answered ``saw_only`` that
    one; if it undoes it, another phone's hand stays as it is. ``unseen`` marks were written when the page
    could not know them: whatever the new mark replaces, they stay.

    Refuses: no_such_mark, for an undo where nothing was marked; not_last_hand, for one that would leave a
    place free between others.
    """
    if number not in log.active:
        return _place_on_free(log, number, record)
    values = log.get_values(number)
    if len(values) == 1 and values[0][1] == record:
        return Placement(status=MarkStatus.ECHO)
    seen_marks, remaining = _split_seen_marks(log, number, record, supersedes, saw_only=saw_only, unseen=unseen)
    is_first = all(map(_is_undo, remaining))
    is_own_undo = isinstance(record, UndoneRecord) and saw_only and not is_first
    is_echo = is_own_undo or record in [other for _, other in remaining]
    frees_place = isinstance(record, UndoneRecord) and (is_first or not is_echo)
    if frees_place and number != log.last_number:
        raise Refusal("not_last_hand", field="number", last=log.last_number)
    if is_echo:
        return Placement(status=MarkStatus.ECHO, replaced_marks=seen_marks, remaining_values=remaining)
    return Placement(
        status=MarkStatus.CURRENT if is_first else MarkStatus.RIVAL,
        replaced_marks=seen_marks,
        remaining_values=remaining,
    )


def _place_on_free(log: Log[_LineT], number: int, record: Record) -> Placement[_LineT]:
    """Place a mark on a free place. Undoing what is already undone changes nothing; anything else takes the
    place."""
    if not isinstance(record, UndoneRecord):
        return Placement(status=MarkStatus.CURRENT, replaced_marks=log.get_marks(number))
    if number in log.undone:
        return Placement(status=MarkStatus.ECHO)
    raise Refusal("no_such_mark", field="number")


def _split_seen_marks(
    log: Log[_LineT],
    number: int,
    record: Record,
    supersedes: LogLine | None,
    *,
    saw_only: bool,
    unseen: Collection[LogLine],
) -> tuple[list[_LineT], list[Value[_LineT]]]:
    """Split the marks of a place into those that the writer of the next one saw, and those that stay.

    A page shows all that was written before it was loaded. If more was written since, a record that equals
    one there is still a choice among those seen; any other record waits beside all of them. If a phone
    replaces its own mark, an echo of it from another phone stays: that phone still says so.
    """
    all_values = log.get_values(number)
    known_values = [value for value in all_values if value[0] not in unseen]
    unseen_values = [value for value in all_values if value[0] in unseen]
    if supersedes is None:
        return [], all_values
    if not saw_only:
        shown_marks = [
            mark for mark, _ in known_values if mark.pk <= supersedes.pk or _has_same_record(mark, supersedes)
        ]
        is_choice = len(shown_marks) == len(known_values) or record in [other for _, other in known_values]
        other_values = [value for value in all_values if value[0] not in shown_marks]
        return (shown_marks, other_values) if is_choice else ([], all_values)
    echoes = log.echoes.get(number, [])
    seen_marks = [mark for mark, _ in (*known_values, *echoes) if mark.pk == supersedes.pk]
    remaining = [value for value in known_values if value[0] not in seen_marks]
    if len(remaining) < len(known_values):
        remaining += [value for value in echoes if _is_repeat(value[0], supersedes)][:1]
    return seen_marks, sorted([*remaining, *unseen_values], key=lambda value: (_is_undo(value), value[0].pk))


def _is_repeat(mark: LogLine, earlier: LogLine) -> bool:
    return bool(mark.pk > earlier.pk) and _has_same_record(mark, earlier)


def _has_same_record(mark: LogLine, other: LogLine) -> bool:
    return bool(mark.record_data == other.record_data)


def _is_undo(value: Value[Any]) -> bool:
    return isinstance(value[1], UndoneRecord)


def check_fits(log: Log[_LineT], number: int, *, is_over: bool) -> None:
    """Check that marks follow one another without a gap until the match is over. Refuses: number_skips,
    match_over."""
    if number in log.active:
        return
    if number != log.next_number:
        raise Refusal("number_skips", field="number", expected=log.next_number)
    if is_over:
        raise Refusal("match_over", field="hand")
