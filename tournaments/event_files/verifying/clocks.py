"""Checks of the times in a file: nothing ends before it begins, no mark precedes its table."""

from collections.abc import Mapping
from datetime import datetime
from itertools import pairwise
from typing import Any

from .report import Location, VerificationReport

JsonObject = Mapping[str, Any]


def check_clocks(content: JsonObject, report: VerificationReport) -> None:
    """Check that times are in order. No result depends on them, and a computer's clock may be set during an
    event, so a file with such errors can still be imported."""
    for round_data in content["rounds"]:
        location: Location = (("round", round_data["number"]),)
        _check_order(round_data, ("published_at", "started_at", "closed_at"), location, report)
        for table in round_data["tables"]:
            if table["match"] is not None:
                _check_match(table["match"], (*location, ("table", table["number"])), round_data, report)
    for set_aside in content["set_aside"]:
        location = (("round", set_aside["round"]), ("table", set_aside["table"]), ("aside", 1))
        _check_match(set_aside["match"], location, {}, report)


def _check_match(match: JsonObject, location: Location, round_data: JsonObject, report: VerificationReport) -> None:
    _check_order(match, ("opened_at", "closed_at"), location, report)
    opened_at = match["opened_at"]
    if _is_before(match["closed_at"], round_data.get("published_at")):
        report.differs(location, "closed_before_published", at=match["closed_at"], since=round_data["published_at"])
    for place, mark in enumerate(match["marks"], start=1):
        if _is_before(mark["at"], opened_at):
            report.differs((*location, ("mark", place)), "marked_before", at=mark["at"], since=opened_at)
    for agreement in match["agreements"]:
        if _is_before(agreement["at"], opened_at):
            report.differs(location, "agreed_before", at=agreement["at"], since=opened_at)
    for call in match["calls"]:
        _check_order({"opened_at": opened_at, **call}, ("opened_at", "at", "settled_at"), location, report)


def _check_order(times: JsonObject, names: tuple[str, ...], location: Location, report: VerificationReport) -> None:
    existing = [(name, times[name]) for name in names if times.get(name) is not None]
    for (earlier, earlier_time), (later, later_time) in pairwise(existing):
        if _is_before(later_time, earlier_time):
            report.differs(location, "out_of_time", part=later, at=later_time, other=earlier, since=earlier_time)


def _is_before(moment: str | None, reference: str | None) -> bool:
    return (
        moment is not None
        and reference is not None
        and datetime.fromisoformat(moment) < datetime.fromisoformat(reference)
    )
