"""Hands dealt and played at a table: real ones, by the machine players of ``rules``."""

from collections.abc import Mapping
from typing import Any

from rules import (
    PassedOut,
    Player,
    Ruleset,
    Seat,
    SensiblePlayer,
    record_of,
    simulated_course,
)

Hand = dict[str, Any]
"""A hand as a table says it: ``{"side": "A", "contract": "6", "tricks": 7}``, with details that are asked."""

PLAYER: Player = SensiblePlayer()


def dealt_hand(ruleset: Ruleset, dealer: Seat, details: list[str], *, seed: str) -> Hand:
    """Shuffled, bid and played to the end."""
    course = simulated_course(ruleset, [PLAYER] * ruleset.seats, dealer=dealer, seed=seed)
    record = record_of(ruleset, course)
    if isinstance(record, PassedOut):
        return {"kind": record.kind}
    played = {
        "trump": record.trump and record.trump.value,
        "declarer": record.declarer,
        "mode": record.mode,
    }
    result = {"tricks": record.tricks} if record.tricks is not None else {"outcome": _outcome(record.made)}
    said = {name: played[name] for name in details if played.get(name) is not None}
    return {"side": record.side.name, "contract": record.contract, **result, **said}


def form_of(hand: Mapping[str, Any], details: list[str]) -> dict[str, str]:
    """The hand as the keys of the table's page send it."""
    if "kind" in hand:
        return {"kind": hand["kind"]}
    side, contract = hand["side"], hand["contract"]
    said = f"{side}-{contract}-{hand.get('tricks', hand.get('outcome'))}"
    return {"said": said} | {f"{name}.{side}-{contract}": str(hand[name]) for name in details if name in hand}


def _outcome(is_made: bool) -> str:  # noqa: FBT001 -- it is the one thing that is said
    return "made" if is_made else "failed"
