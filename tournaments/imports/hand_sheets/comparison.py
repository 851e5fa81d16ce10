"""Comparison of a hand of a sheet with the one recorded in its place."""

from collections.abc import Mapping
from typing import Any

from rules import Ruleset, read_record, record_to_json


def is_same_hand(ruleset: Ruleset, sheet_hand: Mapping[str, Any], recorded_hand: Mapping[str, Any]) -> bool:
    """Return whether the recorded hand is that of the sheet, which says less of it: no trump, no declarer."""
    sheet_record = record_to_json(read_record(ruleset, sheet_hand))
    return all(recorded_hand.get(name) == value for name, value in sheet_record.items())
