"""What is known of events: every read, each with a fixed number of queries."""

from tournaments.counting import WON

from .drawing import draw_input
from .entries import entries_in, entries_of, in_seats
from .event_files import event_file_of
from .events import event_at_desk, public_event
from .history import actions_of
from .lineups import lineup_of
from .played import known_of
from .records import matches_to_count, meetings_of, ranked_people, record_of, record_of_pair, records_of_club
from .results import (
    contradictions_of,
    ranked,
    slots_set_by_hand,
    standings_computed_at,
    standings_now,
    standings_of,
)
from .rounds import byes_of, missing_tables, numbers_at, played_tables, rounds_of, tables_of
from .seasons import events_of, is_in_a_season, nights_of, scores_of, seasons_with

__all__ = [
    "WON",
    "actions_of",
    "byes_of",
    "contradictions_of",
    "draw_input",
    "entries_in",
    "entries_of",
    "event_at_desk",
    "event_file_of",
    "events_of",
    "in_seats",
    "is_in_a_season",
    "known_of",
    "lineup_of",
    "matches_to_count",
    "meetings_of",
    "missing_tables",
    "nights_of",
    "numbers_at",
    "played_tables",
    "public_event",
    "ranked",
    "ranked_people",
    "record_of",
    "record_of_pair",
    "records_of_club",
    "rounds_of",
    "scores_of",
    "seasons_with",
    "slots_set_by_hand",
    "standings_computed_at",
    "standings_now",
    "standings_of",
    "tables_of",
]
