"""How an event ranks: the order of its metrics, and what a round is worth."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from engine.draws.settings import check_setting_names, choice, names, whole_number
from rules import Refusal

from .lines import WHOLE
from .metrics import METRICS
from .values import ANNULLED, BYE, DRAWN, FORFEIT, LOST, NO_MATCH, PLAYED, WITHDRAWN, WON, Outcome, Result

USUAL_ORDER = ("match_wins", "games_won", "difference", "points_for")


def count_halves(order: Iterable[str]) -> tuple[str, ...]:
    """The order with halves of wins in place of wins."""
    return tuple(dict.fromkeys("half_wins" if key == "match_wins" else key for key in order))


class Bye(StrEnum):
    """What a bye is worth, or another round that an entry did not play without its fault."""

    WIN = "win"
    DRAW = "draw"
    NOTHING = "nothing"
    AVERAGE = "average"
    """The average of what the entry won at tables."""


class AcrossPools(StrEnum):
    """How entries of several pools are compared."""

    TOTALS = "totals"
    """By what they have in all, whichever pool they are in."""
    RATES = "rates"
    """By place in the pool, then by what they have for each match."""
    WITHOUT_LAST = "without_last"
    """By place in the pool, then without the results against the last of larger pools."""


class Disqualified(StrEnum):
    """What becomes of an entry that is disqualified."""

    LAST = "last"
    """It ranks after all others, wins no prize, and has no points for the season."""
    LAST_COUNTED = "last_counted"
    """It ranks after all others and wins no prize; the night counts for its season."""
    KEPT = "kept"
    """Rank, prizes and season points are as its results say."""


class Average(StrEnum):
    """What stands for the points of a round that was not played."""

    OWN = "own"
    """The mean of the rounds that the entry has played."""
    WINNERS = "winners"
    """The mean of those who won at a table of the round."""


class UnplayedOpponent(StrEnum):
    """How good the opponent of an unplayed round is, for Buchholz and Sonneborn-Berger."""

    OWN = "own"
    """As good as the entry itself."""
    CAPPED = "capped"
    """By article 16 of FIDE's C.07 of 2026: as good as the entry, with a cap."""


_OUTCOMES = {Bye.WIN: WON, Bye.DRAW: DRAWN, Bye.NOTHING: LOST, Bye.AVERAGE: DRAWN}
"""How a round counts in the score by which a draw groups: an average like half a win."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnAverage:
    """What an entry won at tables, for each match: its ``share`` of a win, in hundredths of a percent, and
    games."""

    share: int = 0
    games_won: int = 0
    games_lost: int = 0


NO_AVERAGE = OwnAverage()


Averages = Mapping[Average, tuple[int, int]]
"""Points for and against."""

NO_AVERAGES: Averages = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingRules:
    """What ranks, first to last, and what counts.

    ``win``, ``draw`` and ``loss`` are match points. A round without cards is worth a win, a draw, an average
    or nothing, never what a loss is worth: a ``bye`` in turn; a ``scheduled_bye``, of a round robin or a
    pool; a ``forfeit``, for the side that was there; a ``requested_bye``; a round before a ``late`` entry
    arrived; one in which it was ``absent`` or ``excused``. It brings so many points, or an average
    (``bye_points`` and so on). A withdrawn entry gains nothing. ``cap`` is the most that one round adds to
    the capped difference or takes from it. Of each entry the ``dropped`` worst rounds do not count, one round
    always does. Nobody may ask to sit out more than ``most_byes_asked`` rounds (None: any number), nor one of
    the last ``last_without_bye``. ``unplayed_opponent`` is for the metrics that look at opponents;
    ``across_pools`` is how entries of several pools are compared; ``disqualified`` is what becomes of a
    disqualified entry.

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
    disqualified: Disqualified = Disqualified.LAST

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

    def match_points(self, result: Result) -> int:
        if result.share is not None:
            return (result.share * self.win + WHOLE // 2) // WHOLE
        if result.outcome is WON:
            return self.win
        if result.outcome is DRAWN:
            return self.draw
        return self.loss if result.kind is PLAYED else 0

    @property
    def counts_halves(self) -> bool:
        """Whether a round may be half a win for an entry that did not play it."""
        return any(self.worth_of(name) is Bye.DRAW for name in UNPLAYED)

    @property
    def counts_averages(self) -> bool:
        """Whether a round may be an average of wins for an entry that did not play it."""
        return any(self.worth_of(name) is Bye.AVERAGE for name in UNPLAYED)

    def count_result(
        self,
        result: Result,
        *,
        games_to_win: int,
        averages: Averages = NO_AVERAGES,
        own_average: OwnAverage = NO_AVERAGE,
    ) -> Result:
        """The result of a round without cards with what it is worth: won or lost, the games that win a match,
        or what is usual for the entry, and its points. A bye never loses games."""
        outcome, points = self._worth(result)
        is_average = outcome is DRAWN and self.worth_of(result.kind) is Bye.AVERAGE
        is_lost = outcome is LOST and result.kind is not BYE and result.kind not in NO_MATCH
        won, against = averages.get(points, (0, 0)) if isinstance(points, Average) else (points, 0)
        return replace(
            result,
            outcome=outcome,
            share=own_average.share if is_average else None,
            games_won=own_average.games_won if is_average else games_to_win if outcome is WON else 0,
            games_lost=own_average.games_lost if is_average else games_to_win if is_lost else 0,
            points_for=won,
            points_against=against,
            contracts_made=0,
            charlemagnes=0,
        )

    def outcome_of(self, result: Result) -> Outcome:
        """How the round counts."""
        return result.outcome if result.kind is PLAYED else self._worth(result)[0]

    def _worth(self, result: Result) -> tuple[Outcome, int | Average]:
        """How a round without cards ends, and its points: none for who has left, or lost by forfeit."""
        is_lost_forfeit = result.kind is FORFEIT and result.outcome is not WON
        if result.kind in (WITHDRAWN, ANNULLED) or is_lost_forfeit:
            return LOST, 0
        return _OUTCOMES[self.worth_of(result.kind)], self.points_of(result.kind)

    def worth_of(self, kind: str) -> Bye:
        """What a round of one of the ``UNPLAYED`` kinds is worth."""
        worth: Bye = getattr(self, kind)
        return worth

    def points_of(self, kind: str) -> int | Average:
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
"""The rules that are numbers, each with the least that it can be."""

UNPLAYED = ("bye", "scheduled_bye", "forfeit", "requested_bye", "late", "absent", "excused")
"""The kinds of rounds that an entry did not play, as the rules name what they are worth."""

OF_SCHEDULES = ("scheduled_bye", "scheduled_bye_points", "across_pools")
"""The rules of round robins and pools, which rules that were written before say nothing of."""

MISSED_BEFORE = ("requested_bye", "late", "absent", "excused")
"""What ``missed`` is worth in rules that were written before these were told apart."""

WORTHS = tuple(each.value for each in Bye)
ACROSS_POOLS = tuple(each.value for each in AcrossPools)

AFTER_DISQUALIFICATION = tuple(each.value for each in Disqualified)


def ranking_rules_to_json(rules: RankingRules) -> dict[str, Any]:
    """The order, and what is not as usual: ``{"order": ["match_wins", "difference"], "dropped": 1}``."""
    plain = _plain(rules)
    usual = _plain(RankingRules()) | _as_any_bye(plain)
    changed = {name: value for name, value in plain.items() if value != usual[name]}
    return {"order": list(rules.order), **changed}


def _plain(rules: RankingRules) -> dict[str, Any]:
    return {
        name: value.value if isinstance(value, StrEnum) else value for name, value in asdict(rules).items()
    } | {"order": list(rules.order)}


def ranking_rules_from_json(plain: Mapping[str, Any], usual: RankingRules | None = None) -> RankingRules:
    """The inverse of ``ranking_rules_to_json``; what is not said is as ``usual``, or as it always was: a bye
    of a schedule is like any other.

    Refuses: not_an_object, no_such_setting, not_a_list, not_a_number, number_too_small, no_such_choice, and
    whatever ``RankingRules`` refuses.
    """
    if not isinstance(plain, Mapping):
        raise Refusal("not_an_object")
    plain = _with_kinds_missed(plain)
    if usual is None:
        usual, plain = RankingRules(), _as_any_bye(plain) | plain
    check_setting_names(plain, _plain(usual))
    said: dict[str, Any] = {"order": names(plain, "order") if "order" in plain else usual.order}
    for name, low in NUMBERS.items():
        number = whole_number(plain, name, least=low)
        said[name] = getattr(usual, name) if number is None else number
    plain = _plain(usual) | plain
    for name in UNPLAYED:
        said[name] = Bye(choice(plain, name, WORTHS))
        said[f"{name}_points"] = _points(plain, f"{name}_points")
    opponents = tuple(each.value for each in UnplayedOpponent)
    said["unplayed_opponent"] = UnplayedOpponent(choice(plain, "unplayed_opponent", opponents))
    said["across_pools"] = AcrossPools(choice(plain, "across_pools", ACROSS_POOLS))
    said["disqualified"] = Disqualified(choice(plain, "disqualified", AFTER_DISQUALIFICATION))
    return RankingRules(**said)


def _as_any_bye(plain: Mapping[str, Any]) -> dict[str, Any]:
    """What a bye of a schedule is worth where nothing else is said of it."""
    return {f"scheduled_{name}": plain[name] for name in ("bye", "bye_points") if name in plain}


def _with_kinds_missed(plain: Mapping[str, Any]) -> dict[str, Any]:
    """The rules with each kind of missed round by its own name."""
    told = {name: value for name, value in plain.items() if name not in {"missed", "missed_points"}}
    for old, ending in (("missed", ""), ("missed_points", "_points")):
        if old in plain:
            told = {f"{kind}{ending}": plain[old] for kind in MISSED_BEFORE} | told
    return told


def _points(plain: Mapping[str, Any], name: str) -> int | Average:
    """A number of points, or an average. Refuses: not_a_number, number_too_small, no_such_choice."""
    if isinstance(plain.get(name), str):
        return Average(choice(plain, name, tuple(each.value for each in Average)))
    return whole_number(plain, name, least=0) or 0
