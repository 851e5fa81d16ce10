"""Reading of the house-rules editor: the legal changes, and a refusal for each other one."""

from dataclasses import dataclass
from typing import Any

from errors import Refusal
from rules import RESERVE, AllPassRule, Contract, Leader, Ruleset, apply_house_rules
from web.forms import FormReader, get_last_values

from .fields import CONTRACTS, NO, YES, FormValues, get_fields_by_setting, list_modes


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedHouseRules:
    """The ruleset with all valid changes, and a refusal for each invalid one."""

    ruleset: Ruleset
    difference: dict[str, Any]
    refusals: tuple[Refusal, ...]


def parse_settings(base: Ruleset, form_data: FormValues) -> ParsedHouseRules:
    """Read the form as a change of this ruleset.

    Codes: not_a_number, no_such_choice, forced_bid_required, way_required, and those of
    ``check_ruleset`` in the rules; each with the name of a field, or with ladder or contracts.
    """
    form = FormReader(get_last_values(form_data))
    difference = _parse_difference(base, form, form_data)
    for refusal in form.refusals:
        _remove_setting(difference, refusal.field)
    ruleset, refusals = _apply_legal_changes(base, difference)
    return ParsedHouseRules(ruleset=ruleset, difference=difference, refusals=(*form.refusals, *refusals))


def _parse_difference(base: Ruleset, form: FormReader, form_data: FormValues) -> dict[str, Any]:
    """Return every setting of the form. Unreadable values are refused in the form, but stay included."""
    offered_fields = get_fields_by_setting(base)
    contracts = base.contracts
    difference = {
        "target": form.read_number("target", required="target_not_positive"),
        "games_to_win": form.read_number("games_to_win", required="games_not_positive"),
        "ladder": [one.key for one in contracts if form_data.get(f"{CONTRACTS}{one.key}.bid")],
        "contracts": {one.key: _parse_contract(one, form, form_data) for one in contracts},
        "all_pass": form.read_choice("all_pass", tuple(AllPassRule)),
        "number_bid_leader": form.read_choice("number_bid_leader", tuple(Leader)),
    }
    if difference["all_pass"] == AllPassRule.DEALER_MUST_BID:
        difference["forced_bid"] = form.read_number("forced_bid", required="forced_bid_required")
    for name in ("plays_low_bids", "counter_charlemagne"):
        if name in offered_fields:
            difference[name] = form.read_choice(name, (YES, NO)) == YES
    return difference


def _parse_contract(contract: Contract, form: FormReader, form_data: FormValues) -> dict[str, Any]:
    setting = f"{CONTRACTS}{contract.key}"
    values: dict[str, Any] = {}
    if not contract.ends_game:
        for name in ("made", "failed"):
            values[name] = form.read_number(f"{setting}.{name}", required="value_negative")
    if len(list_modes(contract)) > 1:
        checked_modes = form_data.get(f"{setting}.modes", [])
        values["modes"] = [mode for mode in contract.modes if mode.removeprefix(RESERVE) in checked_modes]
        if not values["modes"]:
            form.refuse(Refusal("way_required", field=f"{setting}.modes"))
    return values


def _apply_legal_changes(base: Ruleset, difference: dict[str, Any]) -> tuple[Ruleset, list[Refusal]]:
    """Apply as much of the difference as is legal, and return the refusals of the rest.

    ``rules`` refuses one setting at a time: each is removed from the difference before the next attempt.
    """
    refusals_by_field: dict[str | None, Refusal] = {}
    while True:
        try:
            return apply_house_rules(base, difference), list(refusals_by_field.values())
        except Refusal as refusal:
            refusals_by_field.setdefault(refusal.field, refusal)
            # Even the built-in forced bid may contradict the changed order of bids.
            if not any(_remove_setting(difference, field) for field in (refusal.field, "all_pass", "ladder")):
                return base, list(refusals_by_field.values())


def _remove_setting(difference: dict[str, Any], field: str | None) -> bool:
    """Remove a setting from a difference; return False if it is not there."""
    *parents, name = (field or "").split(".")
    for outer in parents:
        difference = difference.get(outer, {})
    return difference.pop(name, None) is not None
