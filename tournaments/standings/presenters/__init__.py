"""The standings: the list, and of each rank its reasons."""

from .figures import figures_shown, has_bracket_places, tells_a_result
from .reasons import Why, why_of
from .snapshots import Kept, kept_as_final, kept_publicly, kept_standings
from .table import StandingsRow, StandingsView, standings_rows, standings_view

__all__ = [
    "Kept",
    "StandingsRow",
    "StandingsView",
    "Why",
    "figures_shown",
    "has_bracket_places",
    "kept_as_final",
    "kept_publicly",
    "kept_standings",
    "standings_rows",
    "standings_view",
    "tells_a_result",
    "why_of",
]
