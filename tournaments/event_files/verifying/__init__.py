"""Verification of an event file: logs, draws, results and standings are computed again, by the usual
functions.

Plain Python on the file alone, without a database.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.draws.stages import get_slot_stage, is_bracket_slot, parse_stage_plan
from engine.phases import MatchTerms, PhasePlace, get_match_terms
from engine.results import PlayedTable
from errors import Refusal
from tournaments.event_files.writer import compute_combined_digest, compute_part_digests
from tournaments.events.event_settings import EventSettings, event_settings_from_json
from tournaments.lifecycle import RoundState

from .clocks import check_clocks
from .matches import check_match
from .phones import check_phones
from .report import Difference, Location, VerificationReport
from .results import check_rulings, check_standings, list_played_tables
from .rounds import TAMPERING_ERRORS, check_round
from .signatures import check_log, check_signature

JsonObject = Mapping[str, Any]


def verify_event_file(
    content: JsonObject, *, progress: Callable[[int, int], None] = lambda done, of: None
) -> VerificationReport:
    """Verify a file that ``read_event_file`` has read. ``progress`` receives the number of rounds done and
    their total."""
    sums = compute_part_digests(content)
    report = VerificationReport(sum=compute_combined_digest(sums))
    _check_sums(content, sums, report)
    try:
        settings = event_settings_from_json(content["event"]["settings"])
        parse_stage_plan(settings.stages)
    except (Refusal, *TAMPERING_ERRORS):
        report.differs((), "settings_unsound")
        return report
    _check_entries(content, settings, report)
    played_tables: list[PlayedTable] = []
    for place, round_data in enumerate(content["rounds"], start=1):
        if round_data["number"] != place:
            report.differs((("round", round_data["number"]),), "round_out_of_order", expected=place)
            return report
        progress(place - 1, len(content["rounds"]))
        matches = _check_matches(content, round_data, settings, report)
        check_rulings(round_data, report)
        check_round(content, round_data, played_tables, report)
        if round_data["state"] != RoundState.DRAFT:
            played_tables += list_played_tables(round_data, matches)
    for set_aside in content["set_aside"]:
        location = (("round", set_aside["round"]), ("table", set_aside["table"]), ("aside", 1))
        check_match(set_aside["match"], _get_terms(set_aside["match"], settings, location, report), location, report)
        _check_people(content, set_aside["match"]["players"], location, report)
    check_standings(content, settings, played_tables, report)
    check_phones(content, report)
    return report


def _check_sums(content: JsonObject, computed_sums: Mapping[str, str], report: VerificationReport) -> None:
    """Check the sums: they also reveal changes where nothing can be computed, such as in a name."""
    for part in sorted({*computed_sums, *content["sums"]}):
        if computed_sums.get(part) != content["sums"].get(part):
            report.differs((), "sum_is_other", part=part)
    report.compare((), "sum", content["sum"], compute_combined_digest(content["sums"]))


def _check_entries(content: JsonObject, settings: EventSettings, report: VerificationReport) -> None:
    for entry in content["entries"]:
        location = (("entry", entry["number"]),)
        is_partner_seeker = entry["is_waiting"] and len(entry["players"]) == 1
        if len(entry["players"]) != settings.entry_size and not is_partner_seeker:
            report.differs(location, "players_missing", count=len(entry["players"]), seats=settings.entry_size)
        _check_people(content, entry["players"], location, report)
    numbers = [entry["number"] for entry in content["entries"]]
    for number in sorted({number for number in numbers if numbers.count(number) > 1}):
        report.differs((("entry", number),), "entry_twice_here")
    mentioned_entries = [adjustment["entry"] for adjustment in content["adjustments"]]
    mentioned_entries += [
        entry for apart_group in content["event"].get("kept_apart", ()) for entry in apart_group["entries"]
    ]
    for entry in mentioned_entries:
        if entry not in numbers:
            report.differs((), "no_such_entry_here", entry=entry)


def _check_people(content: JsonObject, players: Sequence[Any], location: Location, report: VerificationReport) -> None:
    """Check that the players are in the list of people. The first form of the file has names instead of their
    numbers."""
    for player in players:
        if isinstance(player, int) and player > len(content["people"]):
            report.differs(location, "no_such_person_here", person=player)


def _check_matches(
    content: JsonObject, round_data: JsonObject, settings: EventSettings, report: VerificationReport
) -> dict[int, JsonObject]:
    """Check the matches of a round; return them by table as their logs give them."""
    matches_by_table = {}
    for table in round_data["tables"]:
        if table["match"] is not None:
            location = (("round", round_data["number"]), ("table", table["number"]))
            _check_people(content, table["match"]["players"], location, report)
            terms = _get_terms(table["match"], settings, location, report)
            if terms not in _list_possible_terms(round_data["number"], table["slot"] or "", settings, terms):
                report.differs(location, "terms_of_no_phase")
            matches_by_table[table["number"]] = check_match(table["match"], terms, location, report)
    return matches_by_table


def _get_terms(
    match: JsonObject, settings: EventSettings, location: Location, report: VerificationReport
) -> MatchTerms:
    """Return what a match was played by; the terms of the event if its own cannot be read."""
    try:
        return settings.terms.apply_overrides(match.get("own_terms"))
    except (Refusal, *TAMPERING_ERRORS):
        report.differs(location, "terms_of_no_phase")
        return settings.terms


def _list_possible_terms(number: int, slot: str, settings: EventSettings, played_terms: MatchTerms) -> list[MatchTerms]:
    """Return the terms that a match of this round and slot could have. Entries may have changed their section
    since, and a seed or a lot may favor either side."""
    sections = (None, *(phase_terms["name"] for phase_terms in settings.sections))
    needs_winner, stage = is_bracket_slot(settings.plan, slot), get_slot_stage(slot)
    possible_terms = [
        get_match_terms(
            settings.phases,
            PhasePlace(stage=stage, section=section),
            number,
            settings.terms,
            needs_winner=needs_winner,
        )
        for section in sections
    ]
    favored_side = played_terms.match_format.favored
    return [
        replace(phase_terms, match_format=replace(phase_terms.match_format, favored=favored_side))
        for phase_terms in possible_terms
    ]
