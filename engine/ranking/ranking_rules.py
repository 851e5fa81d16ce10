"""How an event ranks: the order of its metrics, and what a round is worth."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from engine.draws.settings import check_setting_names, choice, names, whole_number
from rules import Refusal

from .metrics import METRICS
from .values import BYE, DRAWN, FORFEIT, LOST, PLAYED, WITHDRAWN, WON, Outcome, Result

USUAL_ORDER = ("match_wins", "games_won", "difference", "points_for")


class Bye(StrEnum):
    """What a bye is worth, or another round that an entry did not play without its fault."""

    WIN = "win"
    DRAW = "draw"
    NOTHING = "nothing"


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


_OUTCOMES = {Bye.WIN: WON, Bye.DRAW: DRAWN, Bye.NOTHING: LOST}


Averages = Mapping[Average, tuple[int, int]]
"""Points for and against."""

NO_AVERAGES: Averages = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingRules:
    """What ranks, first to last, and what counts.

    ``win``, ``draw`` and ``loss`` are match points. A round without cards is worth a win, a draw or nothing,
    never what a loss is worth: a ``bye`` in turn; a ``forfeit``, for the side that was there; a
    ``requested_bye``; a round before a ``late`` entry arrived; one in which it was ``absent``. It brings so
    many points, or an average (``bye_points`` and so on). A withdrawn entry gains nothing. ``cap`` is the
    most that one round adds to the capped difference or takes from it. Of each entry the ``dropped`` worst
    rounds do not count, one round always does. Nobody may ask to sit out more than ``most_byes_asked`` rounds
    (None: any number), nor one of the last ``last_without_bye``. ``unplayed_opponent`` is for the metrics
    that look at opponents.

    Refuses: ranking_empty, no_such_metric, metric_twice, match_points_disordered.
    """

    order: tuple[str, ...] = USUAL_ORDER
    win: int = 2
    draw: int = 1
    loss: int = 0
    bye: Bye = Bye.WIN
    forfeit: Bye = Bye.WIN
    requested_bye: Bye = Bye.NOTHING
    late: Bye = Bye.NOTHING
    absent: Bye = Bye.NOTHING
    bye_points: int | Average = 0
    forfeit_points: int | Average = 0
    requested_bye_points: int | Average = 0
    late_points: int | Average = 0
    absent_points: int | Average = 0
    cap: int = 20
    dropped: int = 0
    most_byes_asked: int | None = None
    last_without_bye: int = 0
    unplayed_opponent: UnplayedOpponent = UnplayedOpponent.OWN

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
        if result.outcome is WON:
            return self.win
        if result.outcome is DRAWN:
            return self.draw
        return self.loss if result.kind is PLAYED else 0

    @property
    def counts_halves(self) -> bool:
        """Whether a round may be half a win for an entry that did not play it."""
        return any(self.worth_of(name) is Bye.DRAW for name in UNPLAYED)

    def count_result(self, result: Result, *, games_to_win: int, averages: Averages = NO_AVERAGES) -> Result:
        """The result of a round without cards with what it is worth: won or lost, the games that win a match,
        and its points. A bye never loses games."""
        outcome, points = self._worth(result)
        is_lost = outcome is LOST and result.kind is not BYE
        won, against = averages.get(points, (0, 0)) if isinstance(points, Average) else (points, 0)
        return replace(
            result,
            outcome=outcome,
            games_won=games_to_win if outcome is WON else 0,
            games_lost=games_to_win if is_lost else 0,
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
        if result.kind is WITHDRAWN or is_lost_forfeit:
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

UNPLAYED = ("bye", "forfeit", "requested_bye", "late", "absent")
"""The kinds of rounds that an entry did not play, as the rules name what they are worth."""

MISSED_BEFORE = ("requested_bye", "late", "absent")
"""What ``missed`` is worth in rules that were written before these were told apart."""

WORTHS = tuple(each.value for each in Bye)


def ranking_rules_to_json(rules: RankingRules) -> dict[str, Any]:
    """The order, and what is not as usual: ``{"order": ["match_wins", "difference"], "dropped": 1}``."""
    usual = _plain(RankingRules())
    changed = {name: value for name, value in _plain(rules).items() if value != usual[name]}
    return {"order": list(rules.order), **changed}


def _plain(rules: RankingRules) -> dict[str, Any]:
    return {
        name: value.value if isinstance(value, StrEnum) else value for name, value in asdict(rules).items()
    } | {"order": list(rules.order)}


def ranking_rules_from_json(plain: Mapping[str, Any]) -> RankingRules:
    """The inverse of ``ranking_rules_to_json``; what is not said is as usual.

    Refuses: not_an_object, no_such_setting, not_a_list, not_a_number, number_too_small, no_such_choice, and
    whatever ``RankingRules`` refuses.
    """
    if not isinstance(plain, Mapping):
        raise Refusal("not_an_object")
    usual = RankingRules()
    plain = _with_kinds_missed(plain)
    check_setting_names(plain, _plain(usual))
    said: dict[str, Any] = {"order": names(plain, "order") if "order" in plain else usual.order}
    for name, low in NUMBERS.items():
        number = whole_number(plain, name, least=low)
        said[name] = getattr(usual, name) if number is None else number
    for name in UNPLAYED:
        worth = {name: getattr(usual, name).value, **plain}
        said[name] = Bye(choice(worth, name, WORTHS))
        said[f"{name}_points"] = _points(plain, f"{name}_points")
    opponents = tuple(each.value for each in UnplayedOpponent)
    said["unplayed_opponent"] = UnplayedOpponent(choice(plain, "unplayed_opponent", opponents))
    return RankingRules(**said)


def _with_kinds_missed(plain: Mapping[str, Any]) -> Mapping[str, Any]:
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
