"""The last hand of a table once the time of its round is over.

``static/js/table/last_hand.js`` decides the same on a phone without a network.
"""

from enum import StrEnum

from rules import MatchState

from .logs import Log
from .models import Mark, Match


class LastHandState(StrEnum):
    """State of a table after its last hand: done, or tied and about to play an extra one for a winner."""

    PLAYED = "played"
    EXTRA = "extra"


def get_last_hand_state(match: Match, log: Log[Mark], state: MatchState) -> LastHandState | None:
    """Return what follows the last hand of a table; None before the table has recorded it.

    It is the first hand that was recorded after the time. A correction of an earlier one does not count.
    """
    clock, number = match.card.clock, log.last_played_number
    if clock is None or clock.stops_at is None or not number or state.is_over:
        return None
    if min(mark.created_at for mark in match.written_marks if mark.number == number) < clock.stops_at:
        return None
    is_tied = match.card.number in clock.extra_hand_tables and state.leader is None
    return LastHandState.EXTRA if is_tied else LastHandState.PLAYED
