"""From a posted form or JSON body to the arguments of ``record_hand``."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from rules import Refusal

from .models import DETAILS

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
    """One mark as a phone or the desk sends it; ``confirmed`` once it was read aloud."""

    match_id: int
    entry_key: UUID
    number: int
    hand: dict[str, Any]
    supersedes: int | None
    reason: str
    confirmed: bool


def posted_mark(data: Mapping[str, Any]) -> PostedMark:
    """Refuses: no_such_key, not_a_number."""
    try:
        entry_key = UUID(str(data.get("entry_key")))
    except ValueError:
        raise Refusal("no_such_key", field="entry_key") from None
    return PostedMark(
        match_id=whole_number(data, "match"),
        entry_key=entry_key,
        number=whole_number(data, "number"),
        hand={name: value for name, value in _hand(data).items() if value not in (None, "")},
        supersedes=whole_number(data, "supersedes") if data.get("supersedes") else None,
        reason=str(data.get("reason") or ""),
        confirmed=bool(data.get("confirmed")),
    )


def _hand(data: Mapping[str, Any]) -> dict[str, Any]:
    """The plain form of a record. A key of the table screen says its hand in one value, ``A-charlemagne-8``
    or ``B-6-made``, and finds its details under names of its own: ``trump.B-6``."""
    side, _, said = str(data.get("said") or "").partition("-")
    if not said:
        return {name: data.get(name) for name in HAND_FIELDS}
    contract, _, result = said.rpartition("-")
    details = {name: data.get(f"{name}.{side}-{contract}") for name in DETAILS}
    outcome = "outcome" if result in ("made", "failed") else "tricks"
    return {"side": side, "contract": contract, outcome: result, **details}


def whole_number(data: Mapping[str, Any], name: str) -> int:
    """A number of digits alone. Refuses: not_a_number."""
    value = str(data.get(name, ""))
    if not (value.isascii() and value.isdigit() and len(value) < 16):
        raise Refusal("not_a_number", field=name, value=value)
    return int(value)


def optional_number(data: Mapping[str, Any], name: str) -> int | None:
    """The same, None where nothing is typed. Refuses: not_a_number."""
    return whole_number(data, name) if str(data.get(name, "")).strip() else None
