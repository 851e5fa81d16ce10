"""Costs of a draw made by hand, as after a swap, and why not those two."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.draws import Draw, DrawInput, DrawnTable, EntryId, LockedTable, draw
from engine.draws.pairing_cost.comparison import price_of_tables, prices_of_meeting, telling_levels
from errors import Refusal

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


def costs(before: DrawInput, format_key: str, meetings: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    return tuple(price_of_tables(before, format_key, as_tables(meetings)).values())


@pytest.mark.slow
class TestADraw:
    @given(fields(), PRICED)
    def test_costs_what_it_says(self, before: DrawInput, format_key: str) -> None:
        drawn = draw(format_key, before)
        assert price_of_tables(before, format_key, drawn.tables) == drawn.price

    @settings(deadline=None)
    @given(fields(6), PRICED)
    def test_is_never_dearer_than_one_made_by_hand(self, before: DrawInput, format_key: str) -> None:
        best = tuple(draw(format_key, before).price.values())
        for meetings in rounds_of([entrant.id for entrant in before.entrants]):
            assert costs(before, format_key, meetings) >= best


class TestASwap:
    @pytest.mark.slow
    @given(fields())
    def test_of_two_at_one_table_costs_nothing(self, before: DrawInput) -> None:
        drawn = draw("swiss", before)
        for table in drawn.tables:
            after = as_tables(traded(drawn, table.a[0], table.b[0]))
            assert price_of_tables(before, "swiss", after) == drawn.price

    def test_with_the_bye_costs_another_bye(self) -> None:
        before = field(0, 1, 2, history=[sat_out(1, 0), met(1, 1, 2)])
        drawn = draw("swiss", before)
        assert byes(drawn) != [0]
        after = price_of_tables(before, "swiss", as_tables(traded(drawn, byes(drawn)[0], 0)))
        assert after["byes"] - drawn.price["byes"] == 1

    def test_that_makes_two_meet_again_says_so(self) -> None:
        before = field(0, 1, 2, 3, history=[met(1, 0, 1), met(1, 2, 3)])
        drawn = draw("swiss", before)
        partner = next(iter(next(pair for pair in pairs(drawn) if 0 in pair) - {0}))
        after = price_of_tables(before, "swiss", as_tables(traded(drawn, 1, partner)))
        assert after["repeats"] - drawn.price["repeats"] == 2


class TestWhyNot:
    @pytest.mark.slow
    @given(fields(6), PRICED)
    def test_is_the_price_of_the_cheapest_round_with_these_two(
        self, before: DrawInput, format_key: str
    ) -> None:
        entries = [entrant.id for entrant in before.entrants]
        prices = {
            tuple(map(frozenset, meetings)): costs(before, format_key, meetings)
            for meetings in rounds_of(entries)
        }
        for one, other in combinations(entries, 2):
            found = prices_of_meeting(before, format_key, one, other)
            least = min(price for met, price in prices.items() if frozenset((one, other)) in met)
            assert tuple(found[0].values()) == min(prices.values())
            assert tuple(found[1].values()) == least


LOCKED = replace(field(0, 1, 2, 3, 4, 5), locked=(LockedTable(number=1, a=(EntryId(0),), b=(EntryId(1),)),))


@pytest.mark.parametrize(("format_key", "tells"), [("swiss", True), ("random", False)])
def test_how_far_a_draw_is_from_the_lot_tells_nobody_anything(format_key: str, tells: bool) -> None:
    before = field(0, 1, 2, 3)
    levels = telling_levels(before, format_key, draw(format_key, before).price)
    assert ("distance" in levels, "sides" in levels) == (tells, tells)
    assert "repeats" in levels


def test_locked_tables_cost_nothing() -> None:
    with_it, without = [(0, 1), (2, 3), (4, 5)], [(2, 3), (4, 5)]
    assert costs(LOCKED, "swiss", with_it) == costs(LOCKED, "swiss", without)
    assert costs(LOCKED, "swiss", with_it) > tuple(draw("swiss", LOCKED).price.values())


def test_whoever_is_at_a_locked_table_has_no_bye_even_if_it_was_asked_for() -> None:
    entrants = tuple(replace(e, byes_asked=frozenset({1} if e.id in {0, 2} else ())) for e in LOCKED.entrants)
    drawn = draw("swiss", replace(LOCKED, entrants=entrants))
    assert byes(drawn).count(0) == 0
    assert byes(drawn).count(2) == 1


def test_tables_of_several_people_have_no_price() -> None:
    table = DrawnTable(number=1, a=(EntryId(2), EntryId(3)), b=(EntryId(4), EntryId(5)))
    with pytest.raises(Refusal) as refusal:
        price_of_tables(LOCKED, "swiss", [table])
    assert refusal.value.code == "not_one_a_side"


@pytest.mark.parametrize(
    ("one", "other", "code", "name"),
    [(9, 2, "no_such_entrant", "one"), (2, 0, "not_drawn", "other"), (2, 9, "no_such_entrant", "other")],
    ids=["unknown", "at a locked table", "the other unknown"],
)
def test_refuses_whoever_is_not_drawn(one: int, other: int, code: str, name: str) -> None:
    with pytest.raises(Refusal) as refusal:
        prices_of_meeting(LOCKED, "swiss", EntryId(one), EntryId(other))
    assert (refusal.value.code, refusal.value.field) == (code, name)


@pytest.mark.parametrize(
    ("meetings", "code"),
    [([(2, 3), (3, 4)], "drawn_twice"), ([(2, 0)], "not_drawn"), ([(2, 9)], "no_such_entrant")],
)
def test_refuses_tables_that_cannot_be(meetings: list[tuple[int, int]], code: str) -> None:
    with pytest.raises(Refusal) as refusal:
        costs(LOCKED, "swiss", meetings)
    assert (refusal.value.code, refusal.value.field) == (code, "tables")


def test_refuses_a_meeting_with_oneself() -> None:
    with pytest.raises(Refusal) as refusal:
        prices_of_meeting(LOCKED, "swiss", EntryId(2), EntryId(2))
    assert (refusal.value.code, refusal.value.field) == ("drawn_twice", "other")


def test_refuses_formats_that_have_no_price() -> None:
    with pytest.raises(Refusal) as refusal:
        prices_of_meeting(LOCKED, "manual", EntryId(2), EntryId(3))
    assert refusal.value.code == "not_priced"
