"""Charts of brackets, cross tables and pools, and the matches that a correction contradicts. Plain Python.

A chart is made of entries and what was played; ``chart_with_names`` gives it the names that this reader may
see.

>>> from engine.draws import Entrant, EntryId
>>> entrants = [Entrant(id=EntryId(number), number=number) for number in (1, 2, 3)]
>>> chart = bracket_chart("knockout", {}, entrants, ())
>>> [[slot.key for slot in column.slots] for column in chart.parts[0].rounds]
[['W1-1', 'W1-2'], ['W2-1']]
"""

from .brackets import bracket_chart
from .chart_scores import scored_stage
from .contradictions import Contradiction, contradictions
from .cross_tables import cross_table, pool_tables
from .names import chart_with_names, named_stage
from .places import EventStructure, MatchPlace, WithPlaces, structure_of
from .stages import charts_of, contradictions_of
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
    "RoundKind",
    "SlotState",
    "StageChart",
    "WithPlaces",
    "bracket_chart",
    "chart_with_names",
    "charts_of",
    "contradictions",
    "contradictions_of",
    "cross_table",
    "named_stage",
    "pool_tables",
    "scored_stage",
    "structure_of",
]
