"""Rulesets and match formats as complete JSON data, which an event stores permanently."""

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from errors import Refusal

from .contracts import RESERVE, Contract, TrumpRule
from .folds import DecidedBy, MatchFormat, TieRule, check_format
from .preparation import WAYS
from .rulesets import AllPass, FirstDealer, Leader, Ruleset, check_ruleset
from .seats import Side
from .shapes import Fields


def ruleset_to_json(ruleset: Ruleset) -> dict[str, Any]:
    """Return every value of the ruleset in the types of JSON."""
    return _plain(ruleset)


def ruleset_from_json(plain: Mapping[str, Any]) -> Ruleset:
    """Return the ruleset from the output of ``ruleset_to_json``.

    Refuses: data of another shape, with its field, no_such_mode, and whatever ``check_ruleset`` refuses.
    """
    stored = Fields.of(plain)
    stored.check_names(_names(Ruleset), code="no_such_setting")
    return check_ruleset(
        Ruleset(
            key=stored.text("key"),
            seats=stored.number("seats"),
            trump_order=stored.texts("trump_order"),
            first_dealer=stored.choice("first_dealer", FirstDealer),
            batch=stored.number("batch"),
            kitty_after=stored.number("kitty_after"),
            names_trump_in_bid=stored.switch("names_trump_in_bid"),
            target=stored.number("target"),
            games_to_win=stored.number("games_to_win"),
            contracts=tuple(_stored_contract(contract) for contract in stored.objects("contracts")),
            ladder=stored.texts("ladder"),
            all_pass=stored.choice("all_pass", AllPass),
            forced_bid=stored.number("forced_bid"),
            plays_low_bids=stored.switch("plays_low_bids"),
            counter_charlemagne=stored.switch("counter_charlemagne"),
            number_bid_leader=stored.choice("number_bid_leader", Leader),
        )
    )


def _stored_contract(stored: Fields) -> Contract:
    stored.check_names(_names(Contract), code="no_such_setting")
    return Contract(
        key=stored.text("key"),
        number=stored.number_or_none("number"),
        least=stored.number("least"),
        most=stored.number("most"),
        trump=stored.choice("trump", TrumpRule),
        made=stored.number("made"),
        failed=stored.number("failed"),
        ends_game=stored.switch("ends_game"),
        is_alone=stored.switch("is_alone"),
        open_after=stored.number_or_none("open_after"),
        modes=_stored_modes(stored),
    )


def _stored_modes(stored: Fields) -> tuple[str, ...]:
    modes = stored.texts("modes")
    if not modes or {mode.removeprefix(RESERVE) for mode in modes} - set(WAYS):
        raise Refusal("no_such_mode", field=f"{stored.within}modes", modes=tuple(WAYS))
    return modes


def match_format_to_json(match_format: MatchFormat) -> dict[str, Any]:
    """Return only the values that are set: ``{"games_to_win": 2}``."""
    default = _plain(MatchFormat())
    return {name: value for name, value in _plain(match_format).items() if value != default[name]}


def match_format_from_json(plain: Mapping[str, Any]) -> MatchFormat:
    """Return the match format from the output of ``match_format_to_json``.

    Refuses: data of another shape, with its field, and whatever ``check_format`` refuses.
    """
    stored = Fields.of(plain)
    stored.check_names(_names(MatchFormat), code="no_such_setting")
    decided_by = stored.choice("decided_by", DecidedBy) if "decided_by" in stored else DecidedBy.GAMES
    return check_format(
        MatchFormat(
            games_to_win=stored.number_or_none("games_to_win"),
            hands=stored.number_or_none("hands"),
            minutes=stored.number_or_none("minutes"),
            decided_by=decided_by,
            charlemagne_points=stored.number_or_none("charlemagne_points"),
            tie=stored.choice("tie", TieRule) if "tie" in stored else None,
            favored=_side(stored),
        )
    )


def _side(stored: Fields) -> Side | None:
    """Return the favored side, stored as its number, if any. Refuses: not_a_number, no_such_choice."""
    number = stored.number_or_none("favored")
    if number not in (None, *Side):
        raise Refusal("no_such_choice", field="favored", value=number, choices=tuple(map(int, Side)))
    return None if number is None else Side(number)


def _plain(value: Ruleset | MatchFormat) -> dict[str, Any]:
    """Return the value as it comes back from JSON, so that stored and new values are equal in every type."""
    plain: dict[str, Any] = json.loads(json.dumps(asdict(value)))
    return plain


def _names(kind: type[Ruleset | Contract | MatchFormat]) -> tuple[str, ...]:
    return tuple(item.name for item in fields(kind))
