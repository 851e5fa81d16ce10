"""Seasons: nights that add up to one or several season standings. Plain Python, whole numbers.

A ladder is a value; its lines are a function of the nights' standings and of who is a member, a guest, or in
a group of the club's own.

>>> from datetime import date
>>> nights = [
...     LadderNight(event=1, held_on=date(2026, 9, 8), results=(
...         NightResult(entry=1, players=(PersonId(7), PersonId(9)), rank=1, figures={"points_for": 96}),
...         NightResult(entry=2, players=(PersonId(3), PersonId(5)), rank=2, figures={"points_for": 60}),
...     )),
...     LadderNight(event=2, held_on=date(2026, 9, 15), results=(
...         NightResult(entry=1, players=(PersonId(3), PersonId(7)), rank=1, figures={"points_for": 88}),
...     )),
... ]
>>> rows = compute_ladder_standings(Ladder(name="General", best=1, presence=2), nights, people={})
>>> [(row.rank, row.players, row.total) for row in rows]
[(1, (7,), 100), (2, (9,), 98), (3, (3,), 92), (4, (5,), 62)]
"""

from .clubs import sum_by_club
from .serialization import (
    MAX_LADDERS,
    LadderRowJson,
    build_line_key,
    build_scores_key,
    ladder_from_json,
    ladder_to_json,
    ladders_from_json,
    list_score_events,
    rows_to_json,
    scores_from_json,
    scores_to_json,
)
from .shares import FEDERATION_COUNTS, ROW_FIGURES, get_row_figures, split_figures
from .standings import compute_ladder_standings
from .values import (
    Eligibility,
    Ladder,
    LadderFigure,
    LadderNight,
    LadderPerson,
    LadderRow,
    LadderUnit,
    NightResult,
    PersonId,
    Players,
    Score,
    Share,
)

__all__ = [
    "FEDERATION_COUNTS",
    "MAX_LADDERS",
    "ROW_FIGURES",
    "Eligibility",
    "Ladder",
    "LadderFigure",
    "LadderNight",
    "LadderPerson",
    "LadderRow",
    "LadderRowJson",
    "LadderUnit",
    "NightResult",
    "PersonId",
    "Players",
    "Score",
    "Share",
    "build_line_key",
    "build_scores_key",
    "compute_ladder_standings",
    "get_row_figures",
    "ladder_from_json",
    "ladder_to_json",
    "ladders_from_json",
    "list_score_events",
    "rows_to_json",
    "scores_from_json",
    "scores_to_json",
    "split_figures",
    "sum_by_club",
]
