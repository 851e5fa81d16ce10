"""The matching solver: compared with brute force, and its proof checked independently."""

from functools import cache
from itertools import combinations

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.draws.pairing_cost.blossom import Matching, NoPerfectMatchingError, find_min_cost_matching

Edges = dict[tuple[int, int], int]


@st.composite
def graphs(draw: st.DrawFn, most: int = 10) -> tuple[int, Edges]:
    """Generate any small graph; often many edges have equal costs, sometimes costs exceed 64 bits."""
    count = draw(st.integers(0, most))
    cost = st.integers(*draw(st.sampled_from([(0, 1), (-3, 9), (0, 10**30)])))
    pairs = list(combinations(range(count), 2))
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return count, {pair: draw(cost) for pair in draw(st.sampled_from([chosen, pairs]))}


def solve(count: int, edges: Edges) -> Matching:
    return find_min_cost_matching(count, [(a, b, cost) for (a, b), cost in edges.items()])


def total(matching: Matching, edges: Edges) -> int:
    return sum(edges[pair] for pair in enumerate(matching.mates) if pair[0] < pair[1])


def find_least_total(count: int, edges: Edges) -> int | None:
    """Return the cost of the cheapest perfect matching by brute force; None if there is none."""

    @cache
    def find_least(vertices: tuple[int, ...]) -> int | None:
        if not vertices:
            return 0
        first, *others = vertices
        found = []
        for other in others:
            rest = find_least(tuple(vertex for vertex in others if vertex != other))
            if (first, other) in edges and rest is not None:
                found.append(edges[first, other] + rest)
        return min(found, default=None)

    return find_least(tuple(range(count)))


@pytest.mark.slow
@settings(deadline=None)
@given(graphs())
def test_no_perfect_matching_costs_less(graph: tuple[int, Edges]) -> None:
    count, edges = graph
    least = find_least_total(count, edges)
    if least is None:
        with pytest.raises(NoPerfectMatchingError):
            solve(count, edges)
    else:
        assert total(solve(count, edges), edges) == least


@pytest.mark.slow
@settings(deadline=None)
@given(graphs(most=24))
def test_dual_prices_prove_the_matching_optimal(graph: tuple[int, Edges]) -> None:
    count, edges = graph
    try:
        matching = solve(count, edges)
    except NoPerfectMatchingError:
        return
    assert all(matching.mates[mate] == vertex for vertex, mate in enumerate(matching.mates))
    for blossom in matching.blossoms:
        inside = set(blossom.vertices)
        assert blossom.rebate > 0
        assert sum(matching.mates[vertex] in inside for vertex in inside) == len(inside) - 1
    for (a, b), cost in edges.items():
        rebates = sum(z.rebate for z in matching.blossoms if {a, b} <= set(z.vertices))
        slack = 2 * cost - matching.prices[a] - matching.prices[b] + 2 * rebates
        assert slack == 0 if matching.mates[a] == b else slack >= 0


@pytest.mark.slow
@settings(deadline=None)
@given(graphs(most=30))
def test_solver_agrees_with_networkx(graph: tuple[int, Edges]) -> None:
    count, edges = graph
    theirs = networkx.Graph()
    theirs.add_nodes_from(range(count))
    theirs.add_weighted_edges_from((a, b, -cost) for (a, b), cost in edges.items())
    pairs = networkx.max_weight_matching(theirs, maxcardinality=True)
    try:
        cost = total(solve(count, edges), edges)
    except NoPerfectMatchingError:
        assert 2 * len(pairs) < count
    else:
        assert cost == sum(edges[min(pair), max(pair)] for pair in pairs)


def test_error_names_vertices_that_cannot_be_matched() -> None:
    with pytest.raises(NoPerfectMatchingError) as caught:
        find_min_cost_matching(4, [(0, 1, 1), (0, 2, 1), (0, 3, 1)])
    assert set(caught.value.stuck) <= {1, 2, 3}


def test_empty_graph_has_an_empty_matching() -> None:
    assert find_min_cost_matching(0, []).mates == ()
