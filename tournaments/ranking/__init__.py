"""Rankings: from counted results to ranks, each with its reason. Plain Python.

>>> bye = Result(
...     round=1, opponent=None, match_won=True, games_won=1, games_lost=0, points_for=32, points_against=0
... )
>>> rows = rank(entries=[1, 2, 3], results_by_entry={2: [bye]}, order=["match_wins", "points_for"])
>>> [(row.rank, row.entry, row.decided_by, row.tied_with) for row in rows]
[(1, 2, None, ()), (2, 1, 'match_wins', (3,)), (2, 3, None, (1,))]
"""

from .metrics import METRICS, Direction, Metric, Result
from .standings import Comparison, Row, compare, rank, why

__all__ = ["METRICS", "Comparison", "Direction", "Metric", "Result", "Row", "compare", "rank", "why"]
