"""Every change of a match goes through here."""

from .agreement import agree, dispute, settle
from .marks import record_hand
from .matches import (
    close_cards,
    close_matches,
    issue_cards,
    name_first_dealer,
    open_match,
    reopen_cards,
    reopen_matches,
    withdraw_match,
)
from .rebuilding import rebuild

__all__ = [
    "agree",
    "close_cards",
    "close_matches",
    "dispute",
    "issue_cards",
    "name_first_dealer",
    "open_match",
    "rebuild",
    "record_hand",
    "reopen_cards",
    "reopen_matches",
    "settle",
    "withdraw_match",
]
