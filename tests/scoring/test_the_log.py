"""The rules of a match's log where phones mark by themselves and are heard later, in whatever order."""

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
from tests.builders import hand
from tests.long import often

VALUES = ("A 6 made", "A 7 made", "B 5 failed")


@dataclass(slots=True)
class Line:
    """A mark in a log that no database has."""

    pk: int
    number: int
    record_data: Any
    status: str


@dataclass(frozen=True, kw_only=True)
class Tap:
    """Mark of a phone for a place: a hand, or the undo of its last one there."""

    text: str
    number: int = 1


@dataclass
class Table:
    """A log that hears taps one by one; a phone knows only what it said itself."""

    log: Log[Line] = field(default_factory=Log)
    lines: list[Line] = field(default_factory=list)
    last: dict[tuple[str, int], Line] = field(default_factory=dict)

    def hear(self, phone: str, tap: Tap) -> MarkStatus:
        record = read_record(CANADIAN, hand(tap.text))
        seen = self.last.get((phone, tap.number))
        placement = place_mark(self.log, tap.number, record, supersedes=seen, saw_only=True)
        line = Line(len(self.lines) + 1, tap.number, record_to_json(record), placement.status)
        self.log.take(line, record, placement)
        for each, status in placement.statuses():
            each.status = status
        self.lines.append(line)
        self.last[phone, tap.number] = line
        return placement.status

    def standing(self, number: int = 1) -> set[str]:
        """Return what stands in a place, without its order; nothing where it is free."""
        values = self.log.values_at(number) if number in self.log.standing else []
        return {str(record_to_json(record)) for _, record in values}


def heard(*taps: tuple[str, str]) -> Table:
    table = Table()
    for phone, text in taps:
        table.hear(phone, Tap(text=text))
    return table


def statuses(table: Table) -> list[str]:
    return [str(line.status) for line in table.lines]


def says(*texts: str) -> set[str]:
    return {str(record_to_json(read_record(CANADIAN, hand(text)))) for text in texts}


class TestAPhoneThatSawOnlyItsOwnMark:
    def test_takes_it_back_and_leaves_what_another_phone_marked(self) -> None:
        table = heard(("one", "A 6 made"), ("other", "A 7 made"), ("other", "undone"), ("other", "B 5 made"))
        assert table.standing() == says("A 6 made", "B 5 made")
        assert statuses(table) == ["current", "superseded", "superseded", "rival"]

    def test_corrects_it_and_leaves_what_another_phone_marked(self) -> None:
        table = heard(("one", "A 6 made"), ("other", "A 7 made"), ("other", "A 8 made"))
        assert table.standing() == says("A 6 made", "A 8 made")

    def test_corrects_it_to_what_another_phone_marked_and_both_agree(self) -> None:
        table = heard(("one", "A 6 made"), ("other", "A 7 made"), ("other", "A 6 made"))
        assert table.standing() == says("A 6 made")
        assert statuses(table) == ["current", "superseded", "echo"]

    def test_corrects_what_another_phone_says_too_and_the_table_is_asked(self) -> None:
        table = heard(("one", "A 6 made"), ("other", "A 6 made"), ("one", "A 7 made"))
        assert table.standing() == says("A 6 made", "A 7 made")
        assert statuses(table) == ["superseded", "current", "rival"]

    def test_takes_back_an_earlier_hand_that_another_phone_marked_too_without_leaving_a_hole(self) -> None:
        table = heard(("one", "A 6 made"), ("other", "A 7 made"))
        table.hear("one", Tap(text="B 5 made", number=2))
        table.hear("other", Tap(text="undone"))
        assert table.standing(1) == says("A 6 made")
        assert table.standing(2) == says("B 5 made")

    def test_may_correct_its_own_mark_where_it_is_alone(self) -> None:
        table = heard(("one", "A 6 made"), ("one", "A 7 made"), ("one", "undone"), ("one", "A 8 made"))
        assert table.standing() == says("A 8 made")
        assert statuses(table) == ["superseded", "superseded", "superseded", "current"]


def some_order(sequences: dict[str, list[str]], places: Sequence[int]) -> list[tuple[str, str]]:
    """All taps, those of each phone in its order, mixed as the numbers say."""
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
"""Of a phone at one place: nobody marks anew what it shows already."""
ORDER = st.lists(st.integers(0, 11), max_size=16)


@pytest.mark.slow
@settings(max_examples=often(300, long=10_000), deadline=None)
@given(phones=st.lists(TAPS, min_size=2, max_size=4), first=ORDER, second=ORDER)
def test_what_phones_say_of_a_place_stands_alike_in_whatever_order_they_are_heard(
    phones: list[list[str]], first: list[int], second: list[int]
) -> None:
    sequences = {f"phone {number}": texts for number, texts in enumerate(phones)}
    tables = [heard(*some_order(sequences, order)) for order in (first, second)]
    assert tables[0].standing() == tables[1].standing()
    for table in tables:
        again = read_log(table.lines, CANADIAN)
        assert again.standing.keys() == table.log.standing.keys()
        assert [mark.pk for mark in again.marks_at(1)] == [mark.pk for mark in table.log.marks_at(1)]


def test_an_echo_that_stands_in_the_end_stands_where_it_was_written() -> None:
    table = heard(
        ("one", "A 6 made"),
        ("two", "A 7 made"),
        ("three", "A 7 made"),
        ("four", "B 5 failed"),
        ("two", "undone"),
    )
    assert [mark.pk for mark in table.log.marks_at(1)] == [1, 3, 4]
    assert [mark.pk for mark in read_log(table.lines, CANADIAN).marks_at(1)] == [1, 3, 4]


@pytest.mark.slow
@settings(max_examples=often(300, long=10_000), deadline=None)
@given(one=TAPS, other=TAPS, order=ORDER)
def test_the_last_word_of_each_phone_stands_or_somebody_replaced_it(
    one: list[str], other: list[str], order: list[int]
) -> None:
    table = heard(*some_order({"one": one, "other": other}, order))
    for texts in (one, other):
        if texts[-1] != "undone":
            assert says(texts[-1]) <= table.standing()


def test_an_undo_of_nothing_is_refused() -> None:
    with pytest.raises(Refusal, match="no_such_mark"):
        heard(("one", "undone"))
