"""Kinds of byes."""

from collections.abc import Iterable
from enum import StrEnum

from engine.draws import ReasonCode
from engine.draws.lineups import ReasonJson
from engine.results import ByeReason, get_bye_reason


class ByeKind(StrEnum):
    """Kind of a bye: waiting in a bracket for the other side, a walkover, or sitting out. A walkover wins a
    bracket match because the opponent is away; entries sit out in turn or by request. In a team match, a board
    is won unopposed, and entries without a board are substitutes."""

    WAITS = "waits"
    WALKOVER = "walkover"
    UNOPPOSED = "unopposed"
    SUBSTITUTE = "substitute"
    BYE = "bye"


def classify_bye(reasons: Iterable[ReasonJson]) -> ByeKind:
    """Return the kind of a bye from the reasons of the draw."""
    codes = {reason["code"] for reason in reasons}
    if get_bye_reason(codes) is ByeReason.WAITS:
        return ByeKind.WAITS
    if ReasonCode.UNOPPOSED in codes:
        return ByeKind.UNOPPOSED
    if ReasonCode.SUBSTITUTE in codes:
        return ByeKind.SUBSTITUTE
    return ByeKind.WALKOVER if codes >= {ReasonCode.OPPONENT_MISSING, ReasonCode.BRACKET} else ByeKind.BYE
