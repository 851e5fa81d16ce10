"""What is known of events: every read, each with a fixed number of queries."""

from .drawing import draw_input
from .entries import entries_of, in_seats
from .events import directed_event, public_event
from .results import results_by_entry, standings_computed_at, standings_of
from .rounds import byes_of, missing_tables, rounds_of, tables_of

__all__ = [
    "byes_of",
    "directed_event",
    "draw_input",
    "entries_of",
    "in_seats",
    "missing_tables",
    "public_event",
    "results_by_entry",
    "rounds_of",
    "standings_computed_at",
    "standings_of",
    "tables_of",
]
