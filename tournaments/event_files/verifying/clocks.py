"""Checks of the times in a file: nothing ends before it begins, no mark precedes its table."""

from collections.abc import Mapping
from datetime import datetime
from itertools import pairwise
from typing import Any

from .report import VerificationReport, Where

Plain = Mapping[str, Any]


def check_clocks(content: Plain, report: VerificationReport) -> None:
    """Check that times are in order. No result depends on them, and a computer's clock may be set during an
    event, so a file with such errors can still be imported."""
    for drawn in content["rounds"]:
        where: Where = (("round", drawn["number"]),)
        _in_order(drawn, ("published_at", "started_at", "closed_at"), where, report)
        for table in drawn["tables"]:
            if table["match"] is not None:
                _check_match(table["match"], (*where, ("table", table["number"])), drawn, report)
    for aside in content["set_aside"]:
        where = (("round", aside["round"]), ("table", aside["table"]), ("aside", 1))
        _check_match(aside["match"], where, {}, report)


def _check_match(match: Plain, where: Where, drawn: Plain, report: VerificationReport) -> None:
    _in_order(match, ("opened_at", "closed_at"), where, report)
    opened = match["opened_at"]
    if _is_before(match["closed_at"], drawn.get("published_at")):
        report.differs(where, "closed_before_published", at=match["closed_at"], since=drawn["published_at"])
    for place, mark in enumerate(match["marks"], start=1):
        if _is_before(mark["at"], opened):
            report.differs((*where, ("mark", place)), "marked_before", at=mark["at"], since=opened)
    for said in match["agreements"]:
        if _is_before(said["at"], opened):
            report.differs(where, "agreed_before", at=said["at"], since=opened)
    for call in match["calls"]:
        _in_order({"opened_at": opened, **call}, ("opened_at", "at", "settled_at"), where, report)


def _in_order(plain: Plain, names: tuple[str, ...], where: Where, report: VerificationReport) -> None:
    there = [(name, plain[name]) for name in names if plain.get(name) is not None]
    for (earlier, since), (later, at) in pairwise(there):
        if _is_before(at, since):
            report.differs(where, "out_of_time", part=later, at=at, other=earlier, since=since)


def _is_before(at: str | None, since: str | None) -> bool:
    return at is not None and since is not None and datetime.fromisoformat(at) < datetime.fromisoformat(since)
