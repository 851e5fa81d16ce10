"""How somebody is at no table of a round."""

from collections.abc import Iterable, Mapping
from enum import StrEnum

from engine.draws import ReasonCode
from engine.draws.seatings import PlainReason
from engine.ranking import OutcomeKind
from engine.results import ByeReason, why_sat_out

SAT_OUT_COUNTS: Mapping[ByeReason, OutcomeKind | None] = {
    ByeReason.TURN: OutcomeKind.BYE,
    ByeReason.ASKED: OutcomeKind.MISSED,
    ByeReason.WAITS: None,
}


class ByeKind(StrEnum):
    """Waiting for the other side of a bracket; winning a match of it without playing, for the opponent is
    away; or sitting out, in turn or as asked."""

    WAITS = "waits"
    WALKOVER = "walkover"
    BYE = "bye"


def counts_as(reasons: Iterable[PlainReason]) -> OutcomeKind | None:
    """What the ranking counts for it: a bye, or a round missed for who asked to sit out; None where it counts
    nothing."""
    return SAT_OUT_COUNTS[why_sat_out(reason["code"] for reason in reasons)]


def bye_kind(reasons: Iterable[PlainReason]) -> ByeKind:
    """By what a draw says of a bye."""
    codes = {reason["code"] for reason in reasons}
    if why_sat_out(codes) is ByeReason.WAITS:
        return ByeKind.WAITS
    return ByeKind.WALKOVER if codes >= {ReasonCode.OPPONENT_MISSING, ReasonCode.BRACKET} else ByeKind.BYE
