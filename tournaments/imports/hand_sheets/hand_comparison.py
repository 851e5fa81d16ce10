"""A hand of a sheet beside the one that stands in its place."""

from collections.abc import Mapping
from typing import Any

from rules import Ruleset, read_record, record_to_json


def says_the_same(ruleset: Ruleset, listed: Mapping[str, Any], standing: Mapping[str, Any]) -> bool:
    """Whether the hand that stands is the one of the sheet, which tells less of it: no trump, no declarer."""
    said = record_to_json(read_record(ruleset, listed))
    return all(standing.get(name) == value for name, value in said.items())
