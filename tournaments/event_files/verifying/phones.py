"""Check of the keys for phones against the rest of the file."""

from collections.abc import Iterator, Mapping
from typing import Any

from tournaments.event_files.form import PHONES_KNOW

from .report import VerificationReport

Plain = Mapping[str, Any]
Name = tuple[int, int, str]


def check_phones(content: Plain, report: VerificationReport) -> None:
    """Check that each code belongs to one table and each key to one line. Each log must be of a match with as
    many lines."""
    phones = content.get(PHONES_KNOW)
    if phones is None:
        return
    tables, codes = [table for table, _ in phones["codes"]], [code for _, code in phones["codes"]]
    names = [(log["round"], log["table"], log["opened_at"]) for log in phones["logs"]]
    keys = [key for log in phones["logs"] for key in log["keys"]]
    lines = dict(_lines_of_matches(content))
    are_single = all(len(set(each)) == len(each) for each in (tables, codes, names, keys))
    are_there = all(
        lines.get(name) == len(log["keys"]) for name, log in zip(names, phones["logs"], strict=True)
    )
    if not (are_single and are_there):
        report.differs((), "phones_unsound")


def _lines_of_matches(content: Plain) -> Iterator[tuple[Name, int]]:
    played = [
        (drawn["number"], table["number"], table["match"])
        for drawn in content["rounds"]
        for table in drawn["tables"]
        if table["match"] is not None
    ]
    played += [(aside["round"], aside["table"], aside["match"]) for aside in content["set_aside"]]
    for number, table, match in played:
        yield (number, table, match["opened_at"]), len(match["marks"])
