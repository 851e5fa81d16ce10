"""Logs saved on phones, parsed from JSON."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from errors import Refusal
from rules import Side

from .log_digests import is_sealed

MOST_LOGS, MOST_LINES, MOST_AGREEMENTS = 20, 500, 200
"""Limits above what an evening needs: logs of a table, lines and agreements of a match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneLogLine:
    """A mark as the server sent it. ``director`` is None if no director wrote it; ``is_own`` if the sending
    phone wrote it."""

    key: UUID
    number: int
    record: Mapping[str, Any]
    supersedes: UUID | None
    saw_only: bool
    created_at: datetime
    director: str | None
    helper: str
    is_own: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneLogAgreement:
    game: int
    side: Side
    agreed_to: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneLog:
    """A match as saved on a phone. ``opened_at`` identifies it at its table while it exists there; its round
    and the ``names`` at its seats do if it was drawn again. ``is_sealed``: it is word for word what this
    server sent."""

    round_number: int
    opened_at: datetime
    names: tuple[str, ...]
    lines: tuple[PhoneLogLine, ...]
    agreements: tuple[PhoneLogAgreement, ...]
    first_dealer: int
    is_sealed: bool

    def has(self, key: UUID) -> bool:
        return any(line.key == key for line in self.lines)


def parse_phone_logs(text: str, *, device: str) -> list[PhoneLog]:
    """Return the logs that a phone sends. Refuses: log_unreadable."""
    try:
        plain = json.loads(text)
        return [_log(each, device) for each in _few(plain, MOST_LOGS)]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        raise Refusal("log_unreadable", field="logs") from None


def _log(plain: Mapping[str, Any], device: str) -> PhoneLog:
    identity = plain["match"]["identity"]
    lines = _few(plain["marks"], MOST_LINES)
    return PhoneLog(
        round_number=int(identity["round"]),
        opened_at=_moment(identity["opened_at"]),
        names=tuple(map(str, identity["names"])),
        lines=tuple(_line(each, device) for each in lines),
        agreements=tuple(_agreement(each) for each in _few(plain["agreements"], MOST_AGREEMENTS)),
        first_dealer=int(plain["first_dealer"]),
        is_sealed=is_sealed(identity, lines, str(plain["digest"])),
    )


def _line(plain: Mapping[str, Any], device: str) -> PhoneLogLine:
    return PhoneLogLine(
        key=UUID(plain["key"]),
        number=_whole(plain["number"]),
        record=dict(plain["record"]),
        supersedes=None if plain["supersedes"] is None else UUID(plain["supersedes"]),
        saw_only=bool(plain["saw_only"]),
        created_at=_moment(plain["created_at"]),
        director=str(plain["director"]) if plain["is_directors"] else None,
        helper=str(plain["helper"]),
        is_own=plain.get("device") == device,
    )


def _agreement(plain: Mapping[str, Any]) -> PhoneLogAgreement:
    return PhoneLogAgreement(
        game=_whole(plain["game"]),
        side=Side[plain["side"]],
        agreed_to=str(plain["agreed_to"])[:40],
        created_at=_moment(plain["created_at"]),
    )


def _few(plain: Any, most: int) -> list[Mapping[str, Any]]:
    if not isinstance(plain, list) or len(plain) > most:
        raise ValueError(plain)
    return plain


def _whole(plain: Any) -> int:
    number = int(plain)
    if not 1 <= number <= 9_999:
        raise ValueError(plain)
    return number


def _moment(plain: str) -> datetime:
    """Parse a moment; one in the future becomes now, in case a clock was wrong."""
    moment = datetime.fromisoformat(plain)
    return min(moment if timezone.is_aware(moment) else timezone.make_aware(moment), timezone.now())
