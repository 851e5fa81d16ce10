"""The content of a club's feed: frozen values."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field

from rules import Side


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedPerson:
    """A person in one club. ``name`` is the public one, "" for a person who must not be named: they have
    another ``id`` in each event. People who are not ``is_rated`` are in no list of ratings. ``codes`` are the
    public halves of the codes that this person carries from club to club, each proven to be known here."""

    id: str
    name: str
    is_rated: bool = True
    codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedPlace:
    """The result of an entry in a night: ``figures`` are those of the standings."""

    entry: int
    rank: int
    people: tuple[str, ...]
    figures: Mapping[str, int] = field(hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedMatch:
    """Two sides that met, side A first, and the winner; None if neither won."""

    sides: tuple[tuple[str, ...], tuple[str, ...]]
    winner: Side | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedNight:
    """An event whose final standings are published.

    ``page`` is its path at the club; ``revision`` counts its publications; ``log_line`` is the entry of the club's
    log that signs them, None if there is none.
    """

    id: str
    name: str
    held_on: datetime.date
    page: str
    revision: int
    log_line: int | None
    places: tuple[FeedPlace, ...]
    matches: tuple[FeedMatch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedDate:
    """An upcoming event; ``starts_at`` is ``19:30`` by the clock of the club, "" if unknown; ``page`` is ""
    if it has none. ``is_off`` if it is cancelled or postponed."""

    day: datetime.date
    starts_at: str
    name: str
    place: str
    page: str
    is_off: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """The whole feed of a club. ``id`` never changes, ``number`` grows with each different version."""

    id: str
    number: int
    published_at: datetime.datetime
    club: str
    people: Mapping[str, FeedPerson] = field(hash=False)
    nights: tuple[FeedNight, ...]
    dates: tuple[FeedDate, ...]
