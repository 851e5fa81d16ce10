"""Wall screens: a screen for each room, with a name, an address and a view."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from engine.json_values import read_value


class Scene(StrEnum):
    """Views of a wall screen. If there are no seats to show, those of seats show the standings."""

    ROTATING = "turning"
    BY_NAME = "by_name"
    TABLES = "tables"
    NAMES = "names"
    STANDINGS = "standings"
    CLOCK = "clock"


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A wall screen. Its address ends in its ``number``; 0 is the one that every event has, at an address
    without a number. ``first_table`` and ``last_table`` bound its room, None for no limit."""

    number: int = 0
    name: str = ""
    scene: Scene = Scene.ROTATING
    first_table: int | None = None
    last_table: int | None = None
    is_dark: bool = False

    @property
    def has_all_tables(self) -> bool:
        return self.first_table is None and self.last_table is None

    def has_table(self, number: int) -> bool:
        is_before = self.first_table is not None and number < self.first_table
        return not is_before and (self.last_table is None or number <= self.last_table)


def boards_to_json(boards: Iterable[Board]) -> list[dict[str, Any]]:
    """Convert wall screens to JSON, as stored in ``Event.boards``."""
    return [asdict(board) | {"scene": board.scene.value} for board in boards]


def boards_from_json(data: Iterable[Mapping[str, Any]]) -> tuple[Board, ...]:
    """Read wall screens from JSON, as written by ``boards_to_json``."""
    return tuple(read_value(Board, values) for values in data)
