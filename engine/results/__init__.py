"""From who takes part and what was played to draws and standings: the counting itself, over frozen values.

The database and a file (``event_files``) are read into the same values, and counted by the same functions.
"""

from .counting import counted_field, scores_of
from .draw_inputs import plain_known, plain_result, plain_stages, stored_entrant, stored_known
from .drawing import best_first, draw_by, draw_input_of, inputs_by_format, price_by_hand, slots_ahead
from .playing import WON, first_rounds, played_of, stage_standings
from .redrawing import RedrawComparison, redraw
from .values import (
    ByeReason,
    EventRules,
    EventSnapshot,
    Orders,
    PlayedTable,
    has_bracket,
    tells_how_far,
    why_sat_out,
    with_how_far,
)

__all__ = [
    "WON",
    "ByeReason",
    "EventRules",
    "EventSnapshot",
    "Orders",
    "PlayedTable",
    "RedrawComparison",
    "best_first",
    "counted_field",
    "draw_by",
    "draw_input_of",
    "first_rounds",
    "has_bracket",
    "inputs_by_format",
    "plain_known",
    "plain_result",
    "plain_stages",
    "played_of",
    "price_by_hand",
    "redraw",
    "scores_of",
    "slots_ahead",
    "stage_standings",
    "stored_entrant",
    "stored_known",
    "tells_how_far",
    "why_sat_out",
    "with_how_far",
]
