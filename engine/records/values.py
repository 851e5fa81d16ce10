"""Matches as records count them, and the records of people and clubs: frozen values."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, NewType

from rules import Seat, Side

PersonId = NewType("PersonId", int)
Players = tuple[PersonId, ...]


class Bids(NamedTuple):
    """The hands of a match that one side played in one contract; ``seat`` is the declarer's, if it is known.

    ``counted`` are the number bids whose tricks were counted, ``over`` the sum of their tricks above the bid,
    negative below it.
    """

    side: Side
    seat: Seat | None
    contract: str
    bid: int
    made: int
    counted: int
    over: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedMatch:
    """Two sides that met at a table, with the result, side A first in every pair.

    A side has its players in the order of the seats. ``bids`` are of recorded hands: empty if only totals
    were written down.
    """

    event: int
    held_on: datetime.date
    sides: tuple[Players, Players]
    winner: Side | None
    games: tuple[int, int] = (0, 0)
    points: tuple[int, int] = (0, 0)
    bids: tuple[Bids, ...] = ()


class Balance(NamedTuple):
    """Matches won, drawn and lost."""

    won: int
    drawn: int
    lost: int

    @property
    def played(self) -> int:
        return self.won + self.drawn + self.lost


class ContractCount(NamedTuple):
    """The number of times that a contract was bid and made; and the tricks of those counted against the
    bid."""

    bid: int = 0
    made: int = 0
    counted: int = 0
    over: int = 0


class Company(NamedTuple):
    """A partner or an opponent, with the results."""

    person: PersonId
    balance: Balance


class Streak(NamedTuple):
    """Matches won in a row, and the event of the last of them."""

    length: int = 0
    event: int | None = None


class Year(NamedTuple):
    """A calendar year: the number of nights, and the balance of their matches."""

    nights: int
    balance: Balance


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRecord:
    """All matches of a person. ``marked`` counts the matches whose hands were recorded.

    ``contracts`` are those of the side, whichever of the two bid; ``own`` those that the person is known to
    have bid. ``streak`` is the longest, ``running`` the current one.
    """

    nights: int
    balance: Balance
    games: tuple[int, int]
    points: tuple[int, int]
    marked: int
    contracts: Mapping[str, ContractCount] = field(hash=False)
    own: Mapping[str, ContractCount] = field(hash=False)
    partners: tuple[Company, ...]
    opponents: tuple[Company, ...]
    streak: Streak
    running: int
    years: Mapping[int, Year] = field(hash=False)


class Holder(NamedTuple):
    """The players who hold a record, and the event in which they reached it, if it was one."""

    players: Players
    event: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Feat:
    """A record of a club: the number, and its holders, the first ones first; ``shared`` is the number of
    holders."""

    number: int
    holders: tuple[Holder, ...]
    shared: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BestPair:
    """The two partners with the best balance of the club."""

    players: Players
    balance: Balance


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubRecord:
    """The totals of a club, and its records; None for those that nobody holds yet."""

    nights: int
    matches: int
    people: int
    highest: Feat | None
    charlemagnes: Feat | None
    streak: Feat | None
    most_nights: Feat | None
    best_pair: BestPair | None
