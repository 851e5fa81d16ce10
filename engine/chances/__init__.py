"""Each side's chance of winning a match, from totals, games and dealer. Plain Python.

Both sides are taken as equally strong. Chances are computed from the frequencies of hands (``engine.hands``),
not simulated. In a match by the clock nobody knows how many hands are left, so there are none before its end.

>>> from rules import CANADIAN, MatchFormat, PlayedHand, Side, fold
>>> won = ((Side.A, "7"), (Side.B, "gros_mulot"), (Side.A, "mulot"), (Side.A, "charlemagne"))
>>> hands = [PlayedHand(side=side, contract=contract, made=True) for side, contract in won]
>>> match = fold(CANADIAN, MatchFormat(games_to_win=1), enumerate(hands, start=1))
>>> [swing.after.percentages for swing in compute_swings(match)]
[(61, 0, 39), (9, 0, 91), (28, 0, 72), (100, 0, 0)]
>>> find_turning_hand(match).line.number
4
"""

from .curves import Swing as Swing
from .curves import compute_chance as compute_chance
from .curves import compute_swings as compute_swings
from .curves import find_lowest_chance as find_lowest_chance
from .curves import find_turning_hand as find_turning_hand
from .tables import Chance as Chance
from .tables import Chances as Chances
from .tables import Position as Position
from .tables import get_chances as get_chances
from .tables import get_position as get_position
