"""Rankings: from counted results to ranks, each with its reason. Plain Python, whole numbers.

Standings are a function of the entries, their results, the rules of the ranking, a seed for lots, and the
director's adjustments: the same input gives the same standings on every machine.

>>> one, two, three = EntryId(11), EntryId(12), EntryId(13)
>>> results = {
...     one: [Result(round=1, outcome=Outcome.LOST, opponents=(two,), points_for=20, points_against=32)],
...     two: [Result(round=1, outcome=Outcome.WON, opponents=(one,), points_for=32, points_against=20)],
...     three: [Result(round=1, outcome=Outcome.WON, kind=OutcomeKind.BYE)],
... }
>>> rules = RankingRules(order=("match_wins", "points_for"))
>>> rows = rank_entries({one: 1, two: 2, three: 3}, results, rules, games_to_win=1)
>>> [(row.rank, row.entry, row.decided_by) for row in rows]
[(1, 12, None), (2, 13, 'points_for'), (3, 11, 'match_wins')]
"""

from engine.draws import EntryId as EntryId

from .divisions import DivisionMove as DivisionMove
from .divisions import find_division_moves as find_division_moves
from .field import ADJUSTABLE as ADJUSTABLE
from .field import RankedField as RankedField
from .field import build_ranked_field as build_ranked_field
from .lines import WHOLE as WHOLE
from .lines import EntryResults as EntryResults
from .meetings import ClubMatch as ClubMatch
from .meetings import ClubMeeting as ClubMeeting
from .meetings import ClubResult as ClubResult
from .meetings import ClubScore as ClubScore
from .meetings import compute_club_scores as compute_club_scores
from .metrics import CHOICES as CHOICES
from .metrics import DISQUALIFIED as DISQUALIFIED
from .metrics import LEFT_POOL as LEFT_POOL
from .metrics import METRICS as METRICS
from .metrics import PER_MATCH_METRICS as PER_MATCH_METRICS
from .metrics import PLACES as PLACES
from .metrics import SCOPES_WITHOUT_PARTS as SCOPES_WITHOUT_PARTS
from .metrics import UNPLAYED_VICTORY_POINTS as UNPLAYED_VICTORY_POINTS
from .metrics import VICTORY_POINTS as VICTORY_POINTS
from .metrics import Direction as Direction
from .metrics import Metric as Metric
from .metrics import MetricScope as MetricScope
from .metrics import Unit as Unit
from .metrics import compute_victory_margins as compute_victory_margins
from .metrics import draw_lot as draw_lot
from .metrics import has_result as has_result
from .metrics import place_leavers as place_leavers
from .pools import place_in_pools as place_in_pools
from .ranking_rules import ACROSS_POOLS as ACROSS_POOLS
from .ranking_rules import BYE_VALUES as BYE_VALUES
from .ranking_rules import DISQUALIFICATION_CHOICES as DISQUALIFICATION_CHOICES
from .ranking_rules import LEGACY_MISSED_KINDS as LEGACY_MISSED_KINDS
from .ranking_rules import SCHEDULE_RULES as SCHEDULE_RULES
from .ranking_rules import UNPLAYED_KINDS as UNPLAYED_KINDS
from .ranking_rules import USUAL_ORDER as USUAL_ORDER
from .ranking_rules import AcrossPools as AcrossPools
from .ranking_rules import DisqualificationRule as DisqualificationRule
from .ranking_rules import RankingRules as RankingRules
from .ranking_rules import UnplayedOpponent as UnplayedOpponent
from .ranking_rules import ranking_rules_from_json as ranking_rules_from_json
from .ranking_rules import ranking_rules_to_json as ranking_rules_to_json
from .ranking_rules import use_half_wins as use_half_wins
from .reasons import break_down_metric as break_down_metric
from .reasons import compare_rows as compare_rows
from .reasons import compare_values as compare_values
from .reasons import find_deciding_metric as find_deciding_metric
from .standings import COLUMNS as COLUMNS
from .standings import rank_entries as rank_entries
from .standings import rank_field as rank_field
from .values import MET_KINDS as MET_KINDS
from .values import MISSED_KINDS as MISSED_KINDS
from .values import NO_PLACE as NO_PLACE
from .values import STILL_PLAYING_PLACE as STILL_PLAYING_PLACE
from .values import Average as Average
from .values import Bye as Bye
from .values import CriterionComparison as CriterionComparison
from .values import Meeting as Meeting
from .values import MetricPart as MetricPart
from .values import Outcome as Outcome
from .values import OutcomeKind as OutcomeKind
from .values import Result as Result
from .values import ResultAdjustment as ResultAdjustment
from .values import Row as Row
from .values import StageGroup as StageGroup
