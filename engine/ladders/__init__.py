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

from .clubs import sum_by_club as sum_by_club
from .serialization import MAX_LADDERS as MAX_LADDERS
from .serialization import LadderRowJson as LadderRowJson
from .serialization import build_line_key as build_line_key
from .serialization import build_scores_key as build_scores_key
from .serialization import ladder_from_json as ladder_from_json
from .serialization import ladder_to_json as ladder_to_json
from .serialization import ladders_from_json as ladders_from_json
from .serialization import list_score_events as list_score_events
from .serialization import rows_to_json as rows_to_json
from .serialization import scores_from_json as scores_from_json
from .serialization import scores_to_json as scores_to_json
from .shares import FEDERATION_COUNTS as FEDERATION_COUNTS
from .shares import ROW_FIGURES as ROW_FIGURES
from .shares import get_row_figures as get_row_figures
from .shares import split_figures as split_figures
from .standings import compute_ladder_standings as compute_ladder_standings
from .values import Eligibility as Eligibility
from .values import Ladder as Ladder
from .values import LadderFigure as LadderFigure
from .values import LadderNight as LadderNight
from .values import LadderPerson as LadderPerson
from .values import LadderRow as LadderRow
from .values import LadderUnit as LadderUnit
from .values import NightResult as NightResult
from .values import PersonId as PersonId
from .values import Players as Players
from .values import Score as Score
from .values import Share as Share
