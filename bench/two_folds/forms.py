"""Random rulesets, match formats and posted forms: mostly valid, sometimes nonsense."""

from __future__ import annotations

from random import Random
from typing import Any

from errors import Refusal
from rules import RULESETS, AllPassRule, Leader, MatchCriterion, MatchFormat, Ruleset, apply_house_rules, check_format

Form = dict[str, str]

_KINDS = {
    "hand": 75,
    "totals": 8,
    "passed_out": 6,
    "misdeal": 4,
    "void": 3,
    "time_called": 2,
    "undone": 1,
    "?": 1,
}
_RESULTS = (*map(str, range(9)), "made", "failed", "made", "failed")
_NONSENSE = ("", " ", "0", "3", "9", "-1", "-0", "1_0", "x", "A", "toString")
_SWITCHES = ("",) * 16 + ("true", "on", "1", "0", "False", "yes")


def choose_ruleset(chance: Random) -> Ruleset:
    """Return a built-in ruleset, perhaps with house rules."""
    base = chance.choice(list(RULESETS.values()))
    while chance.random() < 0.6:
        try:
            return apply_house_rules(base, _choose_house_rules(chance, base))
        except Refusal:
            continue
    return base


def _choose_house_rules(chance: Random, base: Ruleset) -> dict[str, Any]:
    difference = {
        "target": chance.randint(1, 45),
        "forced_bid": chance.randint(1, 8),
        "plays_low_bids": chance.random() < 0.5,
        "all_pass": chance.choice(list(AllPassRule)).value,
        "number_bid_leader": chance.choice(list(Leader)).value,
        "ladder": [key for key in base.ladder if chance.random() < 0.8],
        "contracts": {
            contract.key: {"made": chance.randint(0, 33), "failed": chance.randint(0, 33)}
            for contract in base.contracts
            if chance.random() < 0.3 and not contract.ends_game
        },
    }
    return {name: value for name, value in difference.items() if chance.random() < 0.5}


def choose_match_format(chance: Random) -> MatchFormat:
    while True:
        try:
            return check_format(
                MatchFormat(
                    games_to_win=chance.choice((None, 1, 1, 2, 3)),
                    hands=chance.choice((None, None, 1, 4, 8)),
                    minutes=chance.choice((None, None, 50)),
                    decided_by=chance.choice(list(MatchCriterion)),
                    charlemagne_points=chance.choice((None, None, 0, 10)),
                )
            )
        except Refusal:
            continue


def build_form(chance: Random, ruleset: Ruleset) -> Form:
    """Return a form that posts a hand; one field in a hundred is nonsense."""
    (kind,) = chance.choices(list(_KINDS), list(_KINDS.values()))
    form = {"kind": kind, "dealer": chance.choice(("", "", "", "0", "1", "2", "3"))}
    if kind == "hand":
        form = _build_notation_form(chance, ruleset) if chance.random() < 0.6 else _build_field_form(chance, ruleset)
    elif kind == "totals":
        form |= {f"points_{side}": str(chance.randint(0, ruleset.target * 5 // 4)) for side in "ab"}
        form |= {"winner": chance.choice(("", "", "A", "B")), "awarded": chance.choice(_SWITCHES)}
    return {name: chance.choice(_NONSENSE) if chance.random() < 0.01 else value for name, value in form.items()}


def _build_notation_form(chance: Random, ruleset: Ruleset) -> Form:
    """Return a form in the notation of the table page's keys."""
    side, contract = chance.choice("AB"), _choose_contract(chance, ruleset)
    details = {f"{name}.{side}-{contract}": value for name, value in _choose_details(chance, ruleset, contract).items()}
    return {"said": f"{side}-{contract}-{chance.choice(_RESULTS)}", **details, "trump.A-nothing": "S"}


def _build_field_form(chance: Random, ruleset: Ruleset) -> Form:
    contract = _choose_contract(chance, ruleset)
    return {
        "kind": chance.choice(("hand", "")),
        "side": chance.choice("AB"),
        "contract": contract,
        "tricks": chance.choice(("", "", *map(str, range(9)))),
        "outcome": chance.choice(("", "made", "failed")),
        "dealer": chance.choice(("", "", "0", "3")),
        "awarded": chance.choice(_SWITCHES),
        **_choose_details(chance, ruleset, contract),
    }


def _choose_contract(chance: Random, ruleset: Ruleset) -> str:
    contracts = ruleset.playable if chance.random() < 0.97 else ruleset.contracts
    return chance.choice(contracts).key


def _choose_details(chance: Random, ruleset: Ruleset, key: str) -> Form:
    """Return details of a hand; half of the time, none."""
    if chance.random() < 0.5:
        return {}
    modes = next(contract.modes for contract in ruleset.contracts if contract.key == key)
    return {
        "declarer": chance.choice(("", "", "", "", "0", "1", "2", "3")),
        "trump": chance.choice(("", "", "", "", "S", "H", "D", "C")),
        "mode": chance.choice(("", *modes)),
    }
