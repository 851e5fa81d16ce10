"""Rulesets, match formats and records parsed from their stored form, with a cache.

They never change and depend on their text alone; and every hand makes the whole log of its match be read
again.
"""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from rules import (
    RULESET_STEPS,
    MatchFormat,
    Record,
    Ruleset,
    match_format_from_json,
    read_record,
    ruleset_from_json,
)

SETS_OF_RULES, RECORDS = 32, 2048
"""Cache sizes in each process, records per ruleset: an evening has a few hundred different ones."""

_text_of = json.JSONEncoder().encode
"""Encoder of cache keys: only as text do 1, true and 1.0 differ."""


def ruleset_in(plain: Mapping[str, Any]) -> Ruleset:
    """Parse a ruleset with ``ruleset_from_json``, with its refusals."""
    return _ruleset(_text_of(plain))


def format_in(plain: Mapping[str, Any]) -> MatchFormat:
    """Parse a match format with ``match_format_from_json``, with its refusals."""
    return _format(_text_of(plain))


def reader_of_records(ruleset: Ruleset) -> Callable[[Mapping[str, Any]], Record]:
    """Return a cached ``read_record`` for this ruleset, with its refusals; for records from JSON."""
    read = _records(ruleset)
    return lambda plain: read(_text_of(plain))


@lru_cache(maxsize=SETS_OF_RULES)
def _ruleset(text: str) -> Ruleset:
    return ruleset_from_json(json.loads(text))


@lru_cache(maxsize=SETS_OF_RULES)
def _format(text: str) -> MatchFormat:
    return match_format_from_json(json.loads(text))


@lru_cache(maxsize=SETS_OF_RULES)
def _records(ruleset: Ruleset) -> Callable[[str], Record]:
    return lru_cache(maxsize=RECORDS)(lambda text: read_record(ruleset, json.loads(text)))


def _within(step: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def upgrade(value: Any) -> Any:
        if isinstance(value, list):
            return [upgrade(each) for each in value]
        return {**value, "ruleset": step(value["ruleset"])} if "ruleset" in value else value

    return upgrade


STEPS_WITHIN = tuple(map(_within, RULESET_STEPS))
"""Steps of the form of objects, or of lists of them, that may have a ruleset."""
