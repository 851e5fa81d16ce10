"""Hands dealt and played at a table by the computer players of ``rules``."""

from collections.abc import Mapping
from typing import Any

from rules import HeuristicPlayer, PassedOutHand, Player, Ruleset, Seat, build_record, simulate_course

Hand = dict[str, Any]
"""Hand as a table records it: ``{"side": "A", "contract": "6", "tricks": 7}``, with the event's details."""

PLAYER: Player = HeuristicPlayer()


def deal_hand(ruleset: Ruleset, dealer: Seat, details: list[str], *, seed: str) -> Hand:
    """Deal a hand, and play it from the auction to the last card."""
    course = simulate_course(ruleset, [PLAYER] * ruleset.seats, dealer=dealer, seed=seed)
    record = build_record(ruleset, course)
    if isinstance(record, PassedOutHand):
        return {"kind": record.kind}
    all_details = {
        "trump": record.trump and record.trump.value,
        "declarer": record.declarer,
        "mode": record.mode,
    }
    result = {"tricks": record.tricks} if record.tricks is not None else {"outcome": _format_outcome(record.made)}
    asked_details = {name: all_details[name] for name in details if all_details.get(name) is not None}
    return {"side": record.side.name, "contract": record.contract, **result, **asked_details}


def build_form(hand: Mapping[str, Any], details: list[str]) -> dict[str, str]:
    """Build the form that the keys of the table's page send for a hand."""
    if "kind" in hand:
        return {"kind": hand["kind"]}
    side, contract = hand["side"], hand["contract"]
    choice = f"{side}-{contract}-{hand.get('tricks', hand.get('outcome'))}"
    return {"said": choice} | {f"{name}.{side}-{contract}": str(hand[name]) for name in details if name in hand}


def _format_outcome(is_made: bool) -> str:  # noqa: FBT001 -- it is the one thing that is said
    return "made" if is_made else "failed"
