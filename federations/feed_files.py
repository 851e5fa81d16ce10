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

from engine.federations import Feed, FeedDate, FeedMatch, FeedNight, FeedPerson, FeedPlace, statement_of
from engine.ladders import IN_ROWS
from engine.signed_logs import EntryKind, signed_entry_from_json
from engine.signed_logs.keys import is_signed, signature_of
from engine.sums import canonical
from errors import Refusal
from rules import Side
from tournaments.event_files.shapes import (
    Day,
    ListOf,
    MomentShape,
    NamedBy,
    OrNull,
    Plain,
    RowShape,
    Spelled,
    Switch,
    Text,
    Whole,
    parts,
)

MARK = "charlemagne_feed"
VERSION = 1
MOST_BYTES = 8 * 1024 * 1024
_SIGNS = b"charlemagne feed\n"
"""Prefix of the signed bytes, so that a signature of a feed is never valid for anything else."""

FIGURES = tuple(counts.value for counts in IN_ROWS)
_ID, _KEY, _SIGNATURE = Spelled("[0-9a-f]{8,64}"), Spelled("[0-9a-f]{64}"), Spelled("[0-9a-f]{128}")
_NAME, _PATH = Text(most=200), Spelled(r"(/(?!/)[A-Za-z0-9/_.~#-]{0,300})?")
_FIGURE, _COUNT = Whole(-1_000_000, 1_000_000), Whole(1, 100_000)
_SIDE = ListOf(_ID)
_PLACE = parts(entry=_COUNT, rank=_COUNT, people=_SIDE, **dict.fromkeys(FIGURES, _FIGURE))
_NIGHT = parts(
    id=_ID,
    name=_NAME,
    held_on=Day(),
    page=_PATH,
    revision=_COUNT,
    line=OrNull(_COUNT),
    places=ListOf(_PLACE),
    matches=ListOf(RowShape((_SIDE, _SIDE, OrNull(Text(choices=("A", "B")))))),
)
_DATE = parts(
    day=Day(),
    starts_at=Spelled("([0-2][0-9]:[0-5][0-9])?"),
    name=_NAME,
    place=_NAME,
    page=_PATH,
    is_off=Switch(),
)
_FEED = parts(
    **{MARK: Whole(VERSION, VERSION)},
    id=_ID,
    number=Whole(1),
    at=MomentShape(),
    club=_NAME,
    key=_KEY,
    keys=ListOf(Plain()),
    people=NamedBy(parts(name=_NAME, is_rated=Switch(), identities=ListOf(RowShape((_KEY, _SIGNATURE))))),
    nights=ListOf(_NIGHT),
    dates=ListOf(_DATE),
)
_FILE = parts(feed=_FEED, signature=_SIGNATURE)


@dataclass(frozen=True, slots=True)
class SignedFeed:
    """A feed as received: its JSON values (``plain``) and their ``signature``."""

    plain: Mapping[str, Any]
    signature: str

    @property
    def id(self) -> str:
        return str(self.plain["id"])

    @property
    def number(self) -> int:
        return int(self.plain["number"])

    @property
    def at(self) -> datetime.datetime:
        return datetime.datetime.fromisoformat(self.plain["at"])

    @property
    def key(self) -> str:
        return str(self.plain["key"])

    @property
    def is_signed(self) -> bool:
        """Whether the signature is valid for the key named in the feed."""
        return is_signed(_bytes_to_sign(self.plain), self.signature, self.key)

    def goes_on_from(self, key: str) -> bool:
        """Check whether the feed's key is ``key`` or a successor of it, according to signed log entries."""
        for plain in self.plain["keys"]:
            line = signed_entry_from_json(plain)
            if line is not None and line.entry["key"] == key and _hands_on(line.entry) and line.is_signed:
                key = line.entry["new_key"]
        return key == self.key


def _hands_on(entry: Mapping[str, Any]) -> bool:
    return entry["kind"] == EntryKind.KEY.value and "new_key" in entry


def _bytes_to_sign(plain: Mapping[str, Any]) -> bytes:
    return _SIGNS + canonical(dict(plain))


def sign_feed(plain: Mapping[str, Any], *, private: str) -> str:
    """Sign a feed given in its plain form."""
    return signature_of(_bytes_to_sign(plain), private)


def feed_file(written: str, signature: str) -> str:
    """Return the feed file; ``written`` is the feed in JSON."""
    return f'{{"feed":{written},"signature":"{signature}"}}\n'


def read_feed_file(content: bytes | str) -> SignedFeed:
    """Read a feed file without checking its signature. Refuses: feed_unreadable."""
    try:
        file = json.loads(content)
        _FILE.check(file, ())
        feed = file["feed"]
        known = feed["people"].keys()
        if not all(known >= ids for ids in _people_in(feed["nights"])):
            raise Refusal("feed_unreadable")
    except (ValueError, RecursionError, Refusal):
        raise Refusal("feed_unreadable") from None
    return SignedFeed(feed, file["signature"])


def _people_in(nights: Sequence[Mapping[str, Any]]) -> list[set[str]]:
    """Return the ids of the people in each place and in each match."""
    seated = [set(place["people"]) for night in nights for place in night["places"]]
    return seated + [{*one, *other} for night in nights for one, other, _ in night["matches"]]


def feed_in(signed: SignedFeed) -> Feed:
    """Convert a feed file to a ``Feed``. An identity code counts only if its key signed this person of this
    feed."""
    plain = signed.plain
    return Feed(
        id=signed.id,
        number=signed.number,
        at=datetime.datetime.fromisoformat(plain["at"]),
        club=plain["club"],
        people={id_: _person(signed.id, id_, each) for id_, each in plain["people"].items()},
        nights=tuple(_night(each) for each in plain["nights"]),
        dates=tuple(
            FeedDate(**{**each, "day": datetime.date.fromisoformat(each["day"])}) for each in plain["dates"]
        ),
    )


def _person(feed: str, id_: str, plain: Mapping[str, Any]) -> FeedPerson:
    stated = statement_of((feed, id_))
    proven = [key for key, signature in plain["identities"] if is_signed(stated, signature, key)]
    codes = tuple(proven) if plain["name"] else ()
    return FeedPerson(id=id_, name=plain["name"], is_rated=plain["is_rated"], codes=codes)


def _night(plain: Mapping[str, Any]) -> FeedNight:
    return FeedNight(
        id=plain["id"],
        name=plain["name"],
        held_on=datetime.date.fromisoformat(plain["held_on"]),
        page=plain["page"],
        revision=plain["revision"],
        line=plain["line"],
        places=tuple(
            FeedPlace(
                entry=each["entry"],
                rank=each["rank"],
                people=tuple(each["people"]),
                figures={name: each[name] for name in FIGURES},
            )
            for each in plain["places"]
        ),
        matches=tuple(
            FeedMatch(sides=(tuple(one), tuple(other)), winner=None if won is None else Side[won])
            for one, other, won in plain["matches"]
        ),
    )
