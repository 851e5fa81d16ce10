"""Rulesets as older versions of the program stored them, one step from each version to the next.

A step depends on its own time only: it adds the values of then, not those that a module has today.
"""

from typing import Any

_JOKERS_HIGH = ["X1", "X2", "J", "j", "A", "K", "Q", "10", "9", "8", "7"]
_NINE_HIGH = ["9", "J", "j", "A", "K", "Q", "10", "8", "7"]
_SOLO_CONTRACTS = {"petite", "mulot", "gros_mulot", "charlemagne", "gros_charlemagne"}
_FIRST_SPADE_RULESETS = ("bas-saint-laurent", "two-player")
_ORDER_BY_PACK_SIZE = {34: _JOKERS_HIGH, 32: _NINE_HIGH}


def add_deal(data: dict[str, Any]) -> dict[str, Any]:
    """Add how the cards are dealt. Before version 1 a ruleset only scored: a number of ``cards`` stood for
    the pack. For a while, two people's draw was a ``batch`` of None."""
    if "cards" in data:
        data |= _build_deal(data["key"], _ORDER_BY_PACK_SIZE[data.pop("cards")])
        data["contracts"] = [_add_play(contract) for contract in data["contracts"]]
    return data | {"batch": data["batch"] or 0}


def _build_deal(key: str, trump_order: list[str]) -> dict[str, Any]:
    is_canadian = key == "canadian"
    batch = 2 if is_canadian else 0 if key.startswith("two-player") else 4
    return {
        "trump_order": trump_order,
        "first_dealer": "first_spade" if key.startswith(_FIRST_SPADE_RULESETS) else "anybody",
        "batch": batch,
        "kitty_after": int(is_canadian),
        "names_trump_in_bid": not is_canadian,
    }


def _add_play(contract: dict[str, Any]) -> dict[str, Any]:
    is_lost_alone = contract["most"] == 0
    return contract | {
        "trump": "forced_jokers" if is_lost_alone and contract["trump"] == "jokers" else contract["trump"],
        "is_alone": contract["key"] in _SOLO_CONTRACTS and not contract["ends_game"],
        "open_after": 1 if contract["key"] == "gros_mulot" else None,
    }


RULESET_UPGRADES = (add_deal,)
