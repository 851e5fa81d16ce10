"""Results: from entrants and played tables to draws and standings, over frozen values.

The database and a file (``event_files``) are read into these values, and counted by these functions.
"""

from .draw_inputs import (
    entrant_from_json,
    result_to_json,
    snapshot_from_json,
    snapshot_to_json,
    stages_to_json,
)
from .ledger import Ledger, build_ledger, get_bye_kind, get_missed_kind
from .play_offs import add_play_off, find_tied_leaders
from .played_rounds import SCORE_GAINS, WON, build_played_input, list_first_rounds, list_stage_standings
from .ranking_field import build_counted_field, collect_scores, filter_arrived, rank_sections
from .redraw import RedrawComparison, redraw
from .round_draw import (
    LOT_FIRST_ROUND_FORMATS,
    ComparedPrices,
    NextRound,
    build_draw_input,
    compare_lineups,
    compare_meeting,
    compute_manual_price,
    draw_next_round,
    filter_field_tables,
    get_next_round,
    list_inputs_by_format,
    list_upcoming_slots,
    order_entries,
)
from .values import (
    SCHEDULED_FORMATS,
    ByeReason,
    EventRules,
    EventSnapshot,
    Orders,
    PlayedTable,
    add_progress_metrics,
    get_bye_reason,
    get_default_rules,
    has_bracket,
    has_only_brackets,
    has_pools,
    has_stage_progress,
)

__all__ = [
    "LOT_FIRST_ROUND_FORMATS",
    "SCHEDULED_FORMATS",
    "SCORE_GAINS",
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
    "add_play_off",
    "add_progress_metrics",
    "build_counted_field",
    "build_draw_input",
    "build_ledger",
    "build_played_input",
    "collect_scores",
    "compare_lineups",
    "compare_meeting",
    "compute_manual_price",
    "draw_next_round",
    "entrant_from_json",
    "filter_arrived",
    "filter_field_tables",
    "find_tied_leaders",
    "get_bye_kind",
    "get_bye_reason",
    "get_default_rules",
    "get_missed_kind",
    "get_next_round",
    "has_bracket",
    "has_only_brackets",
    "has_pools",
    "has_stage_progress",
    "list_first_rounds",
    "list_inputs_by_format",
    "list_stage_standings",
    "list_upcoming_slots",
    "order_entries",
    "rank_sections",
    "redraw",
    "result_to_json",
    "snapshot_from_json",
    "snapshot_to_json",
    "stages_to_json",
]
