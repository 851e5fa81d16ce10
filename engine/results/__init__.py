"""Results: from entrants and played tables to draws and standings, over frozen values.

The database and a file (``event_files``) are read into these values, and counted by these functions.
"""

from .draw_inputs import entrant_from_json as entrant_from_json
from .draw_inputs import result_to_json as result_to_json
from .draw_inputs import snapshot_from_json as snapshot_from_json
from .draw_inputs import snapshot_to_json as snapshot_to_json
from .draw_inputs import stages_to_json as stages_to_json
from .ledger import Ledger as Ledger
from .ledger import build_ledger as build_ledger
from .ledger import get_bye_kind as get_bye_kind
from .ledger import get_missed_kind as get_missed_kind
from .play_offs import add_play_off as add_play_off
from .play_offs import find_tied_leaders as find_tied_leaders
from .play_offs import renew_play_off as renew_play_off
from .played_rounds import SCORE_GAINS as SCORE_GAINS
from .played_rounds import WON as WON
from .played_rounds import build_played_input as build_played_input
from .played_rounds import list_first_rounds as list_first_rounds
from .played_rounds import list_stage_standings as list_stage_standings
from .ranking_field import build_counted_field as build_counted_field
from .ranking_field import collect_scores as collect_scores
from .ranking_field import filter_arrived as filter_arrived
from .ranking_field import list_left_out_rounds as list_left_out_rounds
from .ranking_field import rank_pools as rank_pools
from .ranking_field import rank_sections as rank_sections
from .redraw import RedrawComparison as RedrawComparison
from .redraw import redraw as redraw
from .round_draw import LOT_FIRST_ROUND_FORMATS as LOT_FIRST_ROUND_FORMATS
from .round_draw import ComparedPrices as ComparedPrices
from .round_draw import NextRound as NextRound
from .round_draw import build_draw_input as build_draw_input
from .round_draw import compare_lineups as compare_lineups
from .round_draw import compare_meeting as compare_meeting
from .round_draw import compute_manual_price as compute_manual_price
from .round_draw import draw_next_round as draw_next_round
from .round_draw import filter_field_tables as filter_field_tables
from .round_draw import get_next_round as get_next_round
from .round_draw import list_inputs_by_format as list_inputs_by_format
from .round_draw import list_upcoming_slots as list_upcoming_slots
from .round_draw import order_entries as order_entries
from .values import SCHEDULED_FORMATS as SCHEDULED_FORMATS
from .values import ByeReason as ByeReason
from .values import EventRules as EventRules
from .values import EventSnapshot as EventSnapshot
from .values import Orders as Orders
from .values import PlayedTable as PlayedTable
from .values import add_progress_metrics as add_progress_metrics
from .values import build_bye as build_bye
from .values import get_bye_reason as get_bye_reason
from .values import get_default_rules as get_default_rules
from .values import has_bracket as has_bracket
from .values import has_only_brackets as has_only_brackets
from .values import has_pools as has_pools
from .values import has_stage_progress as has_stage_progress
