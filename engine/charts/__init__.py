"""Charts of brackets, cross tables and pools, and contradictions after corrections. Plain Python.

A chart is built from entries and played matches; ``add_chart_names`` adds the names that this reader may see.

>>> from engine.draws import Entrant, EntryId
>>> entrants = [Entrant(id=EntryId(number), number=number) for number in (1, 2, 3)]
>>> chart = build_bracket_chart("knockout", {}, entrants, ())
>>> [[slot.key for slot in column.slots] for column in chart.parts[0].rounds]
[['W1-1', 'W1-2'], ['W2-1']]
"""

from .brackets import build_bracket_chart
from .chart_scores import add_ranks, add_scores
from .contradictions import Contradiction, find_contradictions
from .cross_tables import build_cross_table, build_pool_tables
from .names import add_chart_names, add_stage_names
from .places import EventStructure, MatchPlace, PlacesMixin, build_structure, get_stage_place
from .stages import build_charts, find_event_contradictions
from .values import (
    BracketChart,
    ChartMeeting,
    ChartPart,
    ChartRound,
    ChartSide,
    ChartSlot,
    CrossRow,
    CrossTable,
    CrossTableCell,
    MeetingResult,
    PartKind,
    RoundKind,
    SlotState,
    StageChart,
)

__all__ = [
    "BracketChart",
    "ChartMeeting",
    "ChartPart",
    "ChartRound",
    "ChartSide",
    "ChartSlot",
    "Contradiction",
    "CrossRow",
    "CrossTable",
    "CrossTableCell",
    "EventStructure",
    "MatchPlace",
    "MeetingResult",
    "PartKind",
    "PlacesMixin",
    "RoundKind",
    "SlotState",
    "StageChart",
    "add_chart_names",
    "add_ranks",
    "add_scores",
    "add_stage_names",
    "build_bracket_chart",
    "build_charts",
    "build_cross_table",
    "build_pool_tables",
    "build_structure",
    "find_contradictions",
    "find_event_contradictions",
    "get_stage_place",
]
