"""Presenters of standings: the list, and the reasons for each rank."""

from .figures import build_figure_reader, has_places, list_column_metrics
from .reasons import RankExplanation, explain_rank
from .snapshots import StandingsSnapshot, get_final_snapshot, get_latest_snapshot, get_public_snapshot
from .table import (
    StandingsRow,
    StandingsStatus,
    StandingsView,
    build_standings_rows,
    build_standings_view,
    get_counted_rounds,
    get_standings_status,
    map_final_stages,
    map_left_entries,
)
