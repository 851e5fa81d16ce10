"""Costs of a draw made by hand, for example after a swap, and the price of a meeting not drawn."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.draws import Draw, DrawInput, DrawnTable, EntryId, LockedTable, draw
from engine.draws.pairing_cost.comparison import filter_relevant_levels, price_meeting, price_tables
from errors import Refusal

from .events import build_bye, build_field, build_pairing, fields, list_byes, list_pairs

PRICED_FORMATS = st.sampled_from(["swiss", "random"])


def make_tables(meetings: Sequence[tuple[int, int]]) -> list[DrawnTable]:
    return [
        DrawnTable(number=number, a=(EntryId(one),), b=(EntryId(other),))
        for number, (one, other) in enumerate(meetings, 1)
    ]


def swap_entries(drawn: Draw, one: int, other: int) -> list[tuple[int, int]]:
    trade = {one: other, other: one}
    return [(trade.get(t.a[0], t.a[0]), trade.get(t.b[0], t.b[0])) for t in drawn.tables]


def iter_rounds(entries: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """Yield every round in which as many entries as possible play."""
    if len(entries) % 2:
        for out in entries:
            yield from iter_rounds([entry for entry in entries if entry != out])
    elif not entries:
        yield []
    else:
        first, *others = entries
        for other in others:
            for rest in iter_rounds([entry for entry in others if entry != other]):
                yield [(first, other), *rest]


def get_costs(before: DrawInput, format_key: str, meetings: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    return tuple(price_tables(before, format_key, make_tables(meetings)).values())


@pytest.mark.slow
class TestDrawCosts:
    @given(fields(), PRICED_FORMATS)
    def test_draw_costs_equal_its_stated_price(self, before: DrawInput, format_key: str) -> None:
        drawn = draw(format_key, before)
        assert price_tables(before, format_key, drawn.tables) == drawn.price

    @settings(deadline=None)
    @given(fields(6), PRICED_FORMATS)
    def test_draw_never_costs_more_than_a_manual_one(self, before: DrawInput, format_key: str) -> None:
        best = tuple(draw(format_key, before).price.values())
        for meetings in iter_rounds([entrant.id for entrant in before.entrants]):
            assert get_costs(before, format_key, meetings) >= best


class TestSwapCosts:
    @pytest.mark.slow
    @given(fields())
    def test_swap_at_one_table_costs_nothing(self, before: DrawInput) -> None:
        drawn = draw("swiss", before)
        for table in drawn.tables:
            after = make_tables(swap_entries(drawn, table.a[0], table.b[0]))
            assert price_tables(before, "swiss", after) == drawn.price

    def test_swap_with_the_bye_entry_costs_another_bye(self) -> None:
        before = build_field(0, 1, 2, history=[build_bye(1, 0), build_pairing(1, 1, 2)])
        drawn = draw("swiss", before)
        assert list_byes(drawn) != [0]
        after = price_tables(before, "swiss", make_tables(swap_entries(drawn, list_byes(drawn)[0], 0)))
        assert after["byes"] - drawn.price["byes"] == 1

    def test_swap_that_causes_a_rematch_costs_a_repeat(self) -> None:
        before = build_field(0, 1, 2, 3, history=[build_pairing(1, 0, 1), build_pairing(1, 2, 3)])
        drawn = draw("swiss", before)
        partner = next(iter(next(pair for pair in list_pairs(drawn) if 0 in pair) - {0}))
        after = price_tables(before, "swiss", make_tables(swap_entries(drawn, 1, partner)))
        assert after["repeats"] - drawn.price["repeats"] == 2


class TestMeetingPrice:
    @pytest.mark.slow
    @given(fields(6), PRICED_FORMATS)
    def test_meeting_price_is_that_of_the_cheapest_round_with_it(self, before: DrawInput, format_key: str) -> None:
        entries = [entrant.id for entrant in before.entrants]
        prices = {
            tuple(map(frozenset, meetings)): get_costs(before, format_key, meetings)
            for meetings in iter_rounds(entries)
        }
        for one, other in combinations(entries, 2):
            found = price_meeting(before, format_key, one, other)
            least = min(price for met, price in prices.items() if frozenset((one, other)) in met)
            assert tuple(found[0].values()) == min(prices.values())
            assert tuple(found[1].values()) == least


LOCKED_FIELD = replace(build_field(0, 1, 2, 3, 4, 5), locked=(LockedTable(number=1, a=(EntryId(0),), b=(EntryId(1),)),))


@pytest.mark.parametrize(("format_key", "tells"), [("swiss", True), ("random", False)])
def test_random_draw_hides_distance_and_side_costs(format_key: str, tells: bool) -> None:
    before = build_field(0, 1, 2, 3)
    levels = filter_relevant_levels(before, format_key, draw(format_key, before).price)
    assert ("distance" in levels, "sides" in levels) == (tells, tells)
    assert "repeats" in levels


def test_locked_tables_cost_nothing() -> None:
    with_it, without = [(0, 1), (2, 3), (4, 5)], [(2, 3), (4, 5)]
    assert get_costs(LOCKED_FIELD, "swiss", with_it) == get_costs(LOCKED_FIELD, "swiss", without)
    assert get_costs(LOCKED_FIELD, "swiss", with_it) > tuple(draw("swiss", LOCKED_FIELD).price.values())


def test_entry_at_a_locked_table_gets_no_requested_bye() -> None:
    entrants = tuple(replace(e, requested_byes=frozenset({1} if e.id in {0, 2} else ())) for e in LOCKED_FIELD.entrants)
    drawn = draw("swiss", replace(LOCKED_FIELD, entrants=entrants))
    assert list_byes(drawn).count(0) == 0
    assert list_byes(drawn).count(2) == 1


def test_tables_of_four_people_have_no_price() -> None:
    table = DrawnTable(number=1, a=(EntryId(2), EntryId(3)), b=(EntryId(4), EntryId(5)))
    with pytest.raises(Refusal) as refusal:
        price_tables(LOCKED_FIELD, "swiss", [table])
    assert refusal.value.code == "not_one_a_side"


@pytest.mark.parametrize(
    ("one", "other", "code", "name"),
    [(9, 2, "no_such_entrant", "one"), (2, 0, "not_drawn", "other"), (2, 9, "no_such_entrant", "other")],
    ids=["unknown", "at a locked table", "the other unknown"],
)
def test_meeting_price_rejects_an_entry_that_is_not_drawn(one: int, other: int, code: str, name: str) -> None:
    with pytest.raises(Refusal) as refusal:
        price_meeting(LOCKED_FIELD, "swiss", EntryId(one), EntryId(other))
    assert (refusal.value.code, refusal.value.field) == (code, name)


@pytest.mark.parametrize(
    ("meetings", "code"),
    [([(2, 3), (3, 4)], "drawn_twice"), ([(2, 0)], "not_drawn"), ([(2, 9)], "no_such_entrant")],
)
def test_price_rejects_impossible_tables(meetings: list[tuple[int, int]], code: str) -> None:
    with pytest.raises(Refusal) as refusal:
        get_costs(LOCKED_FIELD, "swiss", meetings)
    assert (refusal.value.code, refusal.value.field) == (code, "tables")


def test_meeting_price_rejects_an_entry_against_itself() -> None:
    with pytest.raises(Refusal) as refusal:
        price_meeting(LOCKED_FIELD, "swiss", EntryId(2), EntryId(2))
    assert (refusal.value.code, refusal.value.field) == ("drawn_twice", "other")


def test_meeting_price_rejects_formats_without_prices() -> None:
    with pytest.raises(Refusal) as refusal:
        price_meeting(LOCKED_FIELD, "manual", EntryId(2), EntryId(3))
    assert refusal.value.code == "not_priced"
