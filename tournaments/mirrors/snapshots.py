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

from engine.checksums import to_canonical_json
from engine.signed_logs.keys import create_signature, is_signed
from errors import Refusal
from tournaments.event_files.conversion import upgrade_content
from tournaments.event_files.parsing import read_event_file
from tournaments.event_files.schema import LIVE_PARTS, PERSON_SHAPES, Content, list_file_people
from tournaments.event_files.shapes import (
    AnyShape,
    BooleanShape,
    DatetimeShape,
    IntegerShape,
    ListShape,
    MappingShape,
    NullableShape,
    PatternShape,
    Shape,
    TupleShape,
    build_object_shape,
)

from .agreement import Position

SNAPSHOT_MARK = "charlemagne_snapshot"
QUESTION_MARK = "charlemagne_snapshots_wanted"
REPORT_MARK = "charlemagne_positions"
VERSION = 3
MAX_BYTES = 64 * 1024 * 1024
"""Most bytes unpacked, as many as an event of four thousand has."""
_MAX_FIRST_LINE = 200
"""Most bytes of the first line: the key of a pairing, and a signature in hexadecimal digits."""
_SIGNATURE_PREFIX = b"charlemagne snapshot\n"
"""Prefix of the signed bytes, so that no signature made for another purpose is valid here."""

_UUID, _HEAD = PatternShape("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"), PatternShape("[0-9a-f]{64}")
_NUMBER, _MOMENT = IntegerShape(1, 2**31 - 1), DatetimeShape()
_SECONDS = IntegerShape(-(2**31), 2**31 - 1)
_EXTRAS_SHAPE = build_object_shape(
    **LIVE_PARTS,
    is_put_away=BooleanShape(),
    people=ListShape(
        build_object_shape(
            id=IntegerShape(1),
            yours=NullableShape(IntegerShape(1)),
            **PERSON_SHAPES,
        )
    ),
)
_SNAPSHOT_SHAPE = build_object_shape(
    **{SNAPSHOT_MARK: IntegerShape(VERSION, VERSION)},
    chain=_UUID,
    number=_NUMBER,
    after=ListShape(TupleShape((_NUMBER, _HEAD))),
    at=_MOMENT,
    file=MappingShape(AnyShape()),
    beside=_EXTRAS_SHAPE,
    hands_over=BooleanShape(),
    epoch=IntegerShape(),
)
_POSITION_SHAPE = (
    IntegerShape(),
    NullableShape(PatternShape("([0-9a-f]{64})?")),
    IntegerShape(),
    BooleanShape(),
    BooleanShape(),
)
_QUESTION_SHAPE = build_object_shape(
    **{QUESTION_MARK: IntegerShape(VERSION, VERSION)},
    has=ListShape(TupleShape((_UUID, *_POSITION_SHAPE))),
    without=ListShape(_UUID),
    clock_ahead=NullableShape(_SECONDS),
)
_REPORT_SHAPE = build_object_shape(
    **{REPORT_MARK: IntegerShape(VERSION, VERSION)},
    at=_MOMENT,
    has=ListShape(TupleShape((_UUID, BooleanShape(), *_POSITION_SHAPE))),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """An event as of ``taken_at``: its ``file``, and as ``extras`` the parts that public pages show but no file
    has. ``predecessors`` are the snapshots of its ``chain`` that the receiver may have last, by number and head.
    If ``is_handover`` is true, the receiver leads the event from then on. ``epoch`` is the number of handovers of
    the event, this one included."""

    chain: UUID
    number: int
    predecessors: Sequence[tuple[int, str]]
    taken_at: datetime
    file: Content
    extras: Mapping[str, Any]
    is_handover: bool = False
    epoch: int = 0

    @property
    def body(self) -> bytes:
        """The bytes that are signed."""
        return to_canonical_json(
            {
                SNAPSHOT_MARK: VERSION,
                "chain": str(self.chain),
                "number": self.number,
                "after": [list(predecessor) for predecessor in self.predecessors],
                "at": self.taken_at.isoformat(),
                "file": self.file,
                "beside": dict(self.extras),
                "hands_over": self.is_handover,
                "epoch": self.epoch,
            }
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MirrorQuestion:
    """A laptop's question to the public site. ``positions`` are its positions by chain; a head of None asks for
    the newest snapshot, whatever its predecessors. The laptop wants nothing of the ``excluded_chains``.
    ``clock_ahead`` is how many seconds the site's clock is ahead of the laptop's, None before it is known."""

    positions: Mapping[UUID, Position]
    excluded_chains: Sequence[UUID] = ()
    clock_ahead: int | None = None

    @property
    def body(self) -> bytes:
        """The bytes that are signed."""
        return to_canonical_json(
            {
                QUESTION_MARK: VERSION,
                "has": [[str(chain), *astuple(position)] for chain, position in self.positions.items()],
                "without": [str(chain) for chain in self.excluded_chains],
                "clock_ahead": self.clock_ahead,
            }
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionReport:
    """Answer of the public site if it has no snapshot to send. ``positions`` has, by chain, whether it knows the
    laptop's last snapshot, and its own position; ``reported_at`` is the time by its clock."""

    positions: Mapping[UUID, tuple[bool, Position]]
    reported_at: datetime

    @property
    def body(self) -> bytes:
        """The bytes that are signed."""
        rows = [[str(chain), knows, *astuple(position)] for chain, (knows, position) in self.positions.items()]
        return to_canonical_json({REPORT_MARK: VERSION, "has": rows, "at": self.reported_at.isoformat()})


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedMessage:
    """A signed message as it travels: what can be read before the signature is checked."""

    pairing: str
    signature: str
    body: bytes

    @property
    def head(self) -> str:
        """Digest by which the next message refers to this one."""
        return compute_digest(self.body)

    @property
    def gzipped_bytes(self) -> bytes:
        return gzip.compress(f"{self.pairing} {self.signature}\n".encode() + self.body, mtime=0)

    def is_signed_by(self, key: str) -> bool:
        """Return whether this key signed the message."""
        return is_signed(_get_signed_bytes(self.pairing, self.body), self.signature, key)


def compute_digest(body: bytes) -> str:
    return sha256(body).hexdigest()


def sign_message(body: bytes, *, pairing: UUID, private: str) -> SignedMessage:
    pairing_text = str(pairing)
    return SignedMessage(
        pairing=pairing_text, signature=create_signature(_get_signed_bytes(pairing_text, body), private), body=body
    )


def _get_signed_bytes(pairing: str, body: bytes) -> bytes:
    return _SIGNATURE_PREFIX + pairing.encode() + b"\n" + body


def read_pairing(compressed: bytes) -> str:
    """Return the pairing that the message names, unpacking only its first line. Refuses:
    snapshot_unreadable."""
    return _unpack_parts(compressed, _MAX_FIRST_LINE)[0]


def unpack_message(compressed: bytes) -> SignedMessage:
    """Unpack the whole message, up to 64 MiB; only for a known pairing. Refuses: snapshot_unreadable."""
    pairing, signature, body, is_whole = _unpack_parts(compressed, MAX_BYTES)
    if not is_whole:
        raise Refusal("snapshot_unreadable")
    return SignedMessage(pairing=pairing, signature=signature, body=body)


def _unpack_parts(compressed: bytes, max_bytes: int) -> tuple[str, str, bytes, bool]:
    """Return pairing, signature and body, up to this many bytes, and whether that is all."""
    unpacker = zlib.decompressobj(wbits=31)
    try:
        first_line, _, body = unpacker.decompress(compressed, max_bytes).partition(b"\n")
        pairing, signature = first_line.decode("ascii").split(" ")
        UUID(pairing)
    except (zlib.error, ValueError):
        raise Refusal("snapshot_unreadable") from None
    return pairing, signature, body, unpacker.eof


def read_snapshot(body: bytes) -> Snapshot:
    """Read a snapshot from its signed bytes. Refuses: snapshot_unreadable."""
    data = _parse_message(body, _SNAPSHOT_SHAPE)
    try:
        file = upgrade_content(read_event_file(to_canonical_json(data["file"])))
    except Refusal:
        raise Refusal("snapshot_unreadable") from None
    if len(data["beside"]["people"]) != len(list_file_people(file)):
        raise Refusal("snapshot_unreadable")
    return Snapshot(
        chain=UUID(data["chain"]),
        number=data["number"],
        predecessors=[(number, head) for number, head in data["after"]],
        taken_at=datetime.fromisoformat(data["at"]),
        file=file,
        extras=data["beside"],
        is_handover=data["hands_over"],
        epoch=data["epoch"],
    )


def find_chain(body: bytes) -> UUID | None:
    """Return the chain that a snapshot belongs to, even one of another version; None if it names none."""
    try:
        return UUID(json.loads(body)["chain"])
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return None


def read_mirror_question(body: bytes) -> MirrorQuestion:
    """Read a question from its signed bytes. Refuses: snapshot_unreadable."""
    data = _parse_message(body, _QUESTION_SHAPE)
    return MirrorQuestion(
        positions={UUID(chain): _build_position(row) for chain, *row in data["has"]},
        excluded_chains=[UUID(chain) for chain in data["without"]],
        clock_ahead=data["clock_ahead"],
    )


def read_position_report(body: bytes) -> PositionReport:
    """Read a report of positions from its signed bytes. Refuses: snapshot_unreadable."""
    data = _parse_message(body, _REPORT_SHAPE)
    positions = {UUID(chain): (knows, _build_position(row)) for chain, knows, *row in data["has"]}
    return PositionReport(positions=positions, reported_at=datetime.fromisoformat(data["at"]))


def is_position_report(body: bytes) -> bool:
    """Return whether the body is a report of positions, not a snapshot: only its time sorts before its
    mark."""
    return re.match(rb'\{"at":"[^"]*","%s"' % REPORT_MARK.encode(), body) is not None


def _parse_message(body: bytes, shape: Shape) -> Any:
    try:
        data = json.loads(body)
        shape.check(data, ())
    except (ValueError, RecursionError, Refusal):
        raise Refusal("snapshot_unreadable") from None
    return data


def _build_position(row: Sequence[Any]) -> Position:
    number, head, epoch, leads, hands_over = row
    return Position(number=number, head=head, epoch=epoch, is_leader=leads, is_handing_over=hands_over)
