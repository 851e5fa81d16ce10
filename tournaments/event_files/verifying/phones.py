"""Check of the keys for phones against the rest of the file."""

from collections.abc import Iterator, Mapping
from typing import Any

from tournaments.event_files.schema import PHONE_KEYS_PART

from .report import VerificationReport

JsonObject = Mapping[str, Any]
MatchName = tuple[int, int, str]


def check_phones(content: JsonObject, report: VerificationReport) -> None:
    """Check that each code belongs to one table and each key to one line. Each log must be of a match with as
    many lines."""
    phones = content.get(PHONE_KEYS_PART)
    if phones is None:
        return
    tables, codes = [table for table, _ in phones["codes"]], [code for _, code in phones["codes"]]
    names = [(log["round"], log["table"], log["opened_at"]) for log in phones["logs"]]
    keys = [key for log in phones["logs"] for key in log["keys"]]
    lines = dict(_list_match_lengths(content))
    is_unique = all(len(set(values)) == len(values) for values in (tables, codes, names, keys))
    is_complete = all(lines.get(name) == len(log["keys"]) for name, log in zip(names, phones["logs"], strict=True))
    if not (is_unique and is_complete):
        report.differs((), "phones_unsound")


def _list_match_lengths(content: JsonObject) -> Iterator[tuple[MatchName, int]]:
    matches = [
        (round_data["number"], table["number"], table["match"])
        for round_data in content["rounds"]
        for table in round_data["tables"]
        if table["match"] is not None
    ]
    matches += [(set_aside["round"], set_aside["table"], set_aside["match"]) for set_aside in content["set_aside"]]
    for number, table, match in matches:
        yield (number, table, match["opened_at"]), len(match["marks"])
