"""The standings: the list, and of each rank its reasons."""

from .figures import figures_shown, has_bracket_places, tells_a_result
from .reasons import RankExplanation, why_of
from .snapshots import StandingsSnapshot, kept_as_final, kept_publicly, kept_standings
from .table import StandingsRow, StandingsView, standings_rows, standings_view

__all__ = [
    "RankExplanation",
    "StandingsRow",
    "StandingsSnapshot",
    "StandingsView",
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
