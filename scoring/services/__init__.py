"""Every change of a match goes through here."""

from .agreement import agree, dispute, settle, withdraw_dispute
from .imports import ImportedMatch, bring_in_matches
from .marks import WrittenHand, record_hand, record_hands
from .matches import (
    Seats,
    close_cards,
    close_matches,
    issue_cards,
    lead_cards,
    name_first_dealer,
    open_matches,
    reopen_cards,
    reopen_matches,
    reseat_match,
    set_clock,
    withdraw_matches,
)
from .rebuilding import complete_summaries, rebuild
from .sheets import record_sheet

__all__ = [
    "ImportedMatch",
    "Seats",
    "WrittenHand",
    "agree",
    "bring_in_matches",
    "close_cards",
    "close_matches",
    "complete_summaries",
    "dispute",
    "issue_cards",
    "lead_cards",
    "name_first_dealer",
    "open_matches",
    "rebuild",
    "record_hand",
    "record_hands",
    "record_sheet",
    "reopen_cards",
    "reopen_matches",
    "reseat_match",
    "set_clock",
    "settle",
    "withdraw_dispute",
    "withdraw_matches",
]
