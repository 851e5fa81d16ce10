"""Parser of posted forms and JSON bodies into the arguments of ``record_hand``."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import QueryDict

from errors import Refusal, get_or_refuse
from rules import Side
from web.forms import parse_digits, read_reason

from .log_values import FIELDS

HAND_FIELDS = (
    "kind",
    "side",
    "contract",
    "tricks",
    "outcome",
    "trump",
    "declarer",
    "mode",
    "dealer",
    "points_a",
    "points_b",
    "winner",
    "awarded",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedMark:
    """One mark as a phone or the desk sends it.

    ``confirmed`` once it was read aloud; ``waited`` is the number of seconds that a phone had kept it.
    """

    match_id: int
    entry_key: UUID
    number: int
    hand: dict[str, Any]
    supersedes: int | UUID | None
    saw_only: bool
    reason: str
    confirmed: bool
    waited: int

    @property
    def record(self) -> dict[str, Any]:
        """Arguments of ``record_hand`` taken from the mark itself, without the match."""
        names = ("entry_key", "number", "hand", "supersedes", "saw_only")
        return {name: getattr(self, name) for name in names}


def parse_mark(data: Mapping[str, Any]) -> PostedMark:
    """Return the mark in a posted form. Refuses: no_such_key, not_a_number."""
    entry_key = get_or_refuse(parse_key(data, "entry_key"), "no_such_key", field="entry_key")
    return PostedMark(
        match_id=parse_whole_number(data, "match"),
        entry_key=entry_key,
        number=parse_whole_number(data, "number"),
        hand={name: value for name, value in _parse_hand(data).items() if value not in (None, "")},
        supersedes=_parse_mark_key(data, "supersedes"),
        saw_only=bool(data.get("saw_only")),
        reason=read_reason(data, "reason"),
        confirmed=bool(data.get("confirmed")),
        waited=parse_wait(data),
    )


def parse_wait(data: Mapping[str, Any]) -> int:
    """Return the number of seconds that a phone says it kept the entry."""
    return parse_digits(str(data.get("waited", "")), max_digits=9) or 0


def _parse_hand(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the plain form of a record.

    A button of the table screen has its hand in one value, ``A-charlemagne-8`` or ``B-6-made``, and its
    details under separate names: ``trump.B-6``.
    """
    side, _, choice = str(data.get("said") or "").partition("-")
    if not choice:
        return {name: data.get(name) for name in HAND_FIELDS}
    contract, _, result = choice.rpartition("-")
    details = {name: data.get(f"{name}.{side}-{contract}") for name in FIELDS}
    outcome = "outcome" if result in ("made", "failed") else "tricks"
    return {"side": side, "contract": contract, outcome: result, **details}


def _parse_mark_key(data: Mapping[str, Any], name: str) -> int | UUID | None:
    """Return a mark by its entry key, as pages and phones know it, or by its id, as programs do. Refuses:
    not_a_number."""
    value = str(data.get(name) or "")
    try:
        return UUID(value) if "-" in value else parse_optional_number(data, name)
    except ValueError:
        raise Refusal("not_a_number", field=name, value=value) from None


def parse_key(data: Mapping[str, Any], name: str) -> UUID | None:
    """Return the key of an entry; None if there is no readable one."""
    try:
        return UUID(str(data.get(name)))
    except ValueError:
        return None


def parse_whole_number(data: Mapping[str, Any], name: str) -> int:
    """Return a whole number written with digits only. Refuses: not_a_number."""
    value = str(data.get(name, ""))
    if not (value.isascii() and value.isdigit() and len(value) < 16):
        raise Refusal("not_a_number", field=name, value=value)
    return int(value)


def parse_optional_number(data: Mapping[str, Any], name: str) -> int | None:
    """Return a whole number, or None if nothing is typed. Refuses: not_a_number."""
    return parse_whole_number(data, name) if str(data.get(name, "")).strip() else None


def parse_side(data: Mapping[str, Any]) -> Side:
    """Return the side that sent the form. Refuses: no_such_side."""
    value = str(data.get("side", ""))
    if value not in Side.__members__:
        raise Refusal("no_such_side", field="side", value=value)
    return Side[value]


def parse_first_dealer(data: Mapping[str, Any]) -> tuple[int, int | None]:
    """Return the seat of the first dealer, and the one that the page showed, if it says so.
    Refuses: not_a_number."""
    return parse_whole_number(data, "seat"), parse_optional_number(data, "seen")


def parse_phone_report(text: str) -> dict[str, int]:
    """Return a phone's report, ``match=12&revision=7&waiting=2``, as columns of its row (``TablePhone``).

    Values that are missing or not numeric are left out.
    """
    report = QueryDict(text)
    numbers = {
        "match_shown": parse_digits(report.get("match", ""), max_digits=15),
        "revision_shown": parse_digits(report.get("revision", ""), max_digits=9),
        "waiting": parse_digits(report.get("waiting", ""), max_digits=4),
    }
    return {column: number for column, number in numbers.items() if number is not None}
