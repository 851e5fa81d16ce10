"""Presenters of standings: the list, and the reasons for each rank."""

from .figures import figures_shown, has_bracket_places, in_columns, tells_a_result
from .reasons import RankExplanation, why_of
from .snapshots import StandingsSnapshot, final_snapshot, latest_snapshot, public_snapshot
from .table import (
    StandingsRow,
    StandingsStatus,
    StandingsView,
    finals_of,
    rounds_counted,
    standings_rows,
    standings_status,
    standings_view,
    who_left,
)

__all__ = [
    "RankExplanation",
    "StandingsRow",
    "StandingsSnapshot",
    "StandingsStatus",
    "StandingsView",
    "figures_shown",
    "final_snapshot",
    "finals_of",
    "has_bracket_places",
    "in_columns",
    "latest_snapshot",
    "public_snapshot",
    "rounds_counted",
    "standings_rows",
    "standings_status",
    "standings_view",
    "tells_a_result",
    "who_left",
    "why_of",
]
