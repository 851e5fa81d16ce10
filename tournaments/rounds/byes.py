"""Kinds of byes."""

from collections.abc import Iterable
from enum import StrEnum

from engine.draws import ReasonCode
from engine.draws.lineups import PlainReason
from engine.results import ByeReason, why_sat_out


class ByeKind(StrEnum):
    """Kind of a bye: waiting in a bracket for the other side, a walkover, or sitting out. A walkover wins a
    bracket match because the opponent is away; entries sit out in turn or by request."""

    WAITS = "waits"
    WALKOVER = "walkover"
    BYE = "bye"


def bye_kind(reasons: Iterable[PlainReason]) -> ByeKind:
    """Return the kind of a bye from the reasons of the draw."""
    codes = {reason["code"] for reason in reasons}
    if why_sat_out(codes) is ByeReason.WAITS:
        return ByeKind.WAITS
    return ByeKind.WALKOVER if codes >= {ReasonCode.OPPONENT_MISSING, ReasonCode.BRACKET} else ByeKind.BYE
