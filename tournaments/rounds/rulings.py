"""Kinds of the director's rulings on a table."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from rules import Ending


class RulingKind(StrEnum):
    """Kind of a ruling: forfeit by one side or by both, score set by the director, game awarded, match
    ended as it stood, or match postponed, which is no result."""

    FORFEIT = "forfeit"
    FORFEIT_OF_BOTH = "forfeit_of_both"
    ADJUSTED = "adjusted"
    AWARDED = "awarded"
    TIME_CALLED = "time_called"
    POSTPONED = "postponed"

    @property
    def is_forfeit(self) -> bool:
        """Whether it is a forfeit, which has no score."""
        return self in (RulingKind.FORFEIT, RulingKind.FORFEIT_OF_BOTH)


def get_director_decision(ruling: Mapping[str, Any] | None, summary: Mapping[str, Any]) -> RulingKind | None:
    """Return the kind of the director's decision on a table; None if only the cards decided. It is the
    ``ruling``, or else a game awarded in the ``summary`` of the match."""
    if ruling is not None:
        return get_ruling_kind(ruling)
    is_awarded = any(game["by"] == Ending.AWARDED for game in summary.get("games", ()))
    return RulingKind.AWARDED if is_awarded else None


def get_ruling_kind(ruling: Mapping[str, Any]) -> RulingKind:
    """Return the kind of a table's ruling."""
    kind = RulingKind(ruling["kind"])
    is_of_both = kind is RulingKind.FORFEIT and ruling["winner"] is None
    return RulingKind.FORFEIT_OF_BOTH if is_of_both else kind


def get_played_outcome(ruling: Mapping[str, Any] | None, summary: Mapping[str, Any], *, is_over: bool) -> Any:
    if ruling is None:
        return summary if is_over else None
    return ruling if ruling["kind"] != "forfeit" and summary["next"] > 1 else None
