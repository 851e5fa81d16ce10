"""All changes of matches. Nothing else writes them."""

from .agreement import agree, dispute, open_call, settle_call, withdraw_dispute
from .bundles import ReadBundle, RefusedEntry, read_bundles
from .cache_check import complete_summaries, rebuild
from .calling_time import call_time, withdraw_time
from .cards import (
    close_cards,
    issue_cards,
    lead_cards,
    reopen_cards,
    replace_card,
    show_on_cards,
    turn_phone_away,
)
from .imports import ImportedMatch, bring_in_matches
from .late_marks import record_hand_of_phone
from .log_repair import accept_log, chains_renewed, complete_chains, note_damage, repair_log
from .log_restore import bring_back_log
from .marks import WrittenHand, record_hand, record_hands
from .matches import (
    Seats,
    change_own_terms,
    close_matches,
    name_first_dealer,
    open_matches,
    reopen_matches,
    reseat_match,
    withdraw_matches,
)
from .phones import hear_phone, write_phones
from .scorekeeper import answer_scorekeeping_request, request_scorekeeping
from .sheets import record_sheet

__all__ = [
    "ImportedMatch",
    "ReadBundle",
    "RefusedEntry",
    "Seats",
    "WrittenHand",
    "accept_log",
    "agree",
    "answer_scorekeeping_request",
    "bring_back_log",
    "bring_in_matches",
    "call_time",
    "chains_renewed",
    "change_own_terms",
    "close_cards",
    "close_matches",
    "complete_chains",
    "complete_summaries",
    "dispute",
    "hear_phone",
    "issue_cards",
    "lead_cards",
    "name_first_dealer",
    "note_damage",
    "open_call",
    "open_matches",
    "read_bundles",
    "rebuild",
    "record_hand",
    "record_hand_of_phone",
    "record_hands",
    "record_sheet",
    "reopen_cards",
    "reopen_matches",
    "repair_log",
    "replace_card",
    "request_scorekeeping",
    "reseat_match",
    "settle_call",
    "show_on_cards",
    "turn_phone_away",
    "withdraw_dispute",
    "withdraw_matches",
    "withdraw_time",
    "write_phones",
]
