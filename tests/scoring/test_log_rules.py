"""Merging of marks by phones that did not know of each other, in any order of arrival."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errors import Refusal
from rules import CANADIAN, read_record, record_to_json
from scoring.log_values import MarkStatus
from scoring.logs import Log, place_mark, read_log
from tests.builders import parse_hand
from tests.long_runs import choose_count

VALUES = ("A 6 made", "A 7 made", "B 5 failed")


@dataclass(slots=True)
class LogMark:
    """A mark in memory, without a database row."""

    pk: int
    number: int
    record_data: Any
    status: str


@dataclass(frozen=True, kw_only=True)
class Tap:
    """A phone's mark under a number: a hand, or the undo of its own last mark there."""

    text: str
    number: int = 1


@dataclass
class Table:
    """A log that receives marks one by one; each phone knows only its own marks."""

    log: Log[LogMark] = field(default_factory=Log)
    lines: list[LogMark] = field(default_factory=list)
    last_marks: dict[tuple[str, int], LogMark] = field(default_factory=dict)

    def receive_mark(self, phone: str, tap: Tap) -> MarkStatus:
        record = read_record(CANADIAN, parse_hand(tap.text))
        seen = self.last_marks.get((phone, tap.number))
        placement = place_mark(self.log, tap.number, record, supersedes=seen, saw_only=True)
        line = LogMark(len(self.lines) + 1, tap.number, record_to_json(record), placement.status)
        self.log.add(line, record, placement)
        for each, status in placement.iter_status_changes():
            each.status = status
        self.lines.append(line)
        self.last_marks[phone, tap.number] = line
        return placement.status

    def list_values(self, number: int = 1) -> set[str]:
        """Return the values under the number, in any order; empty if the number is free."""
        values = self.log.get_values(number) if number in self.log.active else []
        return {str(record_to_json(record)) for _, record in values}


def build_table(*taps: tuple[str, str]) -> Table:
    table = Table()
    for phone, text in taps:
        table.receive_mark(phone, Tap(text=text))
    return table


def list_mark_statuses(table: Table) -> list[str]:
    return [str(line.status) for line in table.lines]


def list_records(*texts: str) -> set[str]:
    return {str(record_to_json(read_record(CANADIAN, parse_hand(text)))) for text in texts}


class TestUninformedPhone:
    def test_uninformed_undo_keeps_the_other_phone_mark(self) -> None:
        table = build_table(("one", "A 6 made"), ("other", "A 7 made"), ("other", "undone"), ("other", "B 5 made"))
        assert table.list_values() == list_records("A 6 made", "B 5 made")
        assert list_mark_statuses(table) == ["current", "superseded", "superseded", "rival"]

    def test_uninformed_correction_keeps_the_other_phone_mark(self) -> None:
        table = build_table(("one", "A 6 made"), ("other", "A 7 made"), ("other", "A 8 made"))
        assert table.list_values() == list_records("A 6 made", "A 8 made")

    def test_correction_to_the_other_mark_makes_phones_agree(self) -> None:
        table = build_table(("one", "A 6 made"), ("other", "A 7 made"), ("other", "A 6 made"))
        assert table.list_values() == list_records("A 6 made")
        assert list_mark_statuses(table) == ["current", "superseded", "echo"]

    def test_correction_of_a_shared_mark_creates_a_conflict(self) -> None:
        table = build_table(("one", "A 6 made"), ("other", "A 6 made"), ("one", "A 7 made"))
        assert table.list_values() == list_records("A 6 made", "A 7 made")
        assert list_mark_statuses(table) == ["superseded", "current", "rival"]

    def test_uninformed_undo_of_an_earlier_hand_leaves_no_gap(self) -> None:
        table = build_table(("one", "A 6 made"), ("other", "A 7 made"))
        table.receive_mark("one", Tap(text="B 5 made", number=2))
        table.receive_mark("other", Tap(text="undone"))
        assert table.list_values(1) == list_records("A 6 made")
        assert table.list_values(2) == list_records("B 5 made")

    def test_lone_phone_can_correct_its_own_mark(self) -> None:
        table = build_table(("one", "A 6 made"), ("one", "A 7 made"), ("one", "undone"), ("one", "A 8 made"))
        assert table.list_values() == list_records("A 8 made")
        assert list_mark_statuses(table) == ["superseded", "superseded", "superseded", "current"]


def interleave_taps(sequences: dict[str, list[str]], places: Sequence[int]) -> list[tuple[str, str]]:
    """Merge the phones' taps in the order that ``places`` gives, keeping each phone's own order."""
    left = {phone: list(texts) for phone, texts in sequences.items() if texts}
    order = []
    for place in places:
        if not left:
            break
        phone = sorted(left)[place % len(left)]
        order.append((phone, left[phone].pop(0)))
        left = {each: texts for each, texts in left.items() if texts}
    return order + [(phone, text) for phone, texts in sorted(left.items()) for text in texts]


TAPS = st.lists(st.sampled_from((*VALUES, "undone")), min_size=1, max_size=4).filter(
    lambda texts: texts[0] != "undone" and all(text != after for text, after in pairwise(texts))
)
"""Marks of one phone under one number: a phone does not mark again the value that it shows."""
ORDER = st.lists(st.integers(0, 11), max_size=16)


@pytest.mark.long
@settings(max_examples=choose_count(300, long=10_000), deadline=None)
@given(phones=st.lists(TAPS, min_size=2, max_size=4), first=ORDER, second=ORDER)
def test_arrival_order_does_not_change_the_result(phones: list[list[str]], first: list[int], second: list[int]) -> None:
    sequences = {f"phone {number}": texts for number, texts in enumerate(phones)}
    tables = [build_table(*interleave_taps(sequences, order)) for order in (first, second)]
    assert tables[0].list_values() == tables[1].list_values()
    for table in tables:
        again = read_log(table.lines, CANADIAN)
        assert again.active.keys() == table.log.active.keys()
        assert [mark.pk for mark in again.get_marks(1)] == [mark.pk for mark in table.log.get_marks(1)]


def test_promoted_echo_keeps_its_position_in_the_log() -> None:
    table = build_table(
        ("one", "A 6 made"),
        ("two", "A 7 made"),
        ("three", "A 7 made"),
        ("four", "B 5 failed"),
        ("two", "undone"),
    )
    assert [mark.pk for mark in table.log.get_marks(1)] == [1, 3, 4]
    assert [mark.pk for mark in read_log(table.lines, CANADIAN).get_marks(1)] == [1, 3, 4]


@pytest.mark.slow
@settings(max_examples=choose_count(300, long=10_000), deadline=None)
@given(one=TAPS, other=TAPS, order=ORDER)
def test_last_mark_of_each_phone_counts_or_is_replaced(one: list[str], other: list[str], order: list[int]) -> None:
    table = build_table(*interleave_taps({"one": one, "other": other}, order))
    for texts in (one, other):
        if texts[-1] != "undone":
            assert list_records(texts[-1]) <= table.list_values()


def test_undo_of_nothing_is_refused() -> None:
    with pytest.raises(Refusal, match="no_such_mark"):
        build_table(("one", "undone"))
