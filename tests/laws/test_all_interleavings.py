"""Two phones and the desk: a model check of every order of their steps up to a depth.

``laws.test_two_phones`` runs long random orders against the real services; this test leaves out no short order.
The table is a value: the server's log and agreements, and for each phone its screen and its outbox.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import pytest

from errors import Refusal
from rules import CANADIAN, MatchState, Record, Side, fold, read_record, record_to_json
from scoring.fold import format_game_result
from scoring.logs import Log, check_fits, place_mark, read_log
from tests.builders import ONE_GAME, parse_hand
from tests.long_runs import choose_count

pytestmark = pytest.mark.slow

DEPTH = choose_count(6, long=8)
HANDS = ("A gros_charlemagne made", "B gros_charlemagne made", "undone")
DESK_HAND = "A 8 made"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogMark:
    """A mark: ``writer`` and ``count`` form its key; ``saw`` has the keys of the marks that its writer saw there."""

    pk: int
    writer: str
    count: int
    number: int
    text: str
    status: str
    supersedes: tuple[str, int] | None
    saw_only: bool
    saw: frozenset[tuple[str, int]]

    @property
    def key(self) -> tuple[str, int]:
        return self.writer, self.count

    @property
    def record_data(self) -> object:
        return to_json_record(self.text)


Lines = tuple[LogMark, ...]
Agreement = tuple[Side, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Phone:
    """A phone: the log on its screen, the keys of its newest marks, and its outbox."""

    name: str
    side: Side
    lines: Lines = ()
    own: frozenset[tuple[str, int]] = frozenset()
    queue: tuple[LogMark | Agreement, ...] = ()
    taps: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """State of the server and both phones; ``meant`` holds the results that the sides saw when they agreed."""

    lines: Lines = ()
    agreements: frozenset[Agreement] = frozenset()
    meant: frozenset[Agreement] = frozenset()
    phones: tuple[Phone, Phone] = (Phone(name="one", side=Side.A), Phone(name="other", side=Side.B))

    def replace_phone(self, phone: Phone, **more: object) -> Table:
        phones = tuple(phone if each.name == phone.name else each for each in self.phones)
        return replace(self, phones=phones, **more)  # type: ignore[arg-type]


@lru_cache
def record_of(text: str) -> Record:
    return read_record(CANADIAN, parse_hand(text))


@lru_cache
def to_json_record(text: str) -> object:
    return record_to_json(record_of(text))


def state_of(log: Log[LogMark]) -> MatchState:
    return fold(CANADIAN, ONE_GAME, log.places)


@lru_cache(maxsize=100_000)
def add_mark(lines: Lines, line: LogMark) -> Lines:
    """Return the log with one more mark, placed and refused as in ``record_hand``."""
    if any(each.key == line.key for each in lines):
        return lines
    log = read_log(lines, CANADIAN)
    seen = next((each for each in lines if each.key == line.supersedes), None)
    if line.supersedes is not None and seen is None:
        raise Refusal("no_such_mark")
    record = record_of(line.text)
    placement = place_mark(log, line.number, record, supersedes=seen, saw_only=line.saw_only)
    if placement.changes_place:
        ruled = any(each.writer == "desk" and each.text != "undone" for each in placement.replaced_marks)
        if ruled and line.writer != "desk":
            raise Refusal("director_only")
        if placement.status != "echo":
            check_fits(log, line.number, is_over=state_of(log).is_over)
    changed = {each.key: str(status) for each, status in placement.iter_status_changes()}
    before = (replace(each, status=changed.get(each.key, each.status)) for each in lines)
    return (*before, replace(line, pk=len(lines) + 1, status=str(placement.status)))


def tap_hand(table: Table, phone: Phone, text: str) -> Table | None:
    """Record the next hand, replace the last one or undo it; the phone shows it at once and queues it."""
    log = read_log(phone.lines, CANADIAN)
    is_next = text != "undone" and not state_of(log).is_over
    number = log.next_number if is_next else log.last_number
    if [line.text for line in log.get_marks(number)] == [text]:
        return None  # already on the screen
    line = build_mark(phone.lines, number, text, phone.name, phone.taps, own=phone.own)
    try:
        shown = add_mark(phone.lines, line)
    except Refusal:
        return None
    return table.replace_phone(
        replace(
            phone,
            lines=shown,
            own=phone.own | {line.key},
            queue=(*phone.queue, line),
            taps=phone.taps + 1,
        )
    )


def build_mark(
    lines: Lines, number: int, text: str, writer: str, count: int, *, own: frozenset[tuple[str, int]]
) -> LogMark:
    """Build a mark by a writer who sees this log."""
    there = read_log(lines, CANADIAN).get_marks(number)
    newest = max(there, key=lambda line: line.pk).key if there else None
    saw_only = newest in own
    saw = frozenset([newest] if saw_only and newest else (each.key for each in there))
    return LogMark(
        pk=0,
        writer=writer,
        count=count,
        number=number,
        text=text,
        status="current",
        supersedes=newest,
        saw_only=saw_only,
        saw=saw,
    )


def agree_to_game(table: Table, phone: Phone) -> Table | None:
    """Let the phone's side agree to the last game on its screen."""
    games = state_of(read_log(phone.lines, CANADIAN)).games
    if not games:
        return None
    agreement = phone.side, format_game_result(games[-1])
    return table.replace_phone(replace(phone, queue=(*phone.queue, agreement)), meant=table.meant | {agreement})


def send_first(table: Table, phone: Phone, *, is_lost: bool) -> Table | None:
    """Send the first item of the outbox; if the response is lost, the item stays queued."""
    if not phone.queue:
        return None
    first, *rest = phone.queue
    after = phone if is_lost else replace(phone, queue=tuple(rest))
    try:
        if isinstance(first, LogMark):
            return table.replace_phone(after, lines=add_mark(table.lines, first))
        games = state_of(read_log(table.lines, CANADIAN)).games
        if not games or format_game_result(games[-1]) != first[1]:
            raise Refusal("game_changed")
        return table.replace_phone(after, agreements=table.agreements | {first})
    except Refusal:
        return table.replace_phone(replace(phone, queue=tuple(rest)))


def receive_log(table: Table, phone: Phone) -> Table | None:
    """Load the server's log, unless the phone's outbox has items."""
    if phone.queue or phone.lines == table.lines:
        return None
    return table.replace_phone(replace(phone, lines=table.lines, own=frozenset()))


def correct_by_desk(table: Table) -> Table | None:
    """Correct the last hand at the desk, once in a sequence."""
    last = read_log(table.lines, CANADIAN).last_number
    count = sum(line.writer == "desk" for line in table.lines)
    if not last or count:
        return None
    return replace(
        table,
        lines=add_mark(table.lines, build_mark(table.lines, last, DESK_HAND, "desk", count, own=frozenset())),
    )


def iter_steps(table: Table) -> Iterator[Table]:
    for phone in table.phones:
        for text in HANDS:
            yield from filter(None, [tap_hand(table, phone, text)])
        yield from filter(
            None,
            [
                agree_to_game(table, phone),
                send_first(table, phone, is_lost=False),
                send_first(table, phone, is_lost=True),
                receive_log(table, phone),
            ],
        )
    yield from filter(None, [correct_by_desk(table)])


def check(table: Table) -> None:
    """Check the invariants that hold on the server after every step."""
    keys = [line.key for line in table.lines]
    assert len(keys) == len(set(keys)), "recorded once"
    log = read_log(table.lines, CANADIAN)
    for number in {line.number for line in table.lines}:
        current = [line for line in table.lines if line.number == number and line.status == "current"]
        assert len(current) <= 1, "one result counts"
        assert (len(current) == 1) == bool(log.get_values(number)), "and one stands, where any does"
    for line in table.lines:
        if line.status == "superseded" and line.text != "undone":
            after = [each for each in table.lines if each.pk > line.pk and each.number == line.number]
            says_it = {each.key for each in table.lines if each.text == line.text}
            assert any(each.saw & says_it for each in after), "replaced by somebody who saw what it says"
    assert table.agreements <= table.meant, "nobody agreed who did not see it so"


def settle(table: Table) -> Table:
    """Send everything in the outboxes, then load the server's log on both phones."""
    for name in range(2):
        while table.phones[name].queue:
            table = send_first(table, table.phones[name], is_lost=False) or table
    for name in range(2):
        table = receive_log(table, table.phones[name]) or table
    return table


def test_every_order_of_steps_leaves_one_consistent_result() -> None:
    seen, edge = {Table()}, [Table()]
    for _ in range(DEPTH):
        following = {after for table in edge for after in iter_steps(table)} - seen
        for table in following:
            check(table)
            end = settle(table)
            check(end)
            assert end.phones[0].lines == end.phones[1].lines == end.lines
        seen |= following
        edge = list(following)
    assert len(seen) > 5_000
