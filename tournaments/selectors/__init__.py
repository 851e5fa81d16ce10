"""What is known of events: every read, each with a fixed number of queries."""

from tournaments.counting import WON

from .entries import entries_in, entries_of, entries_of_person, in_seats
from .event_files import event_file_of
from .events import event_at_desk, event_named, public_event
from .history import actions_of
from .lineups import lineup_of
from .played import history_among, known_of
from .records import (
    has_a_page,
    matches_to_count,
    meetings_of,
    people_with_a_page,
    ranked_people,
    record_of,
    record_of_pair,
    records_of_club,
)
from .results import (
    contradictions_of,
    ranked,
    slots_set_by_hand,
    standings_computed_at,
    standings_now,
    standings_of,
)
from .rounds import (
    byes_had,
    missing_tables,
    numbers_at,
    places_in,
    played_tables,
    rounds_of,
    table_numbers,
    tables_of,
    tables_without_winner,
    undecided_tables,
)
from .seasons import begun_events_of, events_of, is_in_a_season, nights_of, scores_of, seasons_with

__all__ = [
    "WON",
    "actions_of",
    "begun_events_of",
    "byes_had",
    "contradictions_of",
    "entries_in",
    "entries_of",
    "entries_of_person",
    "event_at_desk",
    "event_file_of",
    "event_named",
    "events_of",
    "has_a_page",
    "history_among",
    "in_seats",
    "is_in_a_season",
    "known_of",
    "lineup_of",
    "matches_to_count",
    "meetings_of",
    "missing_tables",
    "nights_of",
    "numbers_at",
    "people_with_a_page",
    "places_in",
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
    "table_numbers",
    "tables_of",
    "tables_without_winner",
    "undecided_tables",
]
