"""How somebody is at no table of a round."""

from collections.abc import Iterable
from enum import StrEnum

from engine.draws import ReasonCode
from engine.draws.lineups import PlainReason
from engine.results import ByeReason, why_sat_out


class ByeKind(StrEnum):
    """Waiting for the other side of a bracket; winning a match of it without playing, for the opponent is
    away; or sitting out, in turn or as asked."""

    WAITS = "waits"
    WALKOVER = "walkover"
    BYE = "bye"


def bye_kind(reasons: Iterable[PlainReason]) -> ByeKind:
    """By what a draw says of a bye."""
    codes = {reason["code"] for reason in reasons}
    if why_sat_out(codes) is ByeReason.WAITS:
        return ByeKind.WAITS
    return ByeKind.WALKOVER if codes >= {ReasonCode.OPPONENT_MISSING, ReasonCode.BRACKET} else ByeKind.BYE
