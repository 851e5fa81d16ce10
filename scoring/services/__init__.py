"""All changes of matches. Nothing else writes them."""

from .agreement import call_desk, open_call, record_agreement, settle_call, withdraw_call
from .bundles import RecordedBundle, RefusedEntry, record_bundles
from .cache_check import complete_summaries, rebuild_match
from .cards import (
    close_cards,
    issue_cards,
    lead_cards,
    reopen_cards,
    replace_card,
    turn_phone_away,
    update_card_displays,
)
from .imports import ImportedMatch, bring_in_matches
from .late_marks import record_phone_hand
from .log_repair import accept_log, chains_renewed, complete_chains, detect_damage, repair_log
from .log_restore import restore_log
from .marks import SheetHand, record_hand, record_hands
from .matches import (
    Seats,
    change_own_terms,
    close_matches,
    move_matches,
    name_first_dealer,
    open_matches,
    reopen_matches,
    reseat_match,
    withdraw_matches,
)
from .phones import record_phone_report, write_phone_reports
from .scorekeeper import answer_scorekeeper_request, request_scorekeeper_role
from .sheets import record_sheet
from .time_calls import call_time, withdraw_time_call

__all__ = [
    "ImportedMatch",
    "RecordedBundle",
    "RefusedEntry",
    "Seats",
    "SheetHand",
    "accept_log",
    "answer_scorekeeper_request",
    "bring_in_matches",
    "call_desk",
    "call_time",
    "chains_renewed",
    "change_own_terms",
    "close_cards",
    "close_matches",
    "complete_chains",
    "complete_summaries",
    "detect_damage",
    "issue_cards",
    "lead_cards",
    "move_matches",
    "name_first_dealer",
    "open_call",
    "open_matches",
    "rebuild_match",
    "record_agreement",
    "record_bundles",
    "record_hand",
    "record_hands",
    "record_phone_hand",
    "record_phone_report",
    "record_sheet",
    "reopen_cards",
    "reopen_matches",
    "repair_log",
    "replace_card",
    "request_scorekeeper_role",
    "reseat_match",
    "restore_log",
    "settle_call",
    "turn_phone_away",
    "update_card_displays",
    "withdraw_call",
    "withdraw_matches",
    "withdraw_time_call",
    "write_phone_reports",
]
