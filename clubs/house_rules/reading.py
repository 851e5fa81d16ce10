"""Reading of the house-rules editor: the legal changes, and a refusal for each other one."""

from dataclasses import dataclass
from typing import Any

from errors import Refusal
from rules import RESERVE, AllPass, Contract, Leader, Ruleset, with_house_rules
from web.forms import FormReader, last_values

from .fields import CONTRACTS, NO, YES, Typed, settings_with_fields, ways_of


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRulesReading:
    """The ruleset with all valid changes, and a refusal for each invalid one."""

    ruleset: Ruleset
    difference: dict[str, Any]
    refusals: tuple[Refusal, ...]


def read_settings(base: Ruleset, typed: Typed) -> HouseRulesReading:
    """Read the form as a change of this ruleset.

    Codes: not_a_number, no_such_choice, forced_bid_required, way_required, and those of
    ``check_ruleset`` in the rules; each with the name of a field, or with ladder or contracts.
    """
    form = FormReader(last_values(typed))
    difference = _difference(base, form, typed)
    for unread in form.refusals:
        _drop(difference, unread.field)
    ruleset, refusals = _legal_part(base, difference)
    return HouseRulesReading(ruleset=ruleset, difference=difference, refusals=(*form.refusals, *refusals))


def _difference(base: Ruleset, form: FormReader, typed: Typed) -> dict[str, Any]:
    """Return every setting of the form. Unreadable values are refused in the form, but stay included."""
    offered = settings_with_fields(base)
    contracts = base.contracts
    difference = {
        "target": form.number("target", required="target_not_positive"),
        "games_to_win": form.number("games_to_win", required="games_not_positive"),
        "ladder": [one.key for one in contracts if typed.get(f"{CONTRACTS}{one.key}.bid")],
        "contracts": {one.key: _contract(one, form, typed) for one in contracts},
        "all_pass": form.choice("all_pass", tuple(AllPass)),
        "number_bid_leader": form.choice("number_bid_leader", tuple(Leader)),
    }
    if difference["all_pass"] == AllPass.DEALER_MUST_BID:
        difference["forced_bid"] = form.number("forced_bid", required="forced_bid_required")
    for name in ("plays_low_bids", "counter_charlemagne"):
        if name in offered:
            difference[name] = form.choice(name, (YES, NO)) == YES
    return difference


def _contract(contract: Contract, form: FormReader, typed: Typed) -> dict[str, Any]:
    setting = f"{CONTRACTS}{contract.key}"
    values: dict[str, Any] = {}
    if not contract.ends_game:
        for name in ("made", "failed"):
            values[name] = form.number(f"{setting}.{name}", required="value_negative")
    if len(ways_of(contract)) > 1:
        kept = typed.get(f"{setting}.modes", [])
        values["modes"] = [mode for mode in contract.modes if mode.removeprefix(RESERVE) in kept]
        if not values["modes"]:
            form.refuse(Refusal("way_required", field=f"{setting}.modes"))
    return values


def _legal_part(base: Ruleset, difference: dict[str, Any]) -> tuple[Ruleset, list[Refusal]]:
    """Apply as much of the difference as is legal, and return the refusals of the rest.

    ``rules`` refuses one setting at a time: each is removed from the difference before the next attempt.
    """
    refused: dict[str | None, Refusal] = {}
    while True:
        try:
            return with_house_rules(base, difference), list(refused.values())
        except Refusal as refusal:
            refused.setdefault(refusal.field, refusal)
            # Even the built-in forced bid may contradict the changed order of bids.
            if not any(_drop(difference, field) for field in (refusal.field, "all_pass", "ladder")):
                return base, list(refused.values())


def _drop(difference: dict[str, Any], field: str | None) -> bool:
    """Remove a setting from a difference; return False if it is not there."""
    *within, name = (field or "").split(".")
    for outer in within:
        difference = difference.get(outer, {})
    return difference.pop(name, None) is not None
