"""Rulesets, match formats and records parsed from their stored form, with a cache.

They never change and depend on their text alone; and every hand makes the whole log of its match be read
again.
"""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from rules import RULESET_UPGRADES, MatchFormat, Record, Ruleset, match_format_from_json, read_record, ruleset_from_json

MAX_RULESETS, MAX_RECORDS = 32, 2048
"""Cache sizes in each process, records per ruleset: an evening has a few hundred different ones."""

_encode_key = json.JSONEncoder().encode
"""Encoder of cache keys: only as text do 1, true and 1.0 differ."""


def parse_ruleset(data: Mapping[str, Any]) -> Ruleset:
    """Parse a ruleset with ``ruleset_from_json``, with its refusals."""
    return _load_ruleset(_encode_key(data))


def parse_match_format(data: Mapping[str, Any]) -> MatchFormat:
    """Parse a match format with ``match_format_from_json``, with its refusals."""
    return _load_match_format(_encode_key(data))


def get_record_reader(ruleset: Ruleset) -> Callable[[Mapping[str, Any]], Record]:
    """Return a cached ``read_record`` for this ruleset, with its refusals; for records from JSON."""
    read = _build_record_reader(ruleset)
    return lambda record_data: read(_encode_key(record_data))


@lru_cache(maxsize=MAX_RULESETS)
def _load_ruleset(text: str) -> Ruleset:
    return ruleset_from_json(json.loads(text))


@lru_cache(maxsize=MAX_RULESETS)
def _load_match_format(text: str) -> MatchFormat:
    return match_format_from_json(json.loads(text))


@lru_cache(maxsize=MAX_RULESETS)
def _build_record_reader(ruleset: Ruleset) -> Callable[[str], Record]:
    return lru_cache(maxsize=MAX_RECORDS)(lambda text: read_record(ruleset, json.loads(text)))


def _wrap_step(step: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def upgrade(value: Any) -> Any:
        if isinstance(value, list):
            return [upgrade(each) for each in value]
        return {**value, "ruleset": step(value["ruleset"])} if "ruleset" in value else value

    return upgrade


NESTED_RULESET_STEPS = tuple(map(_wrap_step, RULESET_UPGRADES))
"""Steps of the form of objects, or of lists of them, that may have a ruleset."""
