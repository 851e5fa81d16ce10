"""What is drawn: brackets by part, round and match; cross tables by row and cell. Frozen values.

``name`` is what a reader sees for an entry, ``number`` its place in the starting list: both are empty until
``named`` has put them in. A score is there once ``scored_stage`` has put it in: games, or points where one
game is a match.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest

from engine.draws import EntryId
from engine.draws.brackets.structure import Source


class PartKind(StrEnum):
    """A part of a bracket that is drawn by itself."""

    KNOCKOUT = "knockout"
    WINNERS = "winners"
    LOSERS = "losers"
    FINAL = "final"
    GROUP_A = "group_a"
    GROUP_B = "group_b"
    PLACES = "places"
    """Matches of those beaten for the places ``first_place`` to ``last_place``."""


class RoundKind(StrEnum):
    """What the round of a part is called, where it has a name."""

    ROUND = "round"
    ROUND_OF_32 = "round_of_32"
    ROUND_OF_16 = "round_of_16"
    QUARTER_FINAL = "quarter_final"
    SEMI_FINAL = "semi_final"
    FINAL = "final"
    SECOND_FINAL = "second_final"


class SlotState(StrEnum):
    """How far a match of a bracket has come."""

    EXPECTED = "expected"
    """Not yet at a table."""
    IF_NEEDED = "if_needed"
    """Played only if another one ends so."""
    SEATED = "seated"
    """At its table, without a winner so far."""
    PLAYED = "played"
    WALKOVER = "walkover"
    """Won without a card, as the other one was away or gave up."""
    BYE = "bye"
    """Nobody comes against the one side."""
    NOT_NEEDED = "not_needed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartSide:
    """One of the two of a match: an entry, else the ``source`` from which one is still to come; without
    either, nobody.

    ``match`` is the number of the match that the source names. ``seed`` stands where the entry comes in.
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
    ``round`` is that of the event in which it is, or is to be, played; ``table`` None until seated. Of the
    rows of its part it takes those from ``top``, and ``rows`` of them.
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
    def who_stays(self) -> ChartSide:
        """The side that a bye leads on."""
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
    """``path`` draws who meets whom: SVG path data, 20 units a round to the right, 2 units a row down."""

    kind: PartKind
    rounds: tuple[ChartRound, ...]
    rows: int
    path: str
    first_place: int = 1
    last_place: int = 1

    @property
    def rounds_in_turn(self) -> Iterator[tuple[ChartRound, ChartRound | None]]:
        """Each round with the one after it; None after the last."""
        return zip_longest(self.rounds, self.rounds[1:])


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketChart:
    parts: tuple[ChartPart, ...]

    def place_of(self, key: str) -> tuple[ChartPart, ChartRound, ChartSlot] | None:
        """Where a match stands in the chart, by its slot; None if there is no such match."""
        places = (
            (part, column, slot)
            for part in self.parts
            for column in part.rounds
            for slot in column.slots
            if slot.number is not None
        )
        return next((place for place in places if place[2].key == key), None)


class MeetingResult(StrEnum):
    """What became of a meeting, for the entry of the row."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    TO_PLAY = "to_play"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartMeeting:
    """``round`` is that of the event; None if still to be set. ``score`` is that of the row, then that of the
    column."""

    round: int | None
    result: MeetingResult
    table: int | None = None
    is_forfeit: bool = False
    score: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossTableCell:
    """All that two had or will have with each other; ``is_own`` where row and column are of the same."""

    opponent: EntryId
    name: str = ""
    meetings: tuple[ChartMeeting, ...] = ()
    is_own: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossRow:
    """``byes`` are the rounds of the event in which the entry sat out. Whoever ``goes_on`` has a place in the
    next stage, or would have it if this one ended now."""

    entry: EntryId
    name: str = ""
    number: int | None = None
    cells: tuple[CrossTableCell, ...] = ()
    byes: tuple[int, ...] = ()
    goes_on: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossTable:
    """Everybody against everybody, in the order of the standings; ``pool`` is the label of a pool, if it is
    one."""

    rows: tuple[CrossRow, ...]
    pool: str = ""

    @property
    def tells_who_goes_on(self) -> bool:
        return any(row.goes_on for row in self.rows)

    @property
    def has_byes(self) -> bool:
        return any(row.byes for row in self.rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageChart:
    """What there is to see of a stage (index from 0): a bracket, or cross tables, or neither."""

    stage: int
    format: str
    bracket: BracketChart | None = None
    tables: tuple[CrossTable, ...] = ()
