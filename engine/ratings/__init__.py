"""Ratings: playing strength from match results, by Weng and Lin's method, computed by openskill.

A rating is a function of the matches in order, and of nothing else. Its model is Bradley and Terry's, since a
match has exactly two sides, and a draw is half a win each; Plackett and Luce, the usual choice for more
sides, is not needed here. The margin of a win does not matter.

>>> from datetime import date
>>> from rules import Side
>>> from engine.records import RecordedMatch, PersonId
>>> sides = (PersonId(7), PersonId(9)), (PersonId(3), PersonId(5))
>>> found = compute_ratings([RecordedMatch(event=1, held_on=date(2026, 9, 8), sides=sides, winner=Side.A)])
>>> [(person, one.display, one.margin) for person, one in sorted(found.items())]
[(3, 1441, 245), (5, 1441, 245), (7, 1559, 245), (9, 1559, 245)]
"""

from .values import FIRST_SHOWN as FIRST_SHOWN
from .values import MIN_MATCHES as MIN_MATCHES
from .values import Rating as Rating
from .values import RatingStep as RatingStep
from .values import steps_from_json as steps_from_json
from .values import steps_to_json as steps_to_json
from .weng_lin import compute_ranks as compute_ranks
from .weng_lin import compute_ratings as compute_ratings
