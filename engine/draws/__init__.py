"""Draws: the pairings of the next round, with their reasons. Plain Python, one file per format.

A draw is a function of entrants, history, settings and seed: the same input gives the same draw on every
machine. So a format takes its chance from ``Random(seed).random()`` alone (the one method whose numbers
Python promises to keep), and lets neither the order of a set nor the value of an entry's id decide.

>>> entrants = tuple(Entrant(id=EntryId(7 + number), number=number) for number in (1, 2, 3, 4))
>>> drawn = draw("swiss", DrawInput(round=1, entrants=entrants, seed=1))
>>> [(table.a, table.b) for table in drawn.tables]
[((10,), (8,)), ((11,), (9,))]
"""

from engine.draws.pairing_cost.certificates import certificate_from_json as certificate_from_json
from engine.draws.pairing_cost.certificates import certificate_to_json as certificate_to_json
from engine.draws.pairing_cost.certificates import is_proved as is_proved

from .formats import FORMATS as FORMATS
from .values import VERSION as VERSION
from .values import Bond as Bond
from .values import Certificate as Certificate
from .values import Draw as Draw
from .values import DrawInput as DrawInput
from .values import DrawnBye as DrawnBye
from .values import DrawnTable as DrawnTable
from .values import Entrant as Entrant
from .values import EntryId as EntryId
from .values import Format as Format
from .values import LockedTable as LockedTable
from .values import Partners as Partners
from .values import PlayedPairing as PlayedPairing
from .values import Reason as Reason
from .values import ReasonCode as ReasonCode


def draw(format_key: str, draw_input: DrawInput) -> Draw:
    """Draw the next round by the format of this key, one of ``FORMATS``."""
    return FORMATS[format_key].draw(draw_input)
