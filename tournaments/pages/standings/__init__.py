"""The standings: the list, and of each rank its reasons."""

from .kept import Kept, kept_standings
from .reasons import Why, why_of
from .table import StandingsRow, StandingsView, standings_rows, standings_view

__all__ = [
    "Kept",
    "StandingsRow",
    "StandingsView",
    "Why",
    "kept_standings",
    "standings_rows",
    "standings_view",
    "why_of",
]
