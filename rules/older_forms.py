"""Rulesets as older versions of the program stored them, one step from each version to the next.

A step depends on its own time only: it adds the values of then, not those that a module has today.
"""

from typing import Any

_JOKERS_HIGH = ["X1", "X2", "J", "j", "A", "K", "Q", "10", "9", "8", "7"]
_NINE_HIGH = ["9", "J", "j", "A", "K", "Q", "10", "8", "7"]
_NEVER_WITH_A_PARTNER = {"petite", "mulot", "gros_mulot", "charlemagne", "gros_charlemagne"}
_FIRST_SPADE_DEALS = ("bas-saint-laurent", "two-player")
_BY_CARDS_IN_THE_PACK = {34: _JOKERS_HIGH, 32: _NINE_HIGH}


def with_its_deal(plain: dict[str, Any]) -> dict[str, Any]:
    """Add how the cards are dealt. Before version 1 a ruleset only scored: a number of ``cards`` stood for
    the pack. For a while, two people's draw was a ``batch`` of None."""
    if "cards" in plain:
        plain |= _deal(plain["key"], _BY_CARDS_IN_THE_PACK[plain.pop("cards")])
        plain["contracts"] = [_with_its_play(contract) for contract in plain["contracts"]]
    return plain | {"batch": plain["batch"] or 0}


def _deal(key: str, trump_order: list[str]) -> dict[str, Any]:
    is_canadian = key == "canadian"
    batch = 2 if is_canadian else 0 if key.startswith("two-player") else 4
    return {
        "trump_order": trump_order,
        "first_dealer": "first_spade" if key.startswith(_FIRST_SPADE_DEALS) else "anybody",
        "batch": batch,
        "kitty_after": int(is_canadian),
        "names_trump_in_bid": not is_canadian,
    }


def _with_its_play(contract: dict[str, Any]) -> dict[str, Any]:
    is_lost_alone = contract["most"] == 0
    return contract | {
        "trump": "forced_jokers" if is_lost_alone and contract["trump"] == "jokers" else contract["trump"],
        "is_alone": contract["key"] in _NEVER_WITH_A_PARTNER and not contract["ends_game"],
        "open_after": 1 if contract["key"] == "gros_mulot" else None,
    }


RULESET_STEPS = (with_its_deal,)
