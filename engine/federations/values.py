"""What a club's feed tells: frozen values."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field

from rules import Side


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedPerson:
    """Somebody in one club. ``name`` is as everybody may read it, "" of somebody whom nobody may name: they
    have another ``id`` in each event. Who is not ``is_rated`` is in no list of ratings. ``codes`` are the
    public halves of the codes that this person carries from club to club, each proven to be known here."""

    id: str
    name: str
    is_rated: bool = True
    codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedPlace:
    """How an entry came out of a night: ``figures`` are those of the standings."""

    entry: int
    rank: int
    people: tuple[str, ...]
    figures: Mapping[str, int] = field(hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedMatch:
    """Two sides that met, side A first, and who won; None where neither did."""

    sides: tuple[tuple[str, ...], tuple[str, ...]]
    winner: Side | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedNight:
    """An event whose final standings are published. ``page`` is its path at the club; ``revision`` counts how
    often they were published; ``line`` is that of the club's log which signs them, None where none does."""

    id: str
    name: str
    held_on: datetime.date
    page: str
    revision: int
    line: int | None
    places: tuple[FeedPlace, ...]
    matches: tuple[FeedMatch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedDate:
    """Something that is ahead; ``starts_at`` is ``19:30`` by the clock of the club, "" where nobody said;
    ``page`` is "" where it has none. One that is cancelled or put off ``is_off``."""

    day: datetime.date
    starts_at: str
    name: str
    place: str
    page: str
    is_off: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """All that a club tells. ``id`` is the feed's for ever, ``number`` grows with each that differs."""

    id: str
    number: int
    at: datetime.datetime
    club: str
    people: Mapping[str, FeedPerson] = field(hash=False)
    nights: tuple[FeedNight, ...]
    dates: tuple[FeedDate, ...]
