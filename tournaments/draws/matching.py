"""Minimum-cost matching on exact integers."""

from collections.abc import Mapping

import rustworkx

WIDEST_PRICE = 110
"""Bits of the largest price taken. rustworkx reckons in 128 bits, and is wrong without a word beyond."""


def cheapest_matching(prices: Mapping[tuple[int, int], int]) -> list[tuple[int, int]]:
    """Pairs of the vertices 0, 1, … that leave as few as possible alone, at the least total of their prices.

    Each pair is ascending, and they come in order. The same on every machine if no other matching costs as
    little: it is for the caller to set prices that make sure of it.
    """
    if any(price.bit_length() > WIDEST_PRICE for price in prices.values()):
        raise OverflowError(f"a price of more than {WIDEST_PRICE} bits")
    graph = rustworkx.PyGraph[None, int]()
    graph.add_nodes_from([None] * (1 + max(map(max, prices), default=-1)))
    graph.add_edges_from([(one, other, -price) for (one, other), price in prices.items()])
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in matching)
