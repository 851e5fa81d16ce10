"""How an event ranks: the order of its metrics, and what a round is worth."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from rules import Refusal
from tournaments.draws.settings import check_names, choice, names, whole_number

from .metrics import METRICS
from .values import BYE, DRAWN, LOST, MISSED, PLAYED, WON, Result

USUAL_ORDER = ("match_wins", "games_won", "difference", "points_for")


class Bye(StrEnum):
    """What a bye is worth."""

    WIN = "win"
    DRAW = "draw"
    NOTHING = "nothing"


_OUTCOME_OF_BYE = {Bye.WIN: WON, Bye.DRAW: DRAWN, Bye.NOTHING: LOST}


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingRules:
    """What ranks, first to last, and what counts.

    ``win``, ``draw`` and ``loss`` are match points. A round without cards is worth a win, a draw or nothing,
    never what a loss is worth. ``cap`` is the most that one round adds to the capped difference or takes from
    it. Of each entry the ``dropped`` worst rounds do not count, one round always does.

    Refuses: ranking_empty, no_such_metric, metric_twice, match_points_disordered.
    """

    order: tuple[str, ...] = USUAL_ORDER
    win: int = 2
    draw: int = 1
    loss: int = 0
    bye: Bye = Bye.WIN
    cap: int = 20
    dropped: int = 0

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

    def counted(self, result: Result, *, games_to_win: int) -> Result:
        """The result with what a round without cards is worth: won or lost, the games that win a match; no
        points. A bye never loses games."""
        if result.kind is PLAYED:
            return result
        outcome = result.outcome
        if result.kind is BYE:
            outcome = _OUTCOME_OF_BYE[self.bye]
        elif result.kind is MISSED:
            outcome = LOST
        is_lost = outcome is LOST and result.kind is not BYE
        return replace(
            result,
            outcome=outcome,
            games_won=games_to_win if outcome is WON else 0,
            games_lost=games_to_win if is_lost else 0,
            points_for=0,
            points_against=0,
            contracts_made=0,
            charlemagnes=0,
        )


def plain_rules(rules: RankingRules) -> dict[str, Any]:
    """The order, and what is not as usual: ``{"order": ["match_wins", "difference"], "dropped": 1}``."""
    usual = _plain(RankingRules())
    changed = {name: value for name, value in _plain(rules).items() if value != usual[name]}
    return {"order": list(rules.order), **changed}


def _plain(rules: RankingRules) -> dict[str, Any]:
    return {**asdict(rules), "order": list(rules.order), "bye": rules.bye.value}


def stored_rules(plain: Mapping[str, Any]) -> RankingRules:
    """The inverse of ``plain_rules``; what is not said is as usual.

    Refuses: not_an_object, no_such_setting, not_a_list, not_a_number, number_too_small, no_such_choice, and
    whatever ``RankingRules`` refuses.
    """
    if not isinstance(plain, Mapping):
        raise Refusal("not_an_object")
    usual = RankingRules()
    check_names(plain, _plain(usual))
    least = {"win": 0, "draw": 0, "loss": 0, "cap": 1, "dropped": 0}
    numbers = {name: whole_number(plain, name, least=low) for name, low in least.items()}
    said = {name: number for name, number in numbers.items() if number is not None}
    order = names(plain, "order") if "order" in plain else usual.order
    bye = Bye(choice(plain, "bye", tuple(each.value for each in Bye)))
    return replace(usual, order=order, bye=bye, **said)
