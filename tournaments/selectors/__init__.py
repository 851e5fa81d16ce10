"""What is known of events: every read, each with a fixed number of queries."""

from .drawing import draw_input, plan_of, price_inputs
from .entries import entries_in, entries_of, in_seats
from .events import directed_event, public_event
from .history import actions_of
from .lineups import lineup_of
from .played import WON, played_so_far, stage_standings
from .results import (
    adjustments_of,
    contradictions_of,
    ranked,
    ranking_field,
    results_by_entry,
    standings_computed_at,
    standings_of,
)
from .rounds import byes_of, missing_tables, played_tables, rounds_of, tables_of

__all__ = [
    "WON",
    "actions_of",
    "adjustments_of",
    "byes_of",
    "contradictions_of",
    "directed_event",
    "draw_input",
    "entries_in",
    "entries_of",
    "in_seats",
    "lineup_of",
    "missing_tables",
    "plan_of",
    "played_so_far",
    "played_tables",
    "price_inputs",
    "public_event",
    "ranked",
    "ranking_field",
    "results_by_entry",
    "rounds_of",
    "stage_standings",
    "standings_computed_at",
    "standings_of",
    "tables_of",
]
