"""What the pages of an event show, as values. Templates add only words."""

from .desk import DeskView, desk_view
from .effects import EffectsView, effects_view
from .names import full_names
from .rounds import RoundView, TableSide, TableView, round_view
from .standings import StandingsRow, standings_rows

__all__ = [
    "DeskView",
    "EffectsView",
    "RoundView",
    "StandingsRow",
    "TableSide",
    "TableView",
    "desk_view",
    "effects_view",
    "full_names",
    "round_view",
    "standings_rows",
]
