"""Input and output of standings: frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.draws import EntryId
from rules import MatchFormat


class Outcome(StrEnum):
    """The outcome of a round for an entry."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


class OutcomeKind(StrEnum):
    """The kind of an entry's round. The rules of the ranking value all but the first."""

    PLAYED = "played"
    BYE = "bye"
    """A bye in turn."""
    SCHEDULED_BYE = "scheduled_bye"
    """No opponent in a round of a round robin, or of a pool: in the end all have as many opponents."""
    ANNULLED = "annulled"
    """A match with an entry that left a round robin, or a pool, before half of it."""
    FORFEIT = "forfeit"
    """Won or lost without play."""
    REQUESTED_BYE = "requested_bye"
    LATE = "late"
    """A round before the entry arrived."""
    ABSENT = "absent"
    EXCUSED = "excused"
    """An absence that the director excused."""
    MADE_UP = "made_up"
    """A round that the entry missed in a round robin, or in a pool, although it has met all others since."""
    WITHDRAWN = "withdrawn"
    """A round after the entry withdrew, which counts nothing."""

    @classmethod
    def _missing_(cls, value: object) -> "OutcomeKind | None":
        """Read ``missed``, the kind in older standings, as an absence."""
        return cls.ABSENT if value == "missed" else None


class Bye(StrEnum):
    """The value of a bye, or of another round that an entry did not play without its fault."""

    WIN = "win"
    DRAW = "draw"
    NOTHING = "nothing"
    AVERAGE = "average"
    """The average of what the entry won at tables."""


class Average(StrEnum):
    """The points of a round that was not played."""

    OWN = "own"
    """The mean of the rounds that the entry has played."""
    WINNERS = "winners"
    """The mean of the winners at tables of the round."""


UnplayedValue = tuple[Bye, int | Average]
"""The value of a round without play, and its points."""

# Names are faster to look up than members, and these are needed for every round of every entry.
WON, DRAWN, LOST = Outcome
PLAYED, BYE, SCHEDULED_BYE, ANNULLED, FORFEIT, REQUESTED_BYE, LATE, ABSENT, EXCUSED, MADE_UP, WITHDRAWN = OutcomeKind

MISSED_KINDS = frozenset({REQUESTED_BYE, LATE, ABSENT, EXCUSED, MADE_UP, WITHDRAWN})
"""The kinds of rounds that an entry missed, not counting byes of the draw and forfeits."""

MET_KINDS = frozenset({PLAYED, FORFEIT})
"""The kinds of rounds in which an entry had an opponent, with or without play."""

NO_MATCH_KINDS = frozenset({SCHEDULED_BYE, ANNULLED, MADE_UP})
"""The kinds of rounds without a match to win."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One counted round of one entry, from its side.

    A person whose partner was drawn has a partner and two opponents; a pair has one opponent. Games, points,
    contracts and Charlemagnes are those of the cards: the rules of the ranking value other kinds of rounds.
    ``share`` is the part of a win that a round without play is worth, in hundredths of a percent, if that is
    an average. ``stage`` counts from 0. ``length`` is the match length of the round, if its phase has
    its own; ``value`` that of a round without play, if its phase may have its own.
    """

    round: int
    outcome: Outcome
    kind: OutcomeKind = OutcomeKind.PLAYED
    opponents: tuple[EntryId, ...] = ()
    partners: tuple[EntryId, ...] = ()
    games_won: int = 0
    games_lost: int = 0
    points_for: int = 0
    points_against: int = 0
    contracts_made: int = 0
    charlemagnes: int = 0
    table: int | None = None
    stage: int = 0
    share: int | None = None
    length: MatchFormat | None = None
    value: UnplayedValue | None = None


NO_PLACE = 1_000_000
"""The place of entries without one: after all others."""
STILL_PLAYING_PLACE = 0
"""The value shown for an entry that still plays for a place in a bracket."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageGroup:
    """The progress of an entry.

    ``group`` is 1 for entries of the last stage, or of the first of several side by side. ``place`` is the place in
    a bracket; with ``is_still_playing``, the best one that the entry can still reach.
    """

    group: int
    place: int = NO_PLACE
    is_still_playing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultAdjustment:
    """A penalty or a bonus by the director: an amount of one metric of ``ADJUSTABLE``, in a round or in
    total."""

    entry: EntryId
    metric: str
    amount: int
    round: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """A round in which an entry met one that is tied with it, with the result from its side."""

    opponent: EntryId
    result: Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of the standings.

    ``order`` are the metrics that rank it. ``values`` holds those of all orders of the field, then the usual
    columns; None where a metric has no value for the entry. ``equals`` are all the entries of this rank,
    including itself. ``decided_by`` is the metric that separates it from the row above: None at the top, and
    between equals. ``dropped`` are the rounds that do not count, ``adjustments`` the director's adjustments, by
    metric; ``meetings`` those that head to head compares, if it decides. With ``is_still_playing``, the entry
    has no final place in a bracket yet: the value is the best possible place.
    """

    entry: EntryId
    rank: int
    values: Mapping[str, int | None] = field(hash=False)
    equals: tuple[EntryId, ...]
    decided_by: str | None
    order: tuple[str, ...] = ()
    dropped: tuple[int, ...] = ()
    adjustments: Mapping[str, int] = field(default_factory=dict, hash=False)
    meetings: tuple[Meeting, ...] = ()
    is_still_playing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionComparison:
    """One criterion of two rows: both values, and whether this one decides."""

    metric: str
    value: int | None
    neighbour_value: int | None
    is_deciding: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricPart:
    """The part of a metric of an entry from one round; ``is_counted`` is False if it is cut, or dropped."""

    result: Result
    value: int
    is_counted: bool = True
