"""API operations that change data. Each calls one service, which pages call, too."""

from .boards import OF_BOARDS
from .club import OF_THE_CLUB
from .entries import OF_ENTRIES
from .events import OF_AN_EVENT
from .federations import OF_FEDERATIONS
from .prizes import OF_PRIZES
from .rounds import OF_ROUNDS
from .webhooks import OF_WEBHOOKS

WRITING = [
    *OF_THE_CLUB,
    *OF_AN_EVENT,
    *OF_ENTRIES,
    *OF_ROUNDS,
    *OF_PRIZES,
    *OF_BOARDS,
    *OF_WEBHOOKS,
    *OF_FEDERATIONS,
]
