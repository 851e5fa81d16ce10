"""Charts of brackets, cross tables and pools, and contradictions after corrections. Plain Python.

A chart is built from entries and played matches; ``add_chart_names`` adds the names that this reader may see.

>>> from engine.draws import Entrant, EntryId
>>> entrants = [Entrant(id=EntryId(number), number=number) for number in (1, 2, 3)]
>>> chart = build_bracket_chart("knockout", {}, entrants, ())
>>> [[slot.key for slot in column.slots] for column in chart.parts[0].rounds]
[['W1-1', 'W1-2'], ['W2-1']]
"""

from .brackets import build_bracket_chart as build_bracket_chart
from .chart_scores import add_ranks as add_ranks
from .chart_scores import add_scores as add_scores
from .contradictions import Contradiction as Contradiction
from .contradictions import find_contradictions as find_contradictions
from .cross_tables import build_cross_table as build_cross_table
from .cross_tables import build_pool_tables as build_pool_tables
from .names import add_chart_names as add_chart_names
from .names import add_stage_names as add_stage_names
from .places import EventStructure as EventStructure
from .places import MatchPlace as MatchPlace
from .places import PlacesMixin as PlacesMixin
from .places import build_structure as build_structure
from .places import get_stage_place as get_stage_place
from .stages import build_charts as build_charts
from .stages import find_event_contradictions as find_event_contradictions
from .values import BracketChart as BracketChart
from .values import ChartMeeting as ChartMeeting
from .values import ChartPart as ChartPart
from .values import ChartRound as ChartRound
from .values import ChartSide as ChartSide
from .values import ChartSlot as ChartSlot
from .values import CrossRow as CrossRow
from .values import CrossTable as CrossTable
from .values import CrossTableCell as CrossTableCell
from .values import MeetingResult as MeetingResult
from .values import PartKind as PartKind
from .values import RoundKind as RoundKind
from .values import SlotState as SlotState
from .values import StageChart as StageChart
