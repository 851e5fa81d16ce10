"""What matches are played by and what was marked, from their stored form: each text is read once.

A ruleset, a match format and a record never change and follow from their text alone; and with every hand the
whole log of its match is read again.
"""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from rules import MatchFormat, Record, Ruleset, match_format_from_json, read_record, ruleset_from_json

SETS_OF_RULES, RECORDS = 32, 2048
"""As many are kept in each process, records with each ruleset: an evening has some hundred that differ."""

_text_of = json.JSONEncoder().encode
"""Only a text tells 1 from true and from 1.0."""


def ruleset_in(plain: Mapping[str, Any]) -> Ruleset:
    """``ruleset_from_json``, with its refusals."""
    return _ruleset(_text_of(plain))


def format_in(plain: Mapping[str, Any]) -> MatchFormat:
    """``match_format_from_json``, with its refusals."""
    return _format(_text_of(plain))


def reader_of_records(ruleset: Ruleset) -> Callable[[Mapping[str, Any]], Record]:
    """``read_record`` of this ruleset, with its refusals, for what comes from JSON."""
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
