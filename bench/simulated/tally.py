"""Counts over a history, without the code that draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations, product

import networkx as nx

from engine.draws import EntryId, PlayedPairing
from rules import Side

EntryPair = frozenset[EntryId]


def count_meetings(history: Iterable[PlayedPairing]) -> Counter[EntryPair]:
    return Counter(frozenset(two) for table in history for two in product(table.a, table.b))


def count_duels(history: Iterable[PlayedPairing]) -> Counter[EntryId]:
    """Count each entry's matches of one against one."""
    tables = (table for table in history if len(table.a) == len(table.b) == 1)
    return Counter(entry for table in tables for entry in (*table.a, *table.b))


def count_partners(history: Iterable[PlayedPairing]) -> Counter[EntryPair]:
    return Counter(frozenset(two) for table in history for side in (table.a, table.b) for two in combinations(side, 2))


def has_perfect_matching(count: int, pairs: Iterable[tuple[int, int]]) -> bool:
    graph = nx.Graph(list(pairs))
    return 2 * len(nx.max_weight_matching(graph, maxcardinality=True)) == count


def count_losses(history: Iterable[PlayedPairing]) -> Counter[EntryId]:
    return Counter(
        entry
        for table in history
        if table.b and table.winner is not None
        for entry in (table.b if table.winner is Side.A else table.a)
    )
