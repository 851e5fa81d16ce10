"""Comparison of a hand of a sheet with the one recorded in its place."""

from collections.abc import Mapping
from typing import Any

from rules import Ruleset, read_record, record_to_json


def says_the_same(ruleset: Ruleset, listed: Mapping[str, Any], standing: Mapping[str, Any]) -> bool:
    """Return whether the recorded hand is that of the sheet, which says less of it: no trump, no declarer."""
    said = record_to_json(read_record(ruleset, listed))
    return all(standing.get(name) == value for name, value in said.items())
