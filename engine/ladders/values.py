"""A season's ladders and the nights that count for them: frozen values."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

PersonId = NewType("PersonId", int)
Players = tuple[PersonId, ...]
"""The players of a line of a ladder: one person, or the two of a pair, the lower id first; for a club, its id
alone."""


class LadderUnit(StrEnum):
    """The unit of a ladder: each has a line of its own."""

    PERSON = "person"
    PAIR = "pair"
    CLUB = "club"


class LadderFigure(StrEnum):
    """The figure that counts of a night; all but the last are figures of its standings. ``HALF_WINS`` are two
    for a win and one for a draw, or for a round that counts half a win."""

    MATCH_WINS = "match_wins"
    HALF_WINS = "half_wins"
    GAMES_WON = "games_won"
    POINTS_FOR = "points_for"
    DIFFERENCE = "difference"
    RANK_POINTS = "rank_points"


class Eligibility(StrEnum):
    """The people whom a ladder ranks."""

    ALL = "all"
    MEMBERS = "members"
    GUESTS = "guests"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """The rules by which nights add up to season standings.

    The ``best`` nights of each line count, all if it is None; a line with fewer than ``least_nights`` nights
    has no rank yet. ``presence`` is added for every night, counted or not. ``rank_points`` are those of the
    first, the second, …, and none after; if empty, a night brings the first as many points as there are
    entries, and one less for each rank after it. Only ``who`` are ranked, and only those with the ``label``,
    if any.
    """

    name: str
    unit: LadderUnit = LadderUnit.PERSON
    counts: LadderFigure = LadderFigure.POINTS_FOR
    rank_points: tuple[int, ...] = ()
    best: int | None = None
    least_nights: int = 0
    presence: int = 0
    who: Eligibility = Eligibility.ALL
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderPerson:
    """A person's details that a ladder depends on."""

    is_guest: bool = False
    labels: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """The part of an entry's figures that was played by these people."""

    players: Players
    figures: Mapping[str, int] = field(hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class NightResult:
    """The result of an entry in a night: its rank, the figures of the standings, and the ``club`` it played
    for, if that matters. For a whole club, ``entry`` is 0.

    If a player was replaced in the course of the night, ``shares`` split the figures among the players.
    """

    entry: int
    players: Players
    rank: int
    figures: Mapping[str, int] = field(hash=False)
    club: int | None = None
    shares: tuple[Share, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderNight:
    """One event of the season."""

    event: int
    held_on: datetime.date
    results: tuple[NightResult, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The gain of a line from one night: as entry number ``entry``, ``rank`` of ``of`` entries; for a club,
    as one of so many clubs, with entry 0."""

    event: int
    entry: int
    rank: int
    of: int
    gained: int
    is_counted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderRow:
    """A line of season standings; without a rank until there are enough nights.

    ``total`` is the sum of the nights that count and the ``bonus`` for attendance; ties are broken by the
    number of nights won (``firsts``), then by the best night (``highest``). A night has several ``scores`` if they
    played for several entries.
    """

    players: Players
    rank: int | None
    total: int
    bonus: int
    firsts: int
    highest: int
    scores: tuple[Score, ...]

    @property
    def nights(self) -> int:
        return len({score.event for score in self.scores})
