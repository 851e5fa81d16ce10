"""What can be counted in a history, without the code that draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations, product

import networkx as nx

from engine.draws import EntryId, PlayedPairing
from rules import Side

Two = frozenset[EntryId]


def meetings(played: Iterable[PlayedPairing]) -> Counter[Two]:
    return Counter(frozenset(two) for table in played for two in product(table.a, table.b))


def duels(played: Iterable[PlayedPairing]) -> Counter[EntryId]:
    """How often each played one against one."""
    tables = (table for table in played if len(table.a) == len(table.b) == 1)
    return Counter(entry for table in tables for entry in (*table.a, *table.b))


def partners(played: Iterable[PlayedPairing]) -> Counter[Two]:
    return Counter(
        frozenset(two) for table in played for side in (table.a, table.b) for two in combinations(side, 2)
    )


def has_perfect_matching(count: int, pairs: Iterable[tuple[int, int]]) -> bool:
    graph = nx.Graph(list(pairs))
    return 2 * len(nx.max_weight_matching(graph, maxcardinality=True)) == count


def losses_in(played: Iterable[PlayedPairing]) -> Counter[EntryId]:
    return Counter(
        entry
        for table in played
        if table.b and table.winner is not None
        for entry in (table.b if table.winner is Side.A else table.a)
    )
