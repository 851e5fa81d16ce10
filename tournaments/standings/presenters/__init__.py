"""Presenters of standings: the list, and the reasons for each rank."""

from .snapshots import StandingsSnapshot, get_final_snapshot, get_latest_snapshot, get_public_snapshot
from .table import (
    StandingsRow,
    StandingsStatus,
    StandingsView,
    build_standings_view,
    get_counted_rounds,
    get_standings_status,
    map_final_stages,
)
