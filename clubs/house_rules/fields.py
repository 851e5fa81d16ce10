"""Fields of the house-rules editor: the settings that a ruleset offers, and their values.

Fields have the names that the refusals of ``rules`` use: ``target``, ``contracts.grosse.made``.
"""

from collections.abc import Mapping

from rules import LOWEST_PLAYED_BID, RESERVE, Contract, Ruleset

FormValues = Mapping[str, list[str]]
"""Field values of a form; an unchecked checkbox has none."""

CONTRACTS = "contracts."
YES, NO = "yes", "no"


def get_fields_by_setting(base: Ruleset) -> dict[str, tuple[str, ...]]:
    """Return the settings that apply to this ruleset, each with its fields."""
    settings: dict[str, tuple[str, ...]] = {name: (name,) for name in ("target", "games_to_win")}
    for contract in base.contracts:
        setting = f"{CONTRACTS}{contract.key}"
        fields = ["bid"] if contract.ends_game else ["bid", "made", "failed"]
        fields += ["modes"] if len(list_modes(contract)) > 1 else []
        settings[setting] = tuple(f"{setting}.{field}" for field in fields)
    settings["all_pass"] = ("all_pass", "forced_bid")
    if any(is_low(contract) for contract in base.contracts):
        settings["plays_low_bids"] = ("plays_low_bids",)
    if any(contract.ends_game for contract in base.contracts):
        settings["counter_charlemagne"] = ("counter_charlemagne",)
    settings["number_bid_leader"] = ("number_bid_leader",)
    return settings


def build_field_values(ruleset: Ruleset) -> dict[str, list[str]]:
    """Return the field values for this ruleset, which ``read_settings`` reads back."""
    values = {
        "target": [str(ruleset.target)],
        "games_to_win": [str(ruleset.games_to_win)],
        "all_pass": [ruleset.all_pass.value],
        "forced_bid": [str(ruleset.forced_bid)],
        "plays_low_bids": [YES if ruleset.plays_low_bids else NO],
        "counter_charlemagne": [YES if ruleset.counter_charlemagne else NO],
        "number_bid_leader": [ruleset.number_bid_leader.value],
    }
    for contract in ruleset.contracts:
        setting = f"{CONTRACTS}{contract.key}"
        values[f"{setting}.bid"] = [YES] if contract.key in ruleset.ladder else []
        values[f"{setting}.made"] = [str(contract.made)]
        values[f"{setting}.failed"] = [str(contract.failed)]
        values[f"{setting}.modes"] = list_modes(contract)
    return values


def reset_setting(base: Ruleset, form_data: FormValues, setting: str) -> dict[str, list[str]]:
    """Return the form with one setting reset to the built-in value; an unknown setting changes nothing."""
    built_in = build_field_values(base)
    return {**form_data, **{field: built_in[field] for field in get_fields_by_setting(base).get(setting, ())}}


def is_low(contract: Contract) -> bool:
    """Return whether the contract is played only if low bids are."""
    return contract.number is not None and contract.number < LOWEST_PLAYED_BID


def list_modes(contract: Contract) -> list[str]:
    """Return the ways to play a contract; taking the réserve or not is up to the declarer."""
    return list(dict.fromkeys(mode.removeprefix(RESERVE) for mode in contract.modes))
