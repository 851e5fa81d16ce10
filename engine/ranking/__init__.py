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
>>> rows = rank({one: 1, two: 2, three: 3}, results, rules, games_to_win=1)
>>> [(row.rank, row.entry, row.decided_by) for row in rows]
[(1, 12, None), (2, 13, 'points_for'), (3, 11, 'match_wins')]
"""

from engine.draws import EntryId

from .field import ADJUSTABLE, RankedField, ranked_field
from .meetings import ClubMeeting, ClubResult, ClubScore, club_scores
from .metrics import (
    CHOICES,
    DISQUALIFIED,
    METRICS,
    PER_MATCH,
    PLACES,
    TELLS_NOTHING_ALONE,
    VICTORY_POINTS,
    WITHOUT_PLAY,
    Direction,
    Metric,
    MetricScope,
    Unit,
    lot,
    victory_margins,
)
from .pools import place_in_pools
from .ranking_rules import (
    ACROSS_POOLS,
    AFTER_DISQUALIFICATION,
    MISSED_BEFORE,
    OF_SCHEDULES,
    UNPLAYED,
    USUAL_ORDER,
    WORTHS,
    AcrossPools,
    Average,
    Bye,
    Disqualified,
    RankingRules,
    UnplayedOpponent,
    count_halves,
    ranking_rules_from_json,
    ranking_rules_to_json,
)
from .reasons import breakdown, compare, decisive, why
from .standings import COLUMNS, rank, rank_field
from .values import (
    MISSED,
    NO_PLACE,
    STILL_IN,
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
    "AFTER_DISQUALIFICATION",
    "CHOICES",
    "COLUMNS",
    "DISQUALIFIED",
    "METRICS",
    "MISSED",
    "MISSED_BEFORE",
    "NO_PLACE",
    "OF_SCHEDULES",
    "PER_MATCH",
    "PLACES",
    "STILL_IN",
    "TELLS_NOTHING_ALONE",
    "UNPLAYED",
    "USUAL_ORDER",
    "VICTORY_POINTS",
    "WITHOUT_PLAY",
    "WORTHS",
    "AcrossPools",
    "Average",
    "Bye",
    "ClubMeeting",
    "ClubResult",
    "ClubScore",
    "CriterionComparison",
    "Direction",
    "Disqualified",
    "EntryId",
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
    "breakdown",
    "club_scores",
    "compare",
    "count_halves",
    "decisive",
    "lot",
    "place_in_pools",
    "rank",
    "rank_field",
    "ranked_field",
    "ranking_rules_from_json",
    "ranking_rules_to_json",
    "victory_margins",
    "why",
]
