"""How the director has decided a table."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from rules import Ending


class RulingKind(StrEnum):
    """One side lost by forfeit, or both did; the director gave the score, or awarded a game."""

    FORFEIT = "forfeit"
    FORFEIT_OF_BOTH = "forfeit_of_both"
    ADJUSTED = "adjusted"
    AWARDED = "awarded"

    @property
    def is_forfeit(self) -> bool:
        """Then there is no score."""
        return self in (RulingKind.FORFEIT, RulingKind.FORFEIT_OF_BOTH)


def director_decision(ruling: Mapping[str, Any] | None, summary: Mapping[str, Any]) -> RulingKind | None:
    """How the director decided a table: by its ``ruling``, or else by an award among the games of its match,
    which ``summary`` lists. None where only the cards did."""
    if ruling is not None:
        return ruling_kind(ruling)
    is_awarded = any(game["by"] == Ending.AWARDED for game in summary.get("games", ()))
    return RulingKind.AWARDED if is_awarded else None


def ruling_kind(ruling: Mapping[str, Any]) -> RulingKind:
    """Of a ruling as a table has it."""
    kind = RulingKind(ruling["kind"])
    is_of_both = kind is RulingKind.FORFEIT and ruling["winner"] is None
    return RulingKind.FORFEIT_OF_BOTH if is_of_both else kind
