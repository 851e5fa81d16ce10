"""How the director has decided a table."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any


class RulingKind(StrEnum):
    """One side lost by forfeit, or both did; or the director gave the score."""

    FORFEIT = "forfeit"
    FORFEIT_OF_BOTH = "forfeit_of_both"
    ADJUSTED = "adjusted"

    @property
    def is_forfeit(self) -> bool:
        """Then there is no score."""
        return self is not RulingKind.ADJUSTED


def ruling_kind(ruling: Mapping[str, Any]) -> RulingKind:
    """Of a ruling as a table has it."""
    kind = RulingKind(ruling["kind"])
    is_of_both = kind is RulingKind.FORFEIT and ruling["winner"] is None
    return RulingKind.FORFEIT_OF_BOTH if is_of_both else kind
