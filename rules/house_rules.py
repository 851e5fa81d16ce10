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
from .json_fields import Fields
from .rulesets import RULESETS, AllPassRule, Leader, Ruleset, check_ruleset

_NUMBERS = ("target", "games_to_win", "forced_bid")
_SWITCHES = ("plays_low_bids", "counter_charlemagne")
_CHOICES: dict[str, type[StrEnum]] = {"all_pass": AllPassRule, "number_bid_leader": Leader}
_VALUES = ("made", "failed")
_CONTRACT_FIELDS = (*_VALUES, "modes")


def get_ruleset(key: str) -> Ruleset:
    """Return the built-in ruleset of that key. Refuses: no_such_ruleset."""
    try:
        return RULESETS[key]
    except KeyError:
        raise Refusal("no_such_ruleset", field="ruleset", ruleset=key, known=tuple(RULESETS)) from None


def apply_house_rules(base: Ruleset, difference: Mapping[str, Any]) -> Ruleset:
    """Return the base ruleset changed by a difference, if that is still a legal game.

    Refuses: not_an_object, no_such_house_rule, not_a_number, not_yes_or_no, no_such_choice, not_a_list,
    no_such_bid, no_such_mode, and whatever ``check_ruleset`` refuses.
    """
    fields = Fields.from_json(difference)
    fields.check_names((*_NUMBERS, *_SWITCHES, *_CHOICES, "ladder", "contracts"), code="no_such_house_rule")
    changes: dict[str, Any] = {name: fields.get_number(name) for name in _NUMBERS if name in fields}
    changes |= {name: fields.get_boolean(name) for name in _SWITCHES if name in fields}
    changes |= {name: fields.get_choice(name, kind) for name, kind in _CHOICES.items() if name in fields}
    if "ladder" in fields:
        changes["ladder"] = fields.get_texts("ladder")
    if "contracts" in fields:
        changes["contracts"] = _change_contracts(base, difference["contracts"])
    return check_ruleset(replace(base, **changes))


def diff_house_rules(base: Ruleset, modified: Ruleset) -> dict[str, Any]:
    """Return the difference with which ``apply_house_rules`` turns ``base`` into ``modified``."""
    difference: dict[str, Any] = {
        name: getattr(modified, name)
        for name in (*_NUMBERS, *_SWITCHES)
        if getattr(modified, name) != getattr(base, name)
    }
    difference |= {
        name: getattr(modified, name).value for name in _CHOICES if getattr(modified, name) is not getattr(base, name)
    }
    if modified.ladder != base.ladder:
        difference["ladder"] = list(modified.ladder)
    contracts = {
        new.key: _diff_contract(old, new)
        for old, new in zip(base.contracts, modified.contracts, strict=True)
        if old != new
    }
    return difference | ({"contracts": contracts} if contracts else {})


def _diff_contract(old: Contract, new: Contract) -> dict[str, Any]:
    changed = {name: getattr(new, name) for name in _CONTRACT_FIELDS if getattr(new, name) != getattr(old, name)}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in changed.items()}


def _change_contracts(base: Ruleset, differences: Any) -> tuple[Contract, ...]:
    contracts = {contract.key: contract for contract in base.contracts}
    for key, difference in Fields.from_json(differences, path="contracts.").data.items():
        if key not in contracts:
            raise Refusal("no_such_bid", field="contracts", contract=key, ladder=tuple(contracts))
        contracts[key] = _change_contract(contracts[key], Fields.from_json(difference, path=f"contracts.{key}."))
    return tuple(contracts.values())


def _change_contract(contract: Contract, fields: Fields) -> Contract:
    fields.check_names(_CONTRACT_FIELDS, code="no_such_house_rule")
    changes: dict[str, Any] = {name: fields.get_number(name) for name in _VALUES if name in fields}
    if "modes" in fields:
        changes["modes"] = fields.get_texts("modes")
        if not changes["modes"] or set(changes["modes"]) - set(contract.modes):
            raise Refusal("no_such_mode", field=f"{fields.path}modes", modes=contract.modes)
    return replace(contract, **changes)
