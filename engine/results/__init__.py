"""From who takes part and what was played to draws and standings: the counting itself, over frozen values.

The database and a file (``event_files``) are read into the same values, and counted by the same functions.
"""

from .counting import counted_field, rank_arrived, scores_of
from .draw_inputs import (
    entrant_from_json,
    result_to_json,
    snapshot_from_json,
    snapshot_to_json,
    stages_to_json,
)
from .drawing import (
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
    price_of_lineup,
    slots_ahead,
    tables_of,
)
from .ledger import Ledger, ledger_of, reason_missed
from .playing import WON, first_rounds, played_of, stage_standings
from .redrawing import RedrawComparison, redraw
from .values import (
    SAT_OUT_COUNTS,
    ByeReason,
    EventRules,
    EventSnapshot,
    Orders,
    PlayedTable,
    has_bracket,
    has_only_brackets,
    tells_how_far,
    why_sat_out,
    with_how_far,
)

__all__ = [
    "FIRST_BY_LOT",
    "SAT_OUT_COUNTS",
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
    "inputs_by_format",
    "ledger_of",
    "next_round_of",
    "played_of",
    "price_by_hand",
    "price_of_lineup",
    "rank_arrived",
    "reason_missed",
    "redraw",
    "result_to_json",
    "scores_of",
    "slots_ahead",
    "snapshot_from_json",
    "snapshot_to_json",
    "stage_standings",
    "stages_to_json",
    "tables_of",
    "tells_how_far",
    "why_sat_out",
    "with_how_far",
]
