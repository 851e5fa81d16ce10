"""The running digest of a match's log: what a phone keeps beside the log as the server said it.

It is sealed with the key of the installation. So a phone that says what it heard last shows whether this
server still has it, and a server that was put back to an older state knows its own words again when a phone
brings them (docs/decisions/0046-restore-logs-from-phones.md).
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hmac import HMAC
from typing import Any, TypedDict

from django.utils.crypto import constant_time_compare, salted_hmac

from .models import Mark, Match

SALT = "scoring.log"
"""Phones keep digests over an upgrade: the salt is data, and no name of a module."""


class MatchIdentity(TypedDict):
    """By what a match is known also where it has another key: after a round was drawn once more."""

    evening: str
    round: int
    table: int
    opened_at: str
    names: list[str]


class SaidMark(TypedDict):
    """A mark as the server says it, by entry keys."""

    key: str
    number: int
    record: Any
    supersedes: str | None
    saw_only: bool
    is_directors: bool
    created_at: str
    director: str | None
    helper: str | None


LINE = (
    *("key", "number", "record", "supersedes", "saw_only"),
    *("is_directors", "created_at", "director", "helper"),
)
"""What a line says for good. What became of it since is not in the digest."""


def match_identity(match: Match) -> MatchIdentity:
    return {
        "evening": match.card.topic,
        "round": match.round_number,
        "table": match.card.number,
        "opened_at": match.opened_at.isoformat(),
        "names": [player.person.name for player in match.seated_players],
    }


def lines_to_json(lines: Sequence[Mark]) -> list[SaidMark]:
    """The lines of a log by their entry keys."""
    keys = {mark.pk: str(mark.entry_key) for mark in lines}
    return [
        {
            "key": keys[mark.pk],
            "number": mark.number,
            "record": mark.record_data,
            "supersedes": None if mark.supersedes_id is None else keys[mark.supersedes_id],
            "saw_only": mark.saw_only,
            "is_directors": mark.is_directors,
            "created_at": mark.created_at.isoformat(),
            "director": mark.director,
            "helper": mark.helper,
        }
        for mark in lines
    ]


def running_digests(identity: Mapping[str, Any], lines: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """``COUNT.DIGEST`` of the empty log, and after each of its lines."""
    seal = salted_hmac(SALT, "", algorithm="sha256")
    digest = _seal_mark(seal, "", identity)
    yield f"0.{digest}"
    for count, line in enumerate(lines, start=1):
        digest = _seal_mark(seal, digest, {name: line[name] for name in LINE})
        yield f"{count}.{digest}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogAsSaid:
    """A match's log as phones keep it: of which match, line by line, and its running ``digests``, the last
    one as it is now."""

    identity: MatchIdentity
    lines: Sequence[SaidMark]
    digests: Sequence[str]


def log_as_said(match: Match) -> LogAsSaid:
    """No query, if its card, players and marks came with it."""
    identity, lines = match_identity(match), lines_to_json(match.written_marks)
    return LogAsSaid(identity=identity, lines=lines, digests=list(running_digests(identity, lines)))


def is_sealed(identity: Mapping[str, Any], lines: Iterable[Mapping[str, Any]], digest: str) -> bool:
    """Whether this server said exactly this log."""
    *_, last = running_digests(identity, lines)
    return constant_time_compare(last, digest)


def is_of_a_marked_log(digest: str) -> bool:
    return not digest.startswith("0.")


_AS_TEXT = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def _seal_mark(seal: HMAC, before: str, plain: Mapping[str, Any]) -> str:
    """``seal`` has the key of the installation, and nothing yet."""
    sealed = seal.copy()
    sealed.update(f"{before}\n{_AS_TEXT(plain)}".encode())
    return sealed.hexdigest()[:24]
