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

from engine.draws import EntryId

from .divisions import DivisionMove, find_division_moves
from .field import ADJUSTABLE, RankedField, build_ranked_field
from .lines import WHOLE, EntryResults
from .meetings import ClubMatch, ClubMeeting, ClubResult, ClubScore, compute_club_scores
from .metrics import (
    CHOICES,
    DISQUALIFIED,
    LEFT_POOL,
    METRICS,
    PER_MATCH_METRICS,
    PLACES,
    SCOPES_WITHOUT_PARTS,
    UNPLAYED_VICTORY_POINTS,
    VICTORY_POINTS,
    Direction,
    Metric,
    MetricScope,
    Unit,
    compute_victory_margins,
    draw_lot,
    has_result,
    place_leavers,
)
from .pools import place_in_pools
from .ranking_rules import (
    ACROSS_POOLS,
    BYE_VALUES,
    DISQUALIFICATION_CHOICES,
    LEGACY_MISSED_KINDS,
    SCHEDULE_RULES,
    UNPLAYED_KINDS,
    USUAL_ORDER,
    AcrossPools,
    DisqualificationRule,
    RankingRules,
    UnplayedOpponent,
    ranking_rules_from_json,
    ranking_rules_to_json,
    use_half_wins,
)
from .reasons import break_down_metric, compare_rows, compare_values, find_deciding_metric
from .standings import COLUMNS, rank_entries, rank_field
from .values import (
    MET_KINDS,
    MISSED_KINDS,
    NO_PLACE,
    STILL_PLAYING_PLACE,
    Average,
    Bye,
    CriterionComparison,
    Meeting,
    MetricPart,
    Outcome,
    OutcomeKind,
    Result,
    ResultAdjustment,
    Row,
    StageGroup,
)

__all__ = [
    "ACROSS_POOLS",
    "ADJUSTABLE",
    "BYE_VALUES",
    "CHOICES",
    "COLUMNS",
    "DISQUALIFICATION_CHOICES",
    "DISQUALIFIED",
    "LEFT_POOL",
    "LEGACY_MISSED_KINDS",
    "METRICS",
    "MET_KINDS",
    "MISSED_KINDS",
    "NO_PLACE",
    "PER_MATCH_METRICS",
    "PLACES",
    "SCHEDULE_RULES",
    "SCOPES_WITHOUT_PARTS",
    "STILL_PLAYING_PLACE",
    "UNPLAYED_KINDS",
    "UNPLAYED_VICTORY_POINTS",
    "USUAL_ORDER",
    "VICTORY_POINTS",
    "WHOLE",
    "AcrossPools",
    "Average",
    "Bye",
    "ClubMatch",
    "ClubMeeting",
    "ClubResult",
    "ClubScore",
    "CriterionComparison",
    "Direction",
    "DisqualificationRule",
    "DivisionMove",
    "EntryId",
    "EntryResults",
    "Meeting",
    "Metric",
    "MetricPart",
    "MetricScope",
    "Outcome",
    "OutcomeKind",
    "RankedField",
    "RankingRules",
    "Result",
    "ResultAdjustment",
    "Row",
    "StageGroup",
    "Unit",
    "UnplayedOpponent",
    "break_down_metric",
    "build_ranked_field",
    "compare_rows",
    "compare_values",
    "compute_club_scores",
    "compute_victory_margins",
    "draw_lot",
    "find_deciding_metric",
    "find_division_moves",
    "has_result",
    "place_in_pools",
    "place_leavers",
    "rank_entries",
    "rank_field",
    "ranking_rules_from_json",
    "ranking_rules_to_json",
    "use_half_wins",
]
