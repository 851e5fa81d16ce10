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

MAX_LOGS, MAX_LINES, MAX_AGREEMENTS = 20, 500, 200
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

    def has_key(self, key: UUID) -> bool:
        return any(line.key == key for line in self.lines)


def parse_phone_logs(text: str, *, device: str) -> list[PhoneLog]:
    """Return the logs that a phone sends. Refuses: log_unreadable."""
    try:
        data = json.loads(text)
        return [_parse_log(each, device) for each in _parse_list(data, MAX_LOGS)]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        raise Refusal("log_unreadable", field="logs") from None


def _parse_log(data: Mapping[str, Any], device: str) -> PhoneLog:
    identity = data["match"]["identity"]
    lines = _parse_list(data["marks"], MAX_LINES)
    return PhoneLog(
        round_number=int(identity["round"]),
        opened_at=_parse_moment(identity["opened_at"]),
        names=tuple(map(str, identity["names"])),
        lines=tuple(_parse_line(each, device) for each in lines),
        agreements=tuple(_parse_agreement(each) for each in _parse_list(data["agreements"], MAX_AGREEMENTS)),
        first_dealer=int(data["first_dealer"]),
        is_sealed=is_sealed(identity, lines, str(data["digest"])),
    )


def _parse_line(data: Mapping[str, Any], device: str) -> PhoneLogLine:
    return PhoneLogLine(
        key=UUID(data["key"]),
        number=_parse_number(data["number"]),
        record=dict(data["record"]),
        supersedes=None if data["supersedes"] is None else UUID(data["supersedes"]),
        saw_only=bool(data["saw_only"]),
        created_at=_parse_moment(data["created_at"]),
        director=str(data["director"]) if data["is_directors"] else None,
        helper=str(data["helper"]),
        is_own=data.get("device") == device,
    )


def _parse_agreement(data: Mapping[str, Any]) -> PhoneLogAgreement:
    return PhoneLogAgreement(
        game=_parse_number(data["game"]),
        side=Side[data["side"]],
        agreed_to=str(data["agreed_to"])[:40],
        created_at=_parse_moment(data["created_at"]),
    )


def _parse_list(data: Any, limit: int) -> list[Mapping[str, Any]]:
    if not isinstance(data, list) or len(data) > limit:
        raise ValueError(data)
    return data


def _parse_number(value: Any) -> int:
    number = int(value)
    if not 1 <= number <= 9_999:
        raise ValueError(value)
    return number


def _parse_moment(text: str) -> datetime:
    """Parse a moment; one in the future becomes now, in case a clock was wrong."""
    moment = datetime.fromisoformat(text)
    return min(moment if timezone.is_aware(moment) else timezone.make_aware(moment), timezone.now())
