"""The standings: the list, and of each rank its reasons."""

from .kept import Kept, kept_as_final, kept_publicly, kept_standings
from .reasons import Why, why_of
from .table import StandingsRow, StandingsView, standings_rows, standings_view

__all__ = [
    "Kept",
    "StandingsRow",
    "StandingsView",
    "Why",
    "kept_as_final",
    "kept_publicly",
    "kept_standings",
    "standings_rows",
    "standings_view",
    "why_of",
]
