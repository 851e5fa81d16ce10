"""Rulesets and match formats as complete JSON data, which an event stores permanently."""

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from errors import Refusal

from .contracts import RESERVE, Contract, TrumpRule
from .folds import MatchCriterion, MatchFormat, TieRule, check_format
from .json_fields import Fields
from .preparation import PLAY_MODES
from .rulesets import AllPassRule, FirstDealerRule, Leader, Ruleset, check_ruleset
from .seats import Side


def ruleset_to_json(ruleset: Ruleset) -> dict[str, Any]:
    """Return every value of the ruleset in the types of JSON."""
    return _to_json(ruleset)


def ruleset_from_json(data: Mapping[str, Any]) -> Ruleset:
    """Return the ruleset from the output of ``ruleset_to_json``.

    Refuses: data of another shape, with its field, no_such_mode, and whatever ``check_ruleset`` refuses.
    """
    stored = Fields.from_json(data)
    stored.check_names(_list_field_names(Ruleset), code="no_such_setting")
    return check_ruleset(
        Ruleset(
            key=stored.get_text("key"),
            seats=stored.get_number("seats"),
            trump_order=stored.get_texts("trump_order"),
            first_dealer=stored.get_choice("first_dealer", FirstDealerRule),
            batch=stored.get_number("batch"),
            kitty_after=stored.get_number("kitty_after"),
            names_trump_in_bid=stored.get_boolean("names_trump_in_bid"),
            target=stored.get_number("target"),
            games_to_win=stored.get_number("games_to_win"),
            contracts=tuple(_read_contract(contract) for contract in stored.get_objects("contracts")),
            ladder=stored.get_texts("ladder"),
            all_pass=stored.get_choice("all_pass", AllPassRule),
            forced_bid=stored.get_number("forced_bid"),
            plays_low_bids=stored.get_boolean("plays_low_bids"),
            counter_charlemagne=stored.get_boolean("counter_charlemagne"),
            number_bid_leader=stored.get_choice("number_bid_leader", Leader),
        )
    )


def _read_contract(stored: Fields) -> Contract:
    stored.check_names(_list_field_names(Contract), code="no_such_setting")
    return Contract(
        key=stored.get_text("key"),
        number=stored.get_optional_number("number"),
        least=stored.get_number("least"),
        most=stored.get_number("most"),
        trump=stored.get_choice("trump", TrumpRule),
        made=stored.get_number("made"),
        failed=stored.get_number("failed"),
        ends_game=stored.get_boolean("ends_game"),
        is_alone=stored.get_boolean("is_alone"),
        open_after=stored.get_optional_number("open_after"),
        modes=_read_modes(stored),
    )


def _read_modes(stored: Fields) -> tuple[str, ...]:
    modes = stored.get_texts("modes")
    if not modes or {mode.removeprefix(RESERVE) for mode in modes} - set(PLAY_MODES):
        raise Refusal("no_such_mode", field=f"{stored.path}modes", modes=tuple(PLAY_MODES))
    return modes


def match_format_to_json(match_format: MatchFormat) -> dict[str, Any]:
    """Return only the values that are set: ``{"games_to_win": 2}``."""
    default = _to_json(MatchFormat())
    return {name: value for name, value in _to_json(match_format).items() if value != default[name]}


def match_format_from_json(data: Mapping[str, Any]) -> MatchFormat:
    """Return the match format from the output of ``match_format_to_json``.

    Refuses: data of another shape, with its field, and whatever ``check_format`` refuses.
    """
    stored = Fields.from_json(data)
    stored.check_names(_list_field_names(MatchFormat), code="no_such_setting")
    decided_by = stored.get_choice("decided_by", MatchCriterion) if "decided_by" in stored else MatchCriterion.GAMES
    return check_format(
        MatchFormat(
            games_to_win=stored.get_optional_number("games_to_win"),
            hands=stored.get_optional_number("hands"),
            minutes=stored.get_optional_number("minutes"),
            decided_by=decided_by,
            charlemagne_points=stored.get_optional_number("charlemagne_points"),
            tie=stored.get_choice("tie", TieRule) if "tie" in stored else None,
            favored=_read_side(stored),
        )
    )


def _read_side(stored: Fields) -> Side | None:
    """Return the favored side, stored as its number, if any. Refuses: not_a_number, no_such_choice."""
    number = stored.get_optional_number("favored")
    if number not in (None, *Side):
        raise Refusal("no_such_choice", field="favored", value=number, choices=tuple(map(int, Side)))
    return None if number is None else Side(number)


def _to_json(value: Ruleset | MatchFormat) -> dict[str, Any]:
    """Return the value as it comes back from JSON, so that stored and new values are equal in every type."""
    data: dict[str, Any] = json.loads(json.dumps(asdict(value)))
    return data


def _list_field_names(kind: type[Ruleset | Contract | MatchFormat]) -> tuple[str, ...]:
    return tuple(item.name for item in fields(kind))
