"""A season's ladders and the nights that count for them: frozen values."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

PersonId = NewType("PersonId", int)
Players = tuple[PersonId, ...]
"""Whom a line of a ladder is about: one person, or the two of a pair, the lower id first; of a club,
its id alone."""


class LadderUnit(StrEnum):
    """Who has a line of their own."""

    PERSON = "person"
    PAIR = "pair"
    CLUB = "club"


class Counts(StrEnum):
    """What a night brings; all but the last are the figures of its standings. ``HALF_WINS`` are two for a win
    and one for a draw, or for a round that counts half a win."""

    MATCH_WINS = "match_wins"
    HALF_WINS = "half_wins"
    GAMES_WON = "games_won"
    POINTS_FOR = "points_for"
    DIFFERENCE = "difference"
    RANK_POINTS = "rank_points"


class Who(StrEnum):
    """Whom a ladder ranks."""

    ALL = "all"
    MEMBERS = "members"
    GUESTS = "guests"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """How nights add up to one standing.

    The ``best`` nights of each count, all where it is None; whoever came fewer than ``least_nights`` times
    has no rank yet. ``presence`` is added for every night, counted or not. ``rank_points`` are those of
    the first, the second, …, and none after; where there are none, a night brings the first as many as there
    are entries, and one less for each rank after it. Only ``who``, and those with the ``label``, if any.
    """

    name: str
    unit: LadderUnit = LadderUnit.PERSON
    counts: Counts = Counts.POINTS_FOR
    rank_points: tuple[int, ...] = ()
    best: int | None = None
    least_nights: int = 0
    presence: int = 0
    who: Who = Who.ALL
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderPerson:
    """What a ladder asks of a person."""

    is_guest: bool = False
    labels: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What of the figures of an entry was played by these people."""

    players: Players
    figures: Mapping[str, int] = field(hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """How an entry came out of a night: its rank, the figures of the standings, and the ``club`` it played
    for, where that tells anything. Of a whole club, ``entry`` is 0.

    Where somebody was replaced in the course of the night, ``shares`` say who brought what of the figures."""

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
    showings: tuple[Showing, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What one night brought to a line: as entry number ``entry``, ``rank`` of ``of`` entries; to a club, as
    one of so many clubs, and its entry is 0."""

    event: int
    entry: int
    rank: int
    of: int
    gained: int
    is_counted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderRow:
    """A line of a ladder; without a rank where somebody has not come often enough.

    ``total`` is what the nights that count have brought and the ``bonus`` for being there; between equals
    decide the nights that were won (``firsts``), then the best night (``highest``).
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
        return len(self.scores)
