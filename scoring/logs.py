"""The rules of a match's log: where a new mark goes, and which marks count once all are written.

They need nothing but the marks themselves, so a log can be checked wherever it was read from.
``static/js/table/log.js`` has the same rules for phones without a network; both are tested by
``tests/vectors/logs.json``.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from errors import Refusal
from rules import MatchFormat, Misdeal, Record, Ruleset, TimeCalled, Undone, VoidHand

from .log_values import MarkStatus
from .stored_values import reader_of_records

STANDING = (MarkStatus.CURRENT, MarkStatus.RIVAL)

_DEALT_AGAIN = (Misdeal, VoidHand)


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


_Written = TypeVar("_Written", bound=LogLine)


Value = tuple[_Written, Record]
"""A mark with its record."""


@dataclass(slots=True)
class Log(Generic[_Written]):
    """The marks of a match by place, without those replaced by somebody who had seen them. ``standing`` marks
    count, unless the place has ``rivals``: then it waits until the table has chosen. ``undone`` places are
    free again. ``echoes`` repeat an earlier mark."""

    standing: dict[int, Value[_Written]] = field(default_factory=dict)
    undone: dict[int, _Written] = field(default_factory=dict)
    rivals: dict[int, list[Value[_Written]]] = field(default_factory=dict)
    echoes: dict[int, list[Value[_Written]]] = field(default_factory=dict)

    def take(self, mark: _Written, record: Record, placement: "Placement[_Written]") -> None:
        """Add a mark as it was placed; an echo goes only beside the mark that it repeats."""
        gone = [*placement.replaced, *(each for each, _ in placement.stay)]
        echoes = [value for value in self.echoes.get(mark.number, []) if value[0] not in gone]
        is_echo = placement.status == MarkStatus.ECHO
        self.echoes[mark.number] = [*echoes, (mark, record)] if is_echo else echoes
        if placement.changes_place:
            self.put(mark.number, placement.stay if is_echo else [*placement.stay, (mark, record)])

    def put(self, number: int, values: Iterable[Value[_Written]]) -> None:
        """Set the marks of a place, replacing all others there. An undo beside a hand is one of the choices;
        only alone does it free the place."""
        ordered = sorted(values, key=_is_undo)
        for place in (self.standing, self.undone, self.rivals):
            place.pop(number, None)
        first, *others = ordered
        if isinstance(first[1], Undone):
            self.undone[number] = first[0]
        else:
            self.standing[number] = first
        if others:
            self.rivals[number] = others

    @property
    def last_number(self) -> int:
        """The highest taken place; 0 on an empty sheet."""
        return max(self.standing, default=0)

    @property
    def next_number(self) -> int:
        return self.last_number + 1

    def values_at(self, number: int) -> list[Value[_Written]]:
        """Return the marks of a place with their records: one, or several that differ; an undo if it is
        free."""
        if number in self.standing:
            return [self.standing[number], *self.rivals.get(number, [])]
        return [(self.undone[number], Undone())] if number in self.undone else []

    def marks_at(self, number: int) -> list[_Written]:
        """Return the marks of a place; the first one counts, unless it has rivals."""
        return [mark for mark, _ in self.values_at(number)]

    @property
    def last_dealt(self) -> int:
        """The place of the last hand that was played to its end; 0 before the first."""
        ended = (
            number for number, (_, record) in self.standing.items() if not isinstance(record, _DEALT_AGAIN)
        )
        return max(ended, default=0)

    @property
    def places(self) -> list[tuple[int, Record]]:
        """Places that count, for the fold."""
        return [
            (number, record) for number, (_, record) in self.standing.items() if number not in self.rivals
        ]

    @property
    def deals(self) -> list[tuple[int, Record]]:
        """Places of all hands dealt: those that count, and the first mark of each place still disputed."""
        return [(number, record) for number, (_, record) in self.standing.items()]


def read_log(marks: Iterable[_Written], ruleset: Ruleset) -> Log[_Written]:
    """Return the log of these marks, given in the order in which they were made."""
    log: Log[_Written] = Log()
    read = reader_of_records(ruleset)
    standing: dict[int, list[Value[_Written]]] = {}
    for mark in marks:
        if mark.status == MarkStatus.SUPERSEDED:
            continue
        by_number = log.echoes if mark.status == MarkStatus.ECHO else standing
        values = by_number.setdefault(mark.number, [])
        place = 0 if mark.status == MarkStatus.CURRENT else len(values)
        values.insert(place, (mark, read(mark.record_data)))
    for number, values in standing.items():
        log.put(number, values)
    return log


def is_ruling(record: Record, match_format: MatchFormat) -> bool:
    """Check whether only a director may write this: an award, or ending a match that only games won can
    end."""
    return bool(getattr(record, "awarded", False)) or (
        isinstance(record, TimeCalled) and not match_format.may_stop_in_a_game
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement(Generic[_Written]):
    """Placement of a new mark: its status, the marks that it replaces, those that stay beside it."""

    status: MarkStatus
    replaced: Sequence[_Written] = ()
    stay: Sequence[Value[_Written]] = ()

    @property
    def changes_place(self) -> bool:
        return self.status != MarkStatus.ECHO or bool(self.replaced)

    def statuses(self) -> Iterator[tuple[_Written, MarkStatus]]:
        """Yield the existing marks whose status changes, with the new status."""
        for mark in self.replaced:
            yield mark, MarkStatus.SUPERSEDED
        for place, (mark, _) in enumerate(self.stay):
            is_first = place == 0 and self.status != MarkStatus.CURRENT
            status = MarkStatus.CURRENT if is_first else MarkStatus.RIVAL
            if mark.status != status:
                yield mark, status


def place_mark(
    log: Log[_Written],
    number: int,
    record: Record,
    *,
    supersedes: LogLine | None = None,
    saw_only: bool = False,
    unseen: Collection[LogLine] = (),
) -> Placement[_Written]:
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
    if number not in log.standing:
        return _placed_on_free(log, number, record)
    here = log.values_at(number)
    if len(here) == 1 and here[0][1] == record:
        return Placement(status=MarkStatus.ECHO)
    seen, stay = _seen_and_unseen(log, number, record, supersedes, saw_only=saw_only, unseen=unseen)
    is_first = all(map(_is_undo, stay))
    takes_only_its_own = isinstance(record, Undone) and saw_only and not is_first
    is_echo = takes_only_its_own or record in [said for _, said in stay]
    frees_place = isinstance(record, Undone) and (is_first or not is_echo)
    if frees_place and number != log.last_number:
        raise Refusal("not_last_hand", field="number", last=log.last_number)
    if is_echo:
        return Placement(status=MarkStatus.ECHO, replaced=seen, stay=stay)
    return Placement(status=MarkStatus.CURRENT if is_first else MarkStatus.RIVAL, replaced=seen, stay=stay)


def _placed_on_free(log: Log[_Written], number: int, record: Record) -> Placement[_Written]:
    """Place a mark on a free place. Undoing what is already undone changes nothing; anything else takes the
    place."""
    if not isinstance(record, Undone):
        return Placement(status=MarkStatus.CURRENT, replaced=log.marks_at(number))
    if number in log.undone:
        return Placement(status=MarkStatus.ECHO)
    raise Refusal("no_such_mark", field="number")


def _seen_and_unseen(
    log: Log[_Written],
    number: int,
    record: Record,
    supersedes: LogLine | None,
    *,
    saw_only: bool,
    unseen: Collection[LogLine],
) -> tuple[list[_Written], list[Value[_Written]]]:
    """Split the marks of a place into those that the writer of the next one saw, and those that stay.

    A page shows all that was written before it was loaded. If more was written since, a record that equals
    one there is still a choice among those seen; any other record waits beside all of them. If a phone
    replaces its own mark, an echo of it from another phone stays: that phone still says so.
    """
    everything = log.values_at(number)
    here = [value for value in everything if value[0] not in unseen]
    apart = [value for value in everything if value[0] in unseen]
    if supersedes is None:
        return [], everything
    if not saw_only:
        shown = [mark for mark, _ in here if mark.pk <= supersedes.pk or _says_the_same(mark, supersedes)]
        is_choice = len(shown) == len(here) or record in [said for _, said in here]
        unshown = [value for value in everything if value[0] not in shown]
        return (shown, unshown) if is_choice else ([], everything)
    echoes = log.echoes.get(number, [])
    seen = [mark for mark, _ in (*here, *echoes) if mark.pk == supersedes.pk]
    stay = [value for value in here if value[0] not in seen]
    if len(stay) < len(here):
        stay += [value for value in echoes if _repeats(value[0], supersedes)][:1]
    return seen, sorted([*stay, *apart], key=lambda value: (_is_undo(value), value[0].pk))


def _repeats(mark: LogLine, earlier: LogLine) -> bool:
    return bool(mark.pk > earlier.pk) and _says_the_same(mark, earlier)


def _says_the_same(mark: LogLine, other: LogLine) -> bool:
    return bool(mark.record_data == other.record_data)


def _is_undo(value: Value[Any]) -> bool:
    return isinstance(value[1], Undone)


def check_fits(log: Log[_Written], number: int, *, is_over: bool) -> None:
    """Check that marks follow one another without a gap until the match is over. Refuses: number_skips,
    match_over."""
    if number in log.standing:
        return
    if number != log.next_number:
        raise Refusal("number_skips", field="number", expected=log.next_number)
    if is_over:
        raise Refusal("match_over", field="hand")
