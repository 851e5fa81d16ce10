"""A file proved: every log, draw, result and standing computed again, by the functions that computed them.

Plain Python over the file alone: no database is asked.
"""

from collections.abc import Mapping
from typing import Any

from rules import Refusal
from tournaments.counting import Sat
from tournaments.event_files.form import sum_of, sums_of
from tournaments.event_settings import EventSettings, stored_event_settings
from tournaments.lifecycle import RoundState

from .matches import check_match
from .report import Difference, Report
from .results import check_rulings, check_standings, sat_in
from .rounds import BROKEN, check_round

__all__ = ["Difference", "Report", "verify"]

Plain = Mapping[str, Any]


def verify(content: Plain) -> Report:
    """What differs in a file that ``read_event_file`` has read."""
    report = Report(sum=sum_of(sums_of(content)))
    _check_sums(content, report)
    try:
        settings = stored_event_settings(content["event"]["settings"])
        settings.plan  # noqa: B018 - refuses stages that cannot work
    except (Refusal, *BROKEN):
        report.differs((), "settings_unsound")
        return report
    _check_entries(content, report)
    sat: list[Sat] = []
    for place, drawn in enumerate(content["rounds"], start=1):
        if drawn["number"] != place:
            report.differs((("round", drawn["number"]),), "round_out_of_order", expected=place)
            return report
        matches = _check_matches(drawn, settings, report)
        check_rulings(drawn, report)
        check_round(content, drawn, sat, report)
        if drawn["state"] != RoundState.DRAFT:
            sat += sat_in(drawn, matches)
    for aside in content["set_aside"]:
        where = (("round", aside["round"]), ("table", aside["table"]), ("aside", 1))
        check_match(aside["match"], settings.ruleset, settings.match_format, where, report)
    check_standings(content, settings, sat, report)
    return report


def _check_sums(content: Plain, report: Report) -> None:
    """By its sum, a change is seen also where nothing can be computed again, such as in a name."""
    found = sums_of(content)
    for part in sorted({*found, *content["sums"]}):
        if found.get(part) != content["sums"].get(part):
            report.differs((), "sum_is_other", part=part)
    report.compare((), "sum", content["sum"], sum_of(content["sums"]))


def _check_entries(content: Plain, report: Report) -> None:
    numbers = [entry["number"] for entry in content["entries"]]
    for number in sorted({number for number in numbers if numbers.count(number) > 1}):
        report.differs((("entry", number),), "entry_twice_here")
    for given in content["adjustments"]:
        if given["entry"] not in numbers:
            report.differs((), "no_such_entry_here", entry=given["entry"])


def _check_matches(drawn: Plain, settings: EventSettings, report: Report) -> dict[int, Plain]:
    """The matches of a round as their logs have them, by table."""
    return {
        table["number"]: check_match(
            table["match"],
            settings.ruleset,
            settings.match_format,
            (("round", drawn["number"]), ("table", table["number"])),
            report,
        )
        for table in drawn["tables"]
        if table["match"] is not None
    }
