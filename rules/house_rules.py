"""House rules: a club's way of playing as a difference from a built-in ruleset, never as a copy.

A difference is a mapping that survives JSON::

    {"target": 21, "games_to_win": 2, "all_pass": "same_dealer", "forced_bid": 5, "plays_low_bids": true,
     "counter_charlemagne": false, "number_bid_leader": "declarer", "ladder": ["5", "6", "petite"],
     "contracts": {"grosse": {"made": 10, "failed": 5}, "charlemagne": {"modes": ["partner"]}}}
"""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any

from errors import Refusal

from .contracts import Contract
from .rulesets import RULESETS, AllPass, Leader, Ruleset, check_ruleset
from .shapes import Fields

_NUMBERS = ("target", "games_to_win", "forced_bid")
_SWITCHES = ("plays_low_bids", "counter_charlemagne")
_CHOICES: dict[str, type[StrEnum]] = {"all_pass": AllPass, "number_bid_leader": Leader}
_VALUES = ("made", "failed")
_OF_A_CONTRACT = (*_VALUES, "modes")


def ruleset_named(key: str) -> Ruleset:
    """Return the built-in ruleset of that key. Refuses: no_such_ruleset."""
    try:
        return RULESETS[key]
    except KeyError:
        raise Refusal("no_such_ruleset", field="ruleset", ruleset=key, known=tuple(RULESETS)) from None


def with_house_rules(base: Ruleset, difference: Mapping[str, Any]) -> Ruleset:
    """Return the base ruleset changed by a difference, if that is still a legal game.

    Refuses: not_an_object, no_such_house_rule, not_a_number, not_yes_or_no, no_such_choice, not_a_list,
    no_such_bid, no_such_mode, and whatever ``check_ruleset`` refuses.
    """
    fields = Fields.of(difference)
    fields.check_names((*_NUMBERS, *_SWITCHES, *_CHOICES, "ladder", "contracts"), code="no_such_house_rule")
    changes: dict[str, Any] = {name: fields.number(name) for name in _NUMBERS if name in fields}
    changes |= {name: fields.switch(name) for name in _SWITCHES if name in fields}
    changes |= {name: fields.choice(name, kind) for name, kind in _CHOICES.items() if name in fields}
    if "ladder" in fields:
        changes["ladder"] = fields.texts("ladder")
    if "contracts" in fields:
        changes["contracts"] = _contracts(base, difference["contracts"])
    return check_ruleset(replace(base, **changes))


def house_rules_between(base: Ruleset, changed: Ruleset) -> dict[str, Any]:
    """Return the difference from which ``with_house_rules`` makes ``changed`` out of ``base``."""
    difference: dict[str, Any] = {
        name: getattr(changed, name)
        for name in (*_NUMBERS, *_SWITCHES)
        if getattr(changed, name) != getattr(base, name)
    }
    difference |= {
        name: getattr(changed, name).value
        for name in _CHOICES
        if getattr(changed, name) is not getattr(base, name)
    }
    if changed.ladder != base.ladder:
        difference["ladder"] = list(changed.ladder)
    contracts = {
        new.key: _contract_difference(old, new)
        for old, new in zip(base.contracts, changed.contracts, strict=True)
        if old != new
    }
    return difference | ({"contracts": contracts} if contracts else {})


def _contract_difference(old: Contract, new: Contract) -> dict[str, Any]:
    changed = {
        name: getattr(new, name) for name in _OF_A_CONTRACT if getattr(new, name) != getattr(old, name)
    }
    return {name: list(value) if isinstance(value, tuple) else value for name, value in changed.items()}


def _contracts(base: Ruleset, differences: Any) -> tuple[Contract, ...]:
    known = {contract.key: contract for contract in base.contracts}
    for key, difference in Fields.of(differences, within="contracts.").plain.items():
        if key not in known:
            raise Refusal("no_such_bid", field="contracts", contract=key, ladder=tuple(known))
        known[key] = _contract(known[key], Fields.of(difference, within=f"contracts.{key}."))
    return tuple(known.values())


def _contract(contract: Contract, fields: Fields) -> Contract:
    fields.check_names(_OF_A_CONTRACT, code="no_such_house_rule")
    changes: dict[str, Any] = {name: fields.number(name) for name in _VALUES if name in fields}
    if "modes" in fields:
        changes["modes"] = fields.texts("modes")
        if not changes["modes"] or set(changes["modes"]) - set(contract.modes):
            raise Refusal("no_such_mode", field=f"{fields.within}modes", modes=contract.modes)
    return replace(contract, **changes)
