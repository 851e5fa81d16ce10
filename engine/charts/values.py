"""The values of charts: brackets by part, round and match; cross tables by row and cell. Frozen.

``name`` is the name of an entry as shown to a reader, ``number`` its place in the starting list: both are
empty until ``named`` sets them. A score is set by ``add_scores``: games, or points where one game is a
match.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest

from engine.draws import EntryId
from engine.draws.brackets.structure import Source


class PartKind(StrEnum):
    """A kind of bracket part that is drawn by itself."""

    KNOCKOUT = "knockout"
    WINNERS = "winners"
    LOSERS = "losers"
    FINAL = "final"
    GROUP_A = "group_a"
    GROUP_B = "group_b"
    PLACES = "places"
    """Matches of beaten entries for the places ``first_place`` to ``last_place``."""


class RoundKind(StrEnum):
    """The name of a round of a part, if it has one."""

    ROUND = "round"
    ROUND_OF_32 = "round_of_32"
    ROUND_OF_16 = "round_of_16"
    QUARTER_FINAL = "quarter_final"
    SEMI_FINAL = "semi_final"
    FINAL = "final"
    SECOND_FINAL = "second_final"


class SlotState(StrEnum):
    """The progress of a bracket match."""

    EXPECTED = "expected"
    """Not yet at a table."""
    IF_NEEDED = "if_needed"
    """Played only if another match ends so that it is needed."""
    SEATED = "seated"
    """Seated at its table, without a winner so far."""
    PLAYED = "played"
    WALKOVER = "walkover"
    """Won without a match, as the other side was away or withdrew."""
    BYE = "bye"
    """One side has no opponent."""
    NOT_NEEDED = "not_needed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartSide:
    """One side of a match: an entry, else the ``source`` that it still comes from; without either, nobody.

    ``match`` is the number of the match that the source names. ``seed`` is set where the entry first enters
    the bracket.
    """

    entry: EntryId | None = None
    name: str = ""
    number: int | None = None
    score: int | None = None
    source: Source | None = None
    match: int | None = None
    seed: int | None = None
    has_won: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartSlot:
    """A match of a bracket, or a bye that leads past one.

    ``number`` counts the matches of the bracket in the order of play; a bye of the first round has none.
    ``round`` is that of the event in which it is, or is to be, played; ``table`` is None until it is seated.
    In its part it takes ``rows`` rows from ``top``.
    """

    key: str
    number: int | None
    state: SlotState
    sides: tuple[ChartSide, ChartSide]
    round: int
    table: int | None = None
    top: int = 0
    rows: int = 2

    @property
    def advancing_side(self) -> ChartSide:
        """The side that advances by a bye."""
        return next((side for side in self.sides if side.entry is not None), self.sides[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartRound:
    """The matches of one level of a part, from top to bottom; ``round`` is the last round of the event in
    which one of them is played."""

    kind: RoundKind
    round: int
    slots: tuple[ChartSlot, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartPart:
    """A part of a bracket. ``path`` draws which matches lead to which: SVG path data, 20 units a round to the
    right, 2 units a row down."""

    kind: PartKind
    rounds: tuple[ChartRound, ...]
    rows: int
    path: str
    first_place: int = 1
    last_place: int = 1

    @property
    def round_pairs(self) -> Iterator[tuple[ChartRound, ChartRound | None]]:
        """Each round with the one after it; None after the last."""
        return zip_longest(self.rounds, self.rounds[1:])


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketChart:
    """A bracket: its parts (winners, losers, final), from the first round to the last."""

    parts: tuple[ChartPart, ...]

    def find_place(self, key: str) -> tuple[ChartPart, ChartRound, ChartSlot] | None:
        """Return the part, round and slot of a match by its slot key; None if there is no such match."""
        places = (
            (part, column, slot)
            for part in self.parts
            for column in part.rounds
            for slot in column.slots
            if slot.number is not None
        )
        return next((place for place in places if place[2].key == key), None)


class MeetingResult(StrEnum):
    """The result of a meeting for the entry of the row."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    PENDING = "to_play"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartMeeting:
    """A meeting in a cross table. ``round`` is that of the event; None if still to be set. ``score`` is that
    of the row, then that of the column."""

    round: int | None
    result: MeetingResult
    table: int | None = None
    is_forfeit: bool = False
    score: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossTableCell:
    """All meetings of two entries, played and to come; ``is_own`` if row and column are the same entry."""

    opponent: EntryId
    name: str = ""
    meetings: tuple[ChartMeeting, ...] = ()
    is_own: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossRow:
    """The row of an entry. ``rank`` is its rank in its pool, ``byes`` are the rounds of the event in which it sat
    out. With ``goes_on`` it has qualified for the next stage, or would if this one ended now."""

    entry: EntryId
    name: str = ""
    number: int | None = None
    rank: int | None = None
    cells: tuple[CrossTableCell, ...] = ()
    byes: tuple[int, ...] = ()
    goes_on: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossTable:
    """A cross table in the order of the standings; ``pool`` is the label of its pool, if any."""

    rows: tuple[CrossRow, ...]
    pool: str = ""

    @property
    def has_qualifiers(self) -> bool:
        return any(row.goes_on for row in self.rows)

    @property
    def has_byes(self) -> bool:
        return any(row.byes for row in self.rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageChart:
    """The chart of a stage (index from 0): a bracket, or cross tables, or neither."""

    stage: int
    format: str
    bracket: BracketChart | None = None
    tables: tuple[CrossTable, ...] = ()
