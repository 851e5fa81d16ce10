"""Verification of an event file: logs, draws, results and standings are computed again, by the usual
functions.

Plain Python on the file alone, without a database.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.draws.stages import is_bracket_slot, stage_of_slot, stage_plan
from engine.phases import MatchTerms, PhasePlace, terms_at
from engine.results import PlayedTable
from errors import Refusal
from tournaments.event_files.writer import combined_digest, digests_of
from tournaments.events.event_settings import EventSettings, event_settings_from_json
from tournaments.lifecycle import RoundState

from .clocks import check_clocks
from .matches import check_match
from .phones import check_phones
from .report import Difference, VerificationReport, Where
from .results import check_rulings, check_standings, tables_of_round
from .rounds import BROKEN, check_round
from .signatures import check_log, check_signature

__all__ = [
    "BROKEN",
    "Difference",
    "VerificationReport",
    "check_clocks",
    "check_log",
    "check_signature",
    "verify",
]

Plain = Mapping[str, Any]


def verify(
    content: Plain, *, progress: Callable[[int, int], None] = lambda done, of: None
) -> VerificationReport:
    """Verify a file that ``read_event_file`` has read. ``progress`` receives the number of rounds done and
    their total."""
    sums = digests_of(content)
    report = VerificationReport(sum=combined_digest(sums))
    _check_sums(content, sums, report)
    try:
        settings = event_settings_from_json(content["event"]["settings"])
        stage_plan(settings.stages)
    except (Refusal, *BROKEN):
        report.differs((), "settings_unsound")
        return report
    _check_entries(content, settings, report)
    sat: list[PlayedTable] = []
    for place, drawn in enumerate(content["rounds"], start=1):
        if drawn["number"] != place:
            report.differs((("round", drawn["number"]),), "round_out_of_order", expected=place)
            return report
        progress(place - 1, len(content["rounds"]))
        matches = _check_matches(content, drawn, settings, report)
        check_rulings(drawn, report)
        check_round(content, drawn, sat, report)
        if drawn["state"] != RoundState.DRAFT:
            sat += tables_of_round(drawn, matches)
    for aside in content["set_aside"]:
        where = (("round", aside["round"]), ("table", aside["table"]), ("aside", 1))
        check_match(aside["match"], _terms_of(aside["match"], settings, where, report), where, report)
        _check_people(content, aside["match"]["players"], where, report)
    check_standings(content, settings, sat, report)
    check_phones(content, report)
    return report


def _check_sums(content: Plain, found: Mapping[str, str], report: VerificationReport) -> None:
    """Check the sums: they also reveal changes where nothing can be computed, such as in a name."""
    for part in sorted({*found, *content["sums"]}):
        if found.get(part) != content["sums"].get(part):
            report.differs((), "sum_is_other", part=part)
    report.compare((), "sum", content["sum"], combined_digest(content["sums"]))


def _check_entries(content: Plain, settings: EventSettings, report: VerificationReport) -> None:
    for entry in content["entries"]:
        where = (("entry", entry["number"]),)
        looks_for_partner = entry["is_waiting"] and len(entry["players"]) == 1
        if len(entry["players"]) != settings.entry_size and not looks_for_partner:
            report.differs(where, "players_missing", count=len(entry["players"]), seats=settings.entry_size)
        _check_people(content, entry["players"], where, report)
    numbers = [entry["number"] for entry in content["entries"]]
    for number in sorted({number for number in numbers if numbers.count(number) > 1}):
        report.differs((("entry", number),), "entry_twice_here")
    named = [given["entry"] for given in content["adjustments"]]
    named += [entry for kept in content["event"].get("kept_apart", ()) for entry in kept["entries"]]
    for entry in named:
        if entry not in numbers:
            report.differs((), "no_such_entry_here", entry=entry)


def _check_people(content: Plain, players: Sequence[Any], where: Where, report: VerificationReport) -> None:
    """Check that the players are in the list of people. The first form of the file has names instead of their
    numbers."""
    for player in players:
        if isinstance(player, int) and player > len(content["people"]):
            report.differs(where, "no_such_person_here", person=player)


def _check_matches(
    content: Plain, drawn: Plain, settings: EventSettings, report: VerificationReport
) -> dict[int, Plain]:
    """Check the matches of a round; return them by table as their logs give them."""
    found = {}
    for table in drawn["tables"]:
        if table["match"] is not None:
            where = (("round", drawn["number"]), ("table", table["number"]))
            _check_people(content, table["match"]["players"], where, report)
            terms = _terms_of(table["match"], settings, where, report)
            if terms not in _terms_of_phases(drawn["number"], table["slot"] or "", settings, terms):
                report.differs(where, "terms_of_no_phase")
            found[table["number"]] = check_match(table["match"], terms, where, report)
    return found


def _terms_of(match: Plain, settings: EventSettings, where: Where, report: VerificationReport) -> MatchTerms:
    """Return what a match was played by; the terms of the event if its own cannot be read."""
    try:
        return settings.terms.with_own(match.get("own_terms"))
    except (Refusal, *BROKEN):
        report.differs(where, "terms_of_no_phase")
        return settings.terms


def _terms_of_phases(number: int, slot: str, settings: EventSettings, played: MatchTerms) -> list[MatchTerms]:
    """Return the terms that a match of this round and slot could have. Entries may have changed their section
    since, and a seed or a lot may favor either side."""
    sections = (None, *(each["name"] for each in settings.sections))
    needs_winner, stage = is_bracket_slot(settings.plan, slot), stage_of_slot(slot)
    found = [
        terms_at(
            settings.phases,
            PhasePlace(stage=stage, section=section),
            number,
            settings.terms,
            needs_winner=needs_winner,
        )
        for section in sections
    ]
    favored = played.match_format.favored
    return [replace(each, match_format=replace(each.match_format, favored=favored)) for each in found]
