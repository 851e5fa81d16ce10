"""Rulesets and match formats as complete JSON data, which an event stores permanently."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from functools import cache, partial
from typing import Any, get_type_hints

from errors import Refusal

from .contracts import RESERVE, Contract
from .folds import MatchCriterion, MatchFormat, TieRule, check_format
from .json_fields import Fields
from .preparation import PLAY_MODES
from .rulesets import Ruleset, check_ruleset
from .seats import Side


def ruleset_to_json(ruleset: Ruleset) -> dict[str, Any]:
    """Return every value of the ruleset in the types of JSON."""
    return _to_json(ruleset)


def ruleset_from_json(data: Mapping[str, Any]) -> Ruleset:
    """Return the ruleset from the output of ``ruleset_to_json``.

    Refuses: data of another shape, with its field, no_such_mode, and whatever ``check_ruleset`` refuses.
    """
    return check_ruleset(Ruleset(**_read_values(Fields.from_json(data), Ruleset)))


def _read_contract(stored: Fields) -> Contract:
    contract = Contract(**_read_values(stored, Contract))
    if not contract.modes or {mode.removeprefix(RESERVE) for mode in contract.modes} - set(PLAY_MODES):
        raise Refusal("no_such_mode", field=f"{stored.path}modes", modes=tuple(PLAY_MODES))
    return contract


def _read_values(stored: Fields, kind: Any) -> dict[str, Any]:
    """Read the fields of a dataclass, each by its type."""
    readers = _get_readers(kind)
    stored.check_names(readers, code="no_such_setting")
    return {name: read(stored, name) for name, read in readers.items()}


@cache
def _get_readers(kind: Any) -> Mapping[str, Callable[[Fields, str], Any]]:
    """Return the reader of each field; types without one are choices."""
    types = get_type_hints(kind).items()
    return {name: _READERS.get(each) or partial(Fields.get_choice, kind=each) for name, each in types}


_READERS: Mapping[Any, Callable[[Fields, str], Any]] = {
    bool: Fields.get_boolean,
    int: Fields.get_number,
    int | None: Fields.get_optional_number,
    str: Fields.get_text,
    tuple[str, ...]: Fields.get_texts,
    tuple[Contract, ...]: lambda stored, name: tuple(map(_read_contract, stored.get_objects(name))),
}


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
