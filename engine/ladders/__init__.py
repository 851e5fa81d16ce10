"""Seasons: nights that add up to one or several season standings. Plain Python, whole numbers.

A ladder is a value; its lines are a function of the nights' standings and of who is a member, a guest, or in
a group of the club's own.

>>> from datetime import date
>>> nights = [
...     LadderNight(event=1, held_on=date(2026, 9, 8), showings=(
...         Showing(entry=1, players=(PersonId(7), PersonId(9)), rank=1, figures={"points_for": 96}),
...         Showing(entry=2, players=(PersonId(3), PersonId(5)), rank=2, figures={"points_for": 60}),
...     )),
...     LadderNight(event=2, held_on=date(2026, 9, 15), showings=(
...         Showing(entry=1, players=(PersonId(3), PersonId(7)), rank=1, figures={"points_for": 88}),
...     )),
... ]
>>> rows = ladder_standings(Ladder(name="General", best=1, presence=2), nights, people={})
>>> [(row.rank, row.players, row.total) for row in rows]
[(1, (7,), 100), (2, (9,), 98), (3, (3,), 92), (4, (5,), 62)]
"""

from .clubs import by_club
from .serialization import (
    MOST_LADDERS,
    PlainLadderRow,
    events_in_scores,
    ladder_from_json,
    ladder_to_json,
    ladders_from_json,
    line_key,
    rows_to_json,
    scores_from_json,
    scores_key,
    scores_to_json,
)
from .shares import FEDERATION_COUNTS, IN_ROWS, figures_of_row, shares_of
from .standings import ladder_standings
from .values import (
    Counts,
    Ladder,
    LadderNight,
    LadderPerson,
    LadderRow,
    LadderUnit,
    PersonId,
    Players,
    Score,
    Share,
    Showing,
    Who,
)

__all__ = [
    "FEDERATION_COUNTS",
    "IN_ROWS",
    "MOST_LADDERS",
    "Counts",
    "Ladder",
    "LadderNight",
    "LadderPerson",
    "LadderRow",
    "LadderUnit",
    "PersonId",
    "PlainLadderRow",
    "Players",
    "Score",
    "Share",
    "Showing",
    "Who",
    "by_club",
    "events_in_scores",
    "figures_of_row",
    "ladder_from_json",
    "ladder_standings",
    "ladder_to_json",
    "ladders_from_json",
    "line_key",
    "rows_to_json",
    "scores_from_json",
    "scores_key",
    "scores_to_json",
    "shares_of",
]
