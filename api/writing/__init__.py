"""API operations that change data. Each calls one service, which pages call, too."""

from .boards import BOARD_OPERATIONS
from .club import CLUB_OPERATIONS
from .entries import ENTRY_OPERATIONS
from .events import EVENT_OPERATIONS
from .federations import FEDERATION_OPERATIONS
from .prizes import PRIZE_OPERATIONS
from .rounds import ROUND_OPERATIONS
from .webhooks import WEBHOOK_OPERATIONS

WRITE_OPERATIONS = [
    *CLUB_OPERATIONS,
    *EVENT_OPERATIONS,
    *ENTRY_OPERATIONS,
    *ROUND_OPERATIONS,
    *PRIZE_OPERATIONS,
    *BOARD_OPERATIONS,
    *WEBHOOK_OPERATIONS,
    *FEDERATION_OPERATIONS,
]
