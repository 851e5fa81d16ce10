"""Ranking rules of an event: the order of its metrics, and the value of a round."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from engine.draws.settings import check_setting_names, parse_choice, parse_names, parse_whole_number
from errors import Refusal

from .lines import WHOLE
from .metrics import METRICS
from .values import (
    ANNULLED,
    BYE,
    DRAWN,
    FORFEIT,
    LOST,
    MADE_UP,
    NO_MATCH_KINDS,
    PLAYED,
    WITHDRAWN,
    WON,
    Average,
    Bye,
    Outcome,
    Result,
    UnplayedValue,
)

USUAL_ORDER = ("match_wins", "games_won", "difference", "points_for")


def use_half_wins(order: Iterable[str]) -> tuple[str, ...]:
    """Return the order with halves of wins in place of wins."""
    return tuple(dict.fromkeys("half_wins" if key == "match_wins" else key for key in order))


class AcrossPools(StrEnum):
    """The way in which entries of several pools are compared."""

    TOTALS = "totals"
    """Compared by totals, whatever the pool."""
    RATES = "rates"
    """Compared by place in the pool, then by totals per match."""
    WITHOUT_LAST = "without_last"
    """Compared by place in the pool, then without the results against the last of larger pools."""


class DisqualificationRule(StrEnum):
    """The ranking of a disqualified entry."""

    LAST = "last"
    """Ranked after all others, without prizes or season points."""
    LAST_COUNTED = "last_counted"
    """Ranked after all others, without prizes; the night counts for its season."""
    RANKED = "kept"
    """Ranked as its results say, with prizes and season points."""


class UnplayedOpponent(StrEnum):
    """The value of the opponent of an unplayed round, for Buchholz and Sonneborn-Berger."""

    OWN = "own"
    """The value of the entry itself."""
    CAPPED = "capped"
    """The value of the entry, with a cap, by article 16 of FIDE's C.07 of 2026."""


_OUTCOMES = {Bye.WIN: WON, Bye.DRAW: DRAWN, Bye.NOTHING: LOST, Bye.AVERAGE: DRAWN}
"""The outcome of a round in the score groups of a draw: an average counts like half a win."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnAverage:
    """The average of an entry's results at tables: its ``share`` of a win, in hundredths of a percent, and
    games."""

    share: int = 0
    games_won: int = 0
    games_lost: int = 0


NO_AVERAGE = OwnAverage()


Averages = Mapping[Average, tuple[int, int]]
"""Points for and against, by kind of average."""

NO_AVERAGES: Averages = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingRules:
    """The metrics of a ranking, first to last, and the values of rounds.

    ``win``, ``draw`` and ``loss`` are match points. A round without play is worth a win, a draw, an average
    or nothing, never what a loss is worth: a ``bye`` in turn; a ``scheduled_bye``, of a round robin or a
    pool; a ``forfeit``, for the side that was present; a ``requested_bye``; a round before a ``late`` entry
    arrived; one in which it was ``absent`` or ``excused``. It brings so many points, or an average
    (``bye_points`` and so on). A withdrawn entry gains nothing. ``cap`` is the most that one round adds to
    the capped difference or takes from it. The ``dropped`` worst rounds of each entry do not count, but one
    round always does. An entry may request a bye in at most ``most_byes_asked`` rounds (None: any number),
    and in none of the last ``last_without_bye``. ``unplayed_opponent`` is for the metrics that look at
    opponents; ``across_pools`` is how entries of several pools are compared; ``disqualified`` is how a
    disqualified entry is ranked.

    Refuses: ranking_empty, no_such_metric, metric_twice, match_points_disordered.
    """

    order: tuple[str, ...] = USUAL_ORDER
    win: int = 2
    draw: int = 1
    loss: int = 0
    bye: Bye = Bye.WIN
    scheduled_bye: Bye = Bye.WIN
    forfeit: Bye = Bye.WIN
    requested_bye: Bye = Bye.NOTHING
    late: Bye = Bye.NOTHING
    absent: Bye = Bye.NOTHING
    excused: Bye = Bye.NOTHING
    bye_points: int | Average = 0
    scheduled_bye_points: int | Average = 0
    forfeit_points: int | Average = 0
    requested_bye_points: int | Average = 0
    late_points: int | Average = 0
    absent_points: int | Average = 0
    excused_points: int | Average = 0
    cap: int = 20
    dropped: int = 0
    most_byes_asked: int | None = None
    last_without_bye: int = 0
    unplayed_opponent: UnplayedOpponent = UnplayedOpponent.OWN
    across_pools: AcrossPools = AcrossPools.TOTALS
    disqualified: DisqualificationRule = DisqualificationRule.LAST

    def __post_init__(self) -> None:
        if not self.order:
            raise Refusal("ranking_empty", field="order")
        for place, key in enumerate(self.order):
            if key not in METRICS:
                raise Refusal("no_such_metric", field="order", value=key)
            if key in self.order[:place]:
                raise Refusal("metric_twice", field="order", value=key)
        if not self.win >= self.draw >= self.loss:
            raise Refusal("match_points_disordered", field="draw")

    def keeps_rank(self, *, is_disqualified: bool) -> bool:
        """Return whether such an entry keeps its rank, and with it prizes and certificates."""
        return not is_disqualified or self.disqualified is DisqualificationRule.RANKED

    def get_match_points(self, result: Result) -> int:
        if result.share is not None:
            return (result.share * self.win + WHOLE // 2) // WHOLE
        if result.outcome is WON:
            return self.win
        if result.outcome is DRAWN:
            return self.draw
        return self.loss if result.kind is PLAYED else 0

    def count_result(
        self,
        result: Result,
        *,
        games_to_win: int,
        averages: Averages = NO_AVERAGES,
        own_average: OwnAverage = NO_AVERAGE,
    ) -> Result:
        """Return the result of a round without play with its value: won or lost, the games that win a match
        or the entry's average, and its points. A bye never loses games."""
        outcome, points = self._get_outcome_and_points(result)
        is_average = outcome is DRAWN and self._get_value(result)[0] is Bye.AVERAGE
        is_lost = outcome is LOST and result.kind is not BYE and result.kind not in NO_MATCH_KINDS
        own_points, opponent_points = averages.get(points, (0, 0)) if isinstance(points, Average) else (points, 0)
        return replace(
            result,
            outcome=outcome,
            share=own_average.share if is_average else None,
            games_won=own_average.games_won if is_average else games_to_win if outcome is WON else 0,
            games_lost=own_average.games_lost if is_average else games_to_win if is_lost else 0,
            points_for=own_points,
            points_against=opponent_points,
            contracts_made=0,
            charlemagnes=0,
        )

    def get_outcome(self, result: Result) -> Outcome:
        """Return the outcome of the round as it counts."""
        return result.outcome if result.kind is PLAYED else self._get_outcome_and_points(result)[0]

    def _get_outcome_and_points(self, result: Result) -> tuple[Outcome, int | Average]:
        """Return the outcome and points of a round without play: none for an entry that has left, or lost by
        forfeit."""
        is_lost_forfeit = result.kind is FORFEIT and result.outcome is not WON
        if result.kind in (WITHDRAWN, ANNULLED, MADE_UP) or is_lost_forfeit:
            return LOST, 0
        value, points = self._get_value(result)
        return _OUTCOMES[value], points

    def _get_value(self, result: Result) -> UnplayedValue:
        return result.value or self.get_unplayed_value(result.kind)

    def get_unplayed_value(self, kind: str) -> UnplayedValue:
        return self.get_bye_value(kind), self.get_bye_points(kind)

    def get_bye_value(self, kind: str) -> Bye:
        """Return the value of a round of this kind, one of the ``UNPLAYED_KINDS``."""
        value: Bye = getattr(self, kind)
        return value

    def get_bye_points(self, kind: str) -> int | Average:
        points: int | Average = getattr(self, f"{kind}_points")
        return points


NUMBERS = {
    "win": 0,
    "draw": 0,
    "loss": 0,
    "cap": 1,
    "dropped": 0,
    "most_byes_asked": 0,
    "last_without_bye": 0,
}
"""The rules that are numbers, each with its minimum."""

UNPLAYED_KINDS = ("bye", "scheduled_bye", "forfeit", "requested_bye", "late", "absent", "excused")
"""The kinds of rounds that an entry did not play, by the names of their rules."""

SCHEDULE_RULES = ("scheduled_bye", "scheduled_bye_points", "across_pools")
"""The rules of round robins and pools, which older rules do not contain."""

LEGACY_MISSED_KINDS = ("requested_bye", "late", "absent", "excused")
"""The kinds of missed rounds that the rule ``missed`` of older rules covers."""

BYE_VALUES = tuple(each.value for each in Bye)
ACROSS_POOLS = tuple(each.value for each in AcrossPools)

DISQUALIFICATION_CHOICES = tuple(each.value for each in DisqualificationRule)


def ranking_rules_to_json(rules: RankingRules) -> dict[str, Any]:
    """Return the order, and the values that differ from the usual: ``{"order": ["match_wins", "difference"],
    "dropped": 1}``."""
    data = _to_json(rules)
    usual = _to_json(RankingRules()) | _get_scheduled_bye(data)
    changed = {name: value for name, value in data.items() if value != usual[name]}
    return {"order": list(rules.order), **changed}


def _to_json(rules: RankingRules) -> dict[str, Any]:
    return {name: value.value if isinstance(value, StrEnum) else value for name, value in asdict(rules).items()} | {
        "order": list(rules.order)
    }


def ranking_rules_from_json(data: Mapping[str, Any], usual: RankingRules | None = None) -> RankingRules:
    """Return the rules from the output of ``ranking_rules_to_json``; missing values are as ``usual``, or as
    in older rules: a scheduled bye is like any other.

    Refuses: not_an_object, no_such_setting, not_a_list, not_a_number, number_too_small, no_such_choice, and
    whatever ``RankingRules`` refuses.
    """
    if not isinstance(data, Mapping):
        raise Refusal("not_an_object")
    data = _split_missed_rule(data)
    if usual is None:
        usual, data = RankingRules(), _get_scheduled_bye(data) | data
    check_setting_names(data, _to_json(usual))
    values: dict[str, Any] = {"order": parse_names(data, "order") if "order" in data else usual.order}
    for name, low in NUMBERS.items():
        number = parse_whole_number(data, name, least=low)
        values[name] = getattr(usual, name) if number is None else number
    data = _to_json(usual) | data
    for name in UNPLAYED_KINDS:
        values[name] = Bye(parse_choice(data, name, BYE_VALUES))
        values[f"{name}_points"] = _parse_points(data, f"{name}_points")
    opponents = tuple(each.value for each in UnplayedOpponent)
    values["unplayed_opponent"] = UnplayedOpponent(parse_choice(data, "unplayed_opponent", opponents))
    values["across_pools"] = AcrossPools(parse_choice(data, "across_pools", ACROSS_POOLS))
    values["disqualified"] = DisqualificationRule(parse_choice(data, "disqualified", DISQUALIFICATION_CHOICES))
    return RankingRules(**values)


def _get_scheduled_bye(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the value of a scheduled bye when the rules do not set it."""
    return {f"scheduled_{name}": data[name] for name in ("bye", "bye_points") if name in data}


def _split_missed_rule(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rules with each kind of missed round by its own name."""
    rules = {name: value for name, value in data.items() if name not in {"missed", "missed_points"}}
    for old, suffix in (("missed", ""), ("missed_points", "_points")):
        if old in data:
            rules = {f"{kind}{suffix}": data[old] for kind in LEGACY_MISSED_KINDS} | rules
    return rules


def _parse_points(data: Mapping[str, Any], name: str) -> int | Average:
    """Return a number of points, or an average. Refuses: not_a_number, number_too_small, no_such_choice."""
    if isinstance(data.get(name), str):
        return Average(parse_choice(data, name, tuple(each.value for each in Average)))
    return parse_whole_number(data, name, least=0) or 0
