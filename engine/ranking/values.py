"""What goes into standings and what comes out: frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.draws import EntryId


class Outcome(StrEnum):
    """How a round ended for an entry."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


class OutcomeKind(StrEnum):
    """How an entry spent a round. What each but the first is worth is for the rules of the ranking."""

    PLAYED = "played"
    BYE = "bye"
    """A bye in turn."""
    SCHEDULED_BYE = "scheduled_bye"
    """No opponent in a round of a round robin, or of a pool: in the end everybody has met as many."""
    ANNULLED = "annulled"
    """A match with somebody who left a round robin, or a pool, before half of it."""
    FORFEIT = "forfeit"
    """Won or lost without a card."""
    REQUESTED_BYE = "requested_bye"
    LATE = "late"
    """Before the entry arrived."""
    ABSENT = "absent"
    EXCUSED = "excused"
    """An absence that the director excused."""
    WITHDRAWN = "withdrawn"
    """Nothing, whatever came before or after."""

    @classmethod
    def _missing_(cls, value: object) -> "OutcomeKind | None":
        """``missed``, as standings say that were kept before its kinds were told apart."""
        return cls.ABSENT if value == "missed" else None


# A member is slower to look up than a name, and these are asked for in every round of everybody.
WON, DRAWN, LOST = Outcome
PLAYED, BYE, SCHEDULED_BYE, ANNULLED, FORFEIT, REQUESTED_BYE, LATE, ABSENT, EXCUSED, WITHDRAWN = OutcomeKind

MISSED = frozenset({REQUESTED_BYE, LATE, ABSENT, EXCUSED, WITHDRAWN})
"""The rounds that an entry missed through no draw and no forfeit."""

MET = frozenset({PLAYED, FORFEIT})
"""The rounds in which an entry had an opponent, with or without cards."""

NO_MATCH = frozenset({SCHEDULED_BYE, ANNULLED})
"""The rounds in which there was no match to be won."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One counted round of one entry, from its side.

    A person whose partner was drawn has a partner and two opponents; a pair has one opponent. Games, points,
    contracts and Charlemagnes are those of the cards: what other kinds of rounds are worth is for the rules
    of the ranking. ``share`` is the part of a win that a round without cards is worth, in hundredths of a
    percent, where that is an average. ``stage`` counts from 0.
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


NO_PLACE = 1_000_000
"""The place of who has none: after all who have one."""
STILL_IN = 0
"""What is shown of who still plays for a place in a bracket."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageGroup:
    """How far an entry came: its ``group`` (1 for those of the last stage, or of the first of several side by
    side), and its ``place`` in a bracket: the best one that it can still have while it ``plays_on``."""

    group: int
    place: int = NO_PLACE
    plays_on: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultAdjustment:
    """A penalty or a bonus that the director gives: so much more of one metric of ``ADJUSTABLE``, in a round
    or in the whole."""

    entry: EntryId
    metric: str
    amount: int
    round: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """A round in which an entry met one that is level with it, with the result from its side."""

    opponent: EntryId
    result: Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of the standings.

    ``values`` holds the metrics of the order first, then the usual columns; None where a metric says nothing
    of the entry. ``equals`` are all the entries of this rank, itself among them. ``decided_by`` is the metric
    that parts it from the row above: None at the top, and between equals. ``dropped`` are the rounds that do
    not count, ``adjusted`` what the director changed, by metric; ``meetings`` those that head to head looks
    at, where it says something. Who ``plays_on`` has no place in a bracket yet: the value is the best one.
    """

    entry: EntryId
    rank: int
    values: Mapping[str, int | None] = field(hash=False)
    equals: tuple[EntryId, ...]
    decided_by: str | None
    dropped: tuple[int, ...] = ()
    adjusted: Mapping[str, int] = field(default_factory=dict, hash=False)
    meetings: tuple[Meeting, ...] = ()
    plays_on: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionComparison:
    """One criterion of two rows: both values, and whether this is the one that parts them."""

    metric: str
    value: int | None
    neighbour_value: int | None
    decided: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricPart:
    """What one round adds to a metric of an entry; ``is_counted`` is False where it is cut, or dropped.

    Where the metric looks at opponents, ``faced`` is what each of them is worth: the score, or the rate; of
    the entry itself where it met nobody.
    """

    result: Result
    value: int
    is_counted: bool = True
    faced: tuple[int, ...] = ()
