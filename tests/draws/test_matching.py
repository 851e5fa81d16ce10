from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.draws.matching import WIDEST_PRICE, cheapest_matching

Prices = dict[tuple[int, int], int]


def cheapest_total(vertices: tuple[int, ...], prices: Prices) -> int:
    if not vertices:
        return 0
    first, *others = vertices
    return min(
        prices[first, other] + cheapest_total(tuple(v for v in others if v != other), prices)
        for other in others
    )


@st.composite
def complete_graphs(draw: st.DrawFn) -> tuple[int, Prices]:
    size = 2 * draw(st.integers(1, 4))
    pairs = list(combinations(range(size), 2))
    ceiling = draw(st.sampled_from([1, 10, 2 ** (WIDEST_PRICE - 1)]))
    prices = draw(st.lists(st.integers(0, ceiling), min_size=len(pairs), max_size=len(pairs)))
    return size, dict(zip(pairs, prices, strict=True))


@given(complete_graphs())
def test_no_matching_is_cheaper(graph: tuple[int, Prices]) -> None:
    size, prices = graph
    matching = cheapest_matching(prices)
    assert sorted(vertex for pair in matching for vertex in pair) == list(range(size))
    assert sum(prices[pair] for pair in matching) == cheapest_total(tuple(range(size)), prices)


@given(complete_graphs())
def test_pairs_are_ascending_and_in_order(graph: tuple[int, Prices]) -> None:
    matching = cheapest_matching(graph[1])
    assert matching == sorted((min(pair), max(pair)) for pair in matching)


def test_a_difference_of_one_decides_at_the_widest_price() -> None:
    widest = 2**WIDEST_PRICE - 1
    dear, dearest = {(0, 1): widest, (2, 3): widest - 1}, {(0, 3): widest, (1, 2): widest}
    assert cheapest_matching(dear | dearest) == [(0, 1), (2, 3)]


def test_a_price_that_could_overflow_is_not_taken() -> None:
    with pytest.raises(OverflowError):
        cheapest_matching({(0, 1): 2**WIDEST_PRICE})


def test_no_prices_no_pairs() -> None:
    assert cheapest_matching({}) == []


def test_a_vertex_that_nobody_can_be_paired_with_is_left_alone() -> None:
    assert cheapest_matching({(0, 1): 5, (1, 2): 3}) == [(1, 2)]
