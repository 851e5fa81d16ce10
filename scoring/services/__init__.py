"""Every change of a match goes through here."""

from .agreement import agree, dispute, settle
from .marks import record_hand
from .matches import (
    Seats,
    close_cards,
    close_matches,
    issue_cards,
    name_first_dealer,
    open_matches,
    reopen_cards,
    reopen_matches,
    reseat_match,
    withdraw_matches,
)
from .rebuilding import rebuild

__all__ = [
    "Seats",
    "agree",
    "close_cards",
    "close_matches",
    "dispute",
    "issue_cards",
    "name_first_dealer",
    "open_matches",
    "rebuild",
    "record_hand",
    "reopen_cards",
    "reopen_matches",
    "reseat_match",
    "settle",
    "withdraw_matches",
]
