"""What a swap costs, how a draw made by hand compares, and why not those two."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.draws import (
    Draw,
    DrawInput,
    DrawnTable,
    EntryId,
    LockedTable,
    compare_draw,
    draw,
    price_of_swap,
    why_not,
)
from rules import Refusal

from .events import byes, field, fields, met, pairs, sat_out

PRICED = st.sampled_from(["swiss", "random"])


def as_tables(meetings: Sequence[tuple[int, int]]) -> list[DrawnTable]:
    return [
        DrawnTable(number=number, a=(EntryId(one),), b=(EntryId(other),))
        for number, (one, other) in enumerate(meetings, 1)
    ]


def traded(drawn: Draw, one: int, other: int) -> list[tuple[int, int]]:
    trade = {one: other, other: one}
    return [(trade.get(t.a[0], t.a[0]), trade.get(t.b[0], t.b[0])) for t in drawn.tables]


def rounds_of(entries: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """Every round in which as many as possible of the entries play."""
    if len(entries) % 2:
        for out in entries:
            yield from rounds_of([entry for entry in entries if entry != out])
    elif not entries:
        yield []
    else:
        first, *others = entries
        for other in others:
            for rest in rounds_of([entry for entry in others if entry != other]):
                yield [(first, other), *rest]


class TestADraw:
    @given(fields(), PRICED)
    def test_compared_with_itself_costs_what_it_says_and_nothing_more(
        self, before: DrawInput, format_key: str
    ) -> None:
        drawn = draw(format_key, before)
        found = compare_draw(before, format_key, drawn.tables)
        assert found.levels == found.optimum == drawn.price
        assert not any(found.difference.values())
        assert found.only_by_hand == found.only_in_optimum == ()

    @settings(deadline=None)
    @given(fields(6), PRICED)
    def test_is_never_dearer_than_one_made_by_hand(self, before: DrawInput, format_key: str) -> None:
        for meetings in rounds_of([entrant.id for entrant in before.entrants]):
            found = compare_draw(before, format_key, as_tables(meetings))
            assert tuple(found.difference.values()) >= (0,) * len(found.difference)
            assert {frozenset((t.a[0], t.b[0])) for t in found.only_by_hand} == {
                frozenset(pair) for pair in meetings
            } - pairs(draw(format_key, before))
            assert len(found.only_by_hand) == len(found.only_in_optimum)


class TestASwap:
    @settings(deadline=None)
    @given(fields(), PRICED)
    def test_in_an_optimal_draw_never_lowers_the_price(self, before: DrawInput, format_key: str) -> None:
        drawn = draw(format_key, before)
        for one, other in combinations([entrant.id for entrant in before.entrants], 2):
            change = price_of_swap(before, format_key, drawn, one, other)
            assert tuple(change.values()) >= (0,) * len(change)

    @settings(deadline=None, max_examples=30)
    @given(fields(7))
    def test_costs_what_the_draw_after_it_costs_more(self, before: DrawInput) -> None:
        drawn = draw("swiss", before)
        for one, other in combinations([entrant.id for entrant in before.entrants], 2):
            after = compare_draw(before, "swiss", as_tables(traded(drawn, one, other)))
            assert price_of_swap(before, "swiss", drawn, one, other) == after.difference

    @given(fields())
    def test_of_two_at_one_table_costs_nothing(self, before: DrawInput) -> None:
        drawn = draw("swiss", before)
        for table in drawn.tables:
            assert not any(price_of_swap(before, "swiss", drawn, table.a[0], table.b[0]).values())

    def test_with_the_bye_costs_another_bye(self) -> None:
        before = field(0, 1, 2, history=[sat_out(1, 0), met(1, 1, 2)])
        drawn = draw("swiss", before)
        assert byes(drawn) != [0]
        assert price_of_swap(before, "swiss", drawn, EntryId(byes(drawn)[0]), EntryId(0))["byes"] == 1

    def test_that_makes_two_meet_again_says_so(self) -> None:
        before = field(0, 1, 2, 3, history=[met(1, 0, 1), met(1, 2, 3)])
        drawn = draw("swiss", before)
        partner = next(iter(next(pair for pair in pairs(drawn) if 0 in pair) - {0}))
        assert price_of_swap(before, "swiss", drawn, EntryId(1), EntryId(partner))["repeats"] == 2


class TestWhyNot:
    @settings(deadline=None, max_examples=40)
    @given(fields(6), PRICED)
    def test_is_the_price_of_the_cheapest_round_with_these_two(
        self, before: DrawInput, format_key: str
    ) -> None:
        entries = [entrant.id for entrant in before.entrants]
        prices = {
            tuple(map(frozenset, meetings)): tuple(
                compare_draw(before, format_key, as_tables(meetings)).difference.values()
            )
            for meetings in rounds_of(entries)
        }
        for one, other in combinations(entries, 2):
            least = min(price for met, price in prices.items() if frozenset((one, other)) in met)
            assert tuple(why_not(before, format_key, one, other).values()) == least
        if len(entries) % 2:
            for one in entries:
                least = min(price for met, price in prices.items() if not any(one in pair for pair in met))
                assert tuple(why_not(before, format_key, one, None).values()) == least


LOCKED = replace(field(0, 1, 2, 3, 4, 5), locked=(LockedTable(number=1, a=(EntryId(0),), b=(EntryId(1),)),))


def test_locked_tables_are_part_of_both_draws() -> None:
    found = compare_draw(LOCKED, "swiss", as_tables([(0, 1), (2, 3), (4, 5)]))
    assert [t.a for t in found.only_by_hand] == [(2,), (4,)]
    assert all({0, 1}.isdisjoint((*t.a, *t.b)) for t in found.only_in_optimum)
    assert found.difference["distance"] > 0


def test_whoever_is_at_a_locked_table_has_no_bye_even_if_it_was_asked_for() -> None:
    entrants = tuple(replace(e, byes_asked=frozenset({1} if e.id in {0, 2} else ())) for e in LOCKED.entrants)
    drawn = draw("swiss", replace(LOCKED, entrants=entrants))
    assert byes(drawn).count(0) == 0
    assert byes(drawn).count(2) == 1


def test_tables_of_several_people_have_no_price() -> None:
    table = DrawnTable(number=1, a=(EntryId(2), EntryId(3)), b=(EntryId(4), EntryId(5)))
    with pytest.raises(Refusal) as refusal:
        compare_draw(LOCKED, "swiss", [table])
    assert refusal.value.code == "not_one_a_side"


@pytest.mark.parametrize(
    ("one", "other", "code", "name"),
    [(9, 2, "no_such_entrant", "one"), (2, 0, "not_drawn", "other"), (2, 9, "no_such_entrant", "other")],
    ids=["unknown", "at a locked table", "the other unknown"],
)
def test_refuses_whoever_is_not_drawn(one: int, other: int, code: str, name: str) -> None:
    drawn = draw("swiss", LOCKED)
    with pytest.raises(Refusal) as swap:
        price_of_swap(LOCKED, "swiss", drawn, EntryId(one), EntryId(other))
    with pytest.raises(Refusal) as wish:
        why_not(LOCKED, "swiss", EntryId(one), EntryId(other))
    assert (swap.value.code, swap.value.field) == (wish.value.code, wish.value.field) == (code, name)


@pytest.mark.parametrize(
    ("meetings", "code"),
    [([(2, 3), (3, 4)], "drawn_twice"), ([(2, 0)], "not_drawn"), ([(2, 9)], "no_such_entrant")],
)
def test_refuses_tables_that_cannot_be(meetings: list[tuple[int, int]], code: str) -> None:
    with pytest.raises(Refusal) as refusal:
        compare_draw(LOCKED, "swiss", as_tables(meetings))
    assert (refusal.value.code, refusal.value.field) == (code, "tables")


@pytest.mark.parametrize(("other", "code"), [(None, "no_bye"), (EntryId(2), "drawn_twice")])
def test_refuses_a_bye_in_an_even_field_and_a_meeting_with_oneself(other: EntryId | None, code: str) -> None:
    with pytest.raises(Refusal) as refusal:
        why_not(LOCKED, "swiss", EntryId(2), other)
    assert (refusal.value.code, refusal.value.field) == (code, "other")


def test_refuses_formats_that_have_no_price() -> None:
    with pytest.raises(Refusal) as refusal:
        why_not(LOCKED, "manual", EntryId(2), EntryId(3))
    assert refusal.value.code == "not_priced"
