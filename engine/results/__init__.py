"""Results: from entrants and played tables to draws and standings, over frozen values.

The database and a file (``event_files``) are read into these values, and counted by these functions.
"""

from .draw_inputs import (
    entrant_from_json,
    result_to_json,
    snapshot_from_json,
    snapshot_to_json,
)
from .ledger import Ledger, kind_of_bye, ledger_of, reason_missed
from .played_rounds import GAINED, WON, first_rounds, played_of, stage_standings
from .ranking_field import counted_field, rank_arrived, scores_of
from .redraw import RedrawComparison, redraw
from .round_draw import (
    FIRST_BY_LOT,
    ComparedPrices,
    NextRound,
    best_first,
    compare_lineups,
    compare_meeting,
    draw_by,
    draw_input_of,
    inputs_by_format,
    next_round_of,
    price_by_hand,
    slots_ahead,
    tables_of,
)
from .values import (
    SCHEDULED,
    ByeReason,
    EventRules,
    EventSnapshot,
    Orders,
    PlayedTable,
    has_bracket,
    has_only_brackets,
    has_pools,
    tells_how_far,
    usual_rules,
    why_sat_out,
    with_how_far,
)

__all__ = [
    "FIRST_BY_LOT",
    "GAINED",
    "SCHEDULED",
    "WON",
    "ByeReason",
    "ComparedPrices",
    "EventRules",
    "EventSnapshot",
    "Ledger",
    "NextRound",
    "Orders",
    "PlayedTable",
    "RedrawComparison",
    "best_first",
    "compare_lineups",
    "compare_meeting",
    "counted_field",
    "draw_by",
    "draw_input_of",
    "entrant_from_json",
    "first_rounds",
    "has_bracket",
    "has_only_brackets",
    "has_pools",
    "inputs_by_format",
    "kind_of_bye",
    "ledger_of",
    "next_round_of",
    "played_of",
    "price_by_hand",
    "rank_arrived",
    "reason_missed",
    "redraw",
    "result_to_json",
    "scores_of",
    "slots_ahead",
    "snapshot_from_json",
    "snapshot_to_json",
    "stage_standings",
    "tables_of",
    "tells_how_far",
    "usual_rules",
    "why_sat_out",
    "with_how_far",
]
