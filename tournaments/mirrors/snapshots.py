"""Signed messages between two installations: a snapshot of an event, and the question for one. Each begins
with a line that names the pairing and has the signature; the content follows."""

import gzip
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from engine.signed_logs.keys import is_signed, signature_of
from engine.sums import canonical
from errors import Refusal
from tournaments.event_files import Content, in_newest_form, read_event_file
from tournaments.event_files.shapes import (
    ListOf,
    MomentShape,
    NamedBy,
    OrNull,
    Plain,
    RowShape,
    Shape,
    Spelled,
    Switch,
    Whole,
    parts,
)

from .agreement import Position

MARK = "charlemagne_snapshot"
WANTED = "charlemagne_snapshots_wanted"
POSITIONS = "charlemagne_positions"
VERSION = 3
MOST_BYTES = 64 * 1024 * 1024
"""Most bytes unpacked, as many as an event of four thousand has."""
_FIRST_LINE = 200
"""Most bytes of the first line: the key of a pairing, and a signature in hexadecimal digits."""
_SIGNS = b"charlemagne snapshot\n"
"""Prefix of the signed bytes, so that no signature made for another purpose is valid here."""

_UUID, _HEAD = Spelled("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"), Spelled("[0-9a-f]{64}")
_NUMBER, _MOMENT = Whole(1, 2**31 - 1), MomentShape()
_SECONDS = Whole(-(2**31), 2**31 - 1)
_PUBLISHED = parts(
    number=_NUMBER,
    corrects=OrNull(_NUMBER),
    rounds=Whole(),
    rows=Plain(),
    counted=Plain(),
    charts=Plain(),
    published_at=_MOMENT,
)
_CLOCK = parts(
    minutes=OrNull(_NUMBER),
    added=Whole(),
    paused_at=OrNull(_MOMENT),
    paused_seconds=Whole(),
    last_hand_at=OrNull(_MOMENT),
    shift=_SECONDS,
)
_BESIDE = parts(
    final=OrNull(_NUMBER),
    is_put_away=Switch(),
    published=ListOf(_PUBLISHED),
    messages=ListOf(NamedBy(Plain())),
    clocks=NamedBy(_CLOCK),
    people=ListOf(
        parts(
            id=Whole(1),
            yours=OrNull(Whole(1)),
            is_guest=Switch(),
            shows_full_name=Switch(),
            is_hidden=Switch(),
        )
    ),
)
_FORM = parts(
    **{MARK: Whole(VERSION, VERSION)},
    chain=_UUID,
    number=_NUMBER,
    after=ListOf(RowShape((_NUMBER, _HEAD))),
    at=_MOMENT,
    file=NamedBy(Plain()),
    beside=_BESIDE,
    hands_over=Switch(),
    epoch=Whole(),
)
_POSITION = (Whole(), OrNull(Spelled("([0-9a-f]{64})?")), Whole(), Switch(), Switch())
_QUESTION = parts(
    **{WANTED: Whole(VERSION, VERSION)},
    has=ListOf(RowShape((_UUID, *_POSITION))),
    without=ListOf(_UUID),
    clock_ahead=OrNull(_SECONDS),
)
_REPORT = parts(
    **{POSITIONS: Whole(VERSION, VERSION)},
    at=_MOMENT,
    has=ListOf(RowShape((_UUID, Switch(), *_POSITION))),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """An event as of the moment ``at``: its ``file``, and ``beside`` it what public pages show and no file
    has. ``after`` names, by number and head, the snapshots of its ``chain`` that may be the last one there.
    If it ``hands_over``, its receiver leads the event from then on. ``epoch`` counts the handovers of the
    event, this one included."""

    chain: UUID
    number: int
    after: Sequence[tuple[int, str]]
    at: datetime
    file: Content
    beside: Mapping[str, Any]
    hands_over: bool = False
    epoch: int = 0

    @property
    def body(self) -> bytes:
        """The bytes that are signed."""
        return canonical(
            {
                MARK: VERSION,
                "chain": str(self.chain),
                "number": self.number,
                "after": [list(each) for each in self.after],
                "at": self.at.isoformat(),
                "file": self.file,
                "beside": dict(self.beside),
                "hands_over": self.hands_over,
                "epoch": self.epoch,
            }
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MirrorQuestion:
    """A laptop's question to the public site. ``has`` gives its position by chain; a head of None asks for
    the newest, whatever that goes on from. Nothing is wanted of the chains ``without``.
    ``clock_ahead`` is how many seconds the site's clock is ahead of the laptop's, None before it is known."""

    has: Mapping[UUID, Position]
    without: Sequence[UUID] = ()
    clock_ahead: int | None = None

    @property
    def body(self) -> bytes:
        """The bytes that are signed."""
        return canonical(
            {
                WANTED: VERSION,
                "has": [[str(chain), *astuple(known)] for chain, known in self.has.items()],
                "without": [str(chain) for chain in self.without],
                "clock_ahead": self.clock_ahead,
            }
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionReport:
    """Answer of the public site where there is nothing to take. ``has`` says by chain whether it knows the
    laptop's last snapshot, and its own position; ``at`` is when, by its clock."""

    has: Mapping[UUID, tuple[bool, Position]]
    at: datetime

    @property
    def body(self) -> bytes:
        """The bytes that are signed."""
        rows = [[str(chain), knows, *astuple(known)] for chain, (knows, known) in self.has.items()]
        return canonical({POSITIONS: VERSION, "has": rows, "at": self.at.isoformat()})


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedMessage:
    """A signed message as it travels: what can be read before the signature is checked."""

    pairing: str
    signature: str
    body: bytes

    @property
    def head(self) -> str:
        """Digest by which the next message refers to this one."""
        return digest_of_body(self.body)

    @property
    def gzipped_bytes(self) -> bytes:
        return gzip.compress(f"{self.pairing} {self.signature}\n".encode() + self.body, mtime=0)

    def is_of(self, key: str) -> bool:
        """Return whether this key signed the message."""
        return is_signed(_signed_of(self.pairing, self.body), self.signature, key)


def digest_of_body(body: bytes) -> str:
    return sha256(body).hexdigest()


def signed_message(body: bytes, *, pairing: UUID, private: str) -> SignedMessage:
    named = str(pairing)
    return SignedMessage(pairing=named, signature=signature_of(_signed_of(named, body), private), body=body)


def _signed_of(pairing: str, body: bytes) -> bytes:
    return _SIGNS + pairing.encode() + b"\n" + body


def named_pairing(packed: bytes) -> str:
    """Return the pairing that the message names, unpacking only its first line. Refuses:
    snapshot_unreadable."""
    return _unpack_parts(packed, _FIRST_LINE)[0]


def unpack(packed: bytes) -> SignedMessage:
    """Unpack the whole message, up to 64 MiB; only for a known pairing. Refuses: snapshot_unreadable."""
    pairing, signature, body, is_whole = _unpack_parts(packed, MOST_BYTES)
    if not is_whole:
        raise Refusal("snapshot_unreadable")
    return SignedMessage(pairing=pairing, signature=signature, body=body)


def _unpack_parts(packed: bytes, most: int) -> tuple[str, str, bytes, bool]:
    """Return pairing, signature and body, up to this many bytes, and whether that is all."""
    unpacker = zlib.decompressobj(wbits=31)
    try:
        first, _, body = unpacker.decompress(packed, most).partition(b"\n")
        pairing, signature = first.decode("ascii").split(" ")
        UUID(pairing)
    except (zlib.error, ValueError):
        raise Refusal("snapshot_unreadable") from None
    return pairing, signature, body, unpacker.eof


def read_snapshot(body: bytes) -> Snapshot:
    """Read a snapshot from its signed bytes. Refuses: snapshot_unreadable, and what ``read_event_file``
    refuses."""
    plain = _checked_message(body, _FORM)
    file = in_newest_form(read_event_file(canonical(plain["file"])))
    if len(plain["beside"]["people"]) != len(file["people"]):
        raise Refusal("snapshot_unreadable")
    return Snapshot(
        chain=UUID(plain["chain"]),
        number=plain["number"],
        after=[(number, head) for number, head in plain["after"]],
        at=datetime.fromisoformat(plain["at"]),
        file=file,
        beside=plain["beside"],
        hands_over=plain["hands_over"],
        epoch=plain["epoch"],
    )


def read_mirror_question(body: bytes) -> MirrorQuestion:
    """Read a question from its signed bytes. Refuses: snapshot_unreadable."""
    plain = _checked_message(body, _QUESTION)
    return MirrorQuestion(
        has={UUID(chain): _position(row) for chain, *row in plain["has"]},
        without=[UUID(chain) for chain in plain["without"]],
        clock_ahead=plain["clock_ahead"],
    )


def read_position_report(body: bytes) -> PositionReport:
    """Read a report of positions from its signed bytes. Refuses: snapshot_unreadable."""
    plain = _checked_message(body, _REPORT)
    has = {UUID(chain): (knows, _position(row)) for chain, knows, *row in plain["has"]}
    return PositionReport(has=has, at=datetime.fromisoformat(plain["at"]))


def is_position_report(body: bytes) -> bool:
    """Return whether the body is a report of positions, not a snapshot: only its time sorts before its
    mark."""
    return re.match(rb'\{"at":"[^"]*","%s"' % POSITIONS.encode(), body) is not None


def _checked_message(body: bytes, form: Shape) -> Any:
    try:
        plain = json.loads(body)
        form.check(plain, ())
    except (ValueError, RecursionError, Refusal):
        raise Refusal("snapshot_unreadable") from None
    return plain


def _position(row: Sequence[Any]) -> Position:
    number, head, epoch, leads, hands_over = row
    return Position(number=number, head=head, epoch=epoch, leads=leads, hands_over=hands_over)
