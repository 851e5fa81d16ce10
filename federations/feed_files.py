"""Format of a club's feed file. The club writes and signs it; the federations that follow it read and check
it.

It contains the club's signing key, which also signs its results log, and the log entries in which one key
names its successor. A reader who trusts an older key can thus follow the chain to the current one. Nights are
not signed again: each names its entry in the log.
"""

import datetime
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.checksums import to_canonical_json
from engine.federations import Feed, FeedDate, FeedMatch, FeedNight, FeedPerson, FeedPlace, build_statement
from engine.json_values import read_value
from engine.ladders import ROW_FIGURES
from engine.signed_logs import EntryKind, signed_entry_from_json
from engine.signed_logs.keys import create_signature, is_signed
from errors import Refusal
from rules import Side
from tournaments.event_files.shapes import (
    AnyShape,
    BooleanShape,
    DateShape,
    DatetimeShape,
    IntegerShape,
    ListShape,
    MappingShape,
    NullableShape,
    PatternShape,
    TextShape,
    TupleShape,
    build_object_shape,
)

MARK = "charlemagne_feed"
VERSION = 1
MAX_FEED_BYTES = 8 * 1024 * 1024
_SIGNED_PREFIX = b"charlemagne feed\n"
"""Prefix of the signed bytes, so that a signature of a feed is never valid for anything else."""

FIGURES = tuple(counts.value for counts in ROW_FIGURES)
_ID, _KEY, _SIGNATURE = PatternShape("[0-9a-f]{8,64}"), PatternShape("[0-9a-f]{64}"), PatternShape("[0-9a-f]{128}")
_NAME, _PATH = TextShape(most=200), PatternShape(r"(/(?!/)[A-Za-z0-9/_.~#-]{0,300})?")
_FIGURE, _COUNT = IntegerShape(-1_000_000, 1_000_000), IntegerShape(1, 100_000)
_SIDE = ListShape(_ID)
_PLACE = build_object_shape(entry=_COUNT, rank=_COUNT, people=_SIDE, **dict.fromkeys(FIGURES, _FIGURE))
_NIGHT = build_object_shape(
    id=_ID,
    name=_NAME,
    held_on=DateShape(),
    page=_PATH,
    revision=_COUNT,
    line=NullableShape(_COUNT),
    places=ListShape(_PLACE),
    matches=ListShape(TupleShape((_SIDE, _SIDE, NullableShape(TextShape(choices=("A", "B")))))),
)
_DATE = build_object_shape(
    day=DateShape(),
    starts_at=PatternShape("([0-2][0-9]:[0-5][0-9])?"),
    name=_NAME,
    place=_NAME,
    page=_PATH,
    is_off=BooleanShape(),
)
_FEED = build_object_shape(
    **{MARK: IntegerShape(VERSION, VERSION)},
    id=_ID,
    number=IntegerShape(1),
    at=DatetimeShape(),
    club=_NAME,
    key=_KEY,
    keys=ListShape(AnyShape()),
    people=MappingShape(
        build_object_shape(name=_NAME, is_rated=BooleanShape(), identities=ListShape(TupleShape((_KEY, _SIGNATURE))))
    ),
    nights=ListShape(_NIGHT),
    dates=ListShape(_DATE),
)
_FILE = build_object_shape(feed=_FEED, signature=_SIGNATURE)


@dataclass(frozen=True, slots=True)
class SignedFeed:
    """A feed as received: its JSON values (``data``) and their ``signature``."""

    data: Mapping[str, Any]
    signature: str

    @property
    def id(self) -> str:
        return str(self.data["id"])

    @property
    def number(self) -> int:
        return int(self.data["number"])

    @property
    def created_at(self) -> datetime.datetime:
        return datetime.datetime.fromisoformat(self.data["at"])

    @property
    def key(self) -> str:
        return str(self.data["key"])

    @property
    def is_signed(self) -> bool:
        """Whether the signature is valid for the key named in the feed."""
        return is_signed(_get_signing_bytes(self.data), self.signature, self.key)

    def has_successor_key(self, key: str) -> bool:
        """Check whether the feed's key is ``key`` or a successor of it, according to signed log entries."""
        for data in self.data["keys"]:
            signed_entry = signed_entry_from_json(data)
            if (
                signed_entry is not None
                and signed_entry.entry["key"] == key
                and _is_key_change(signed_entry.entry)
                and signed_entry.is_signed
            ):
                key = signed_entry.entry["new_key"]
        return key == self.key


def _is_key_change(entry: Mapping[str, Any]) -> bool:
    return entry["kind"] == EntryKind.KEY.value and "new_key" in entry


def _get_signing_bytes(data: Mapping[str, Any]) -> bytes:
    return _SIGNED_PREFIX + to_canonical_json(dict(data))


def sign_feed(data: Mapping[str, Any], *, private: str) -> str:
    """Sign a feed given in its plain form."""
    return create_signature(_get_signing_bytes(data), private)


def build_feed_file(feed_json: str, signature: str) -> str:
    """Return the feed file; ``feed_json`` is the feed in JSON."""
    return f'{{"feed":{feed_json},"signature":"{signature}"}}\n'


def read_feed_file(content: bytes | str) -> SignedFeed:
    """Read a feed file without checking its signature. Refuses: feed_unreadable."""
    try:
        file = json.loads(content)
        _FILE.check(file, ())
        feed = file["feed"]
        people_ids = feed["people"].keys()
        if not all(people_ids >= ids for ids in _list_people(feed["nights"])):
            raise Refusal("feed_unreadable")
    except (ValueError, RecursionError, Refusal):
        raise Refusal("feed_unreadable") from None
    return SignedFeed(feed, file["signature"])


def _list_people(nights: Sequence[Mapping[str, Any]]) -> list[set[str]]:
    """Return the ids of the people in each place and in each match."""
    place_people = [set(place["people"]) for night in nights for place in night["places"]]
    return place_people + [{*one, *other} for night in nights for one, other, _ in night["matches"]]


def parse_feed(signed_feed: SignedFeed) -> Feed:
    """Convert a feed file to a ``Feed``. An identity code counts only if its key signed this person of this
    feed."""
    data = signed_feed.data
    return Feed(
        id=signed_feed.id,
        number=signed_feed.number,
        published_at=datetime.datetime.fromisoformat(data["at"]),
        club=data["club"],
        people={id_: _parse_person(signed_feed.id, id_, each) for id_, each in data["people"].items()},
        nights=tuple(_parse_night(each) for each in data["nights"]),
        dates=tuple(read_value(FeedDate, each) for each in data["dates"]),
    )


def _parse_person(feed: str, id_: str, data: Mapping[str, Any]) -> FeedPerson:
    statement = build_statement((feed, id_))
    proven = [key for key, signature in data["identities"] if is_signed(statement, signature, key)]
    codes = tuple(proven) if data["name"] else ()
    return FeedPerson(id=id_, name=data["name"], is_rated=data["is_rated"], codes=codes)


def _parse_night(data: Mapping[str, Any]) -> FeedNight:
    return FeedNight(
        id=data["id"],
        name=data["name"],
        held_on=datetime.date.fromisoformat(data["held_on"]),
        page=data["page"],
        revision=data["revision"],
        log_line=data["line"],
        places=tuple(
            FeedPlace(
                entry=each["entry"],
                rank=each["rank"],
                people=tuple(each["people"]),
                figures={name: each[name] for name in FIGURES},
            )
            for each in data["places"]
        ),
        matches=tuple(
            FeedMatch(sides=(tuple(one), tuple(other)), winner=None if winner is None else Side[winner])
            for one, other, winner in data["matches"]
        ),
    )
