"""Verification of matches: each log is replayed by its rules, and the stored result recomputed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.phases import MatchTerms
from errors import Refusal
from rules import MatchFormat, MatchState, Record, Ruleset, Seat, UndoneRecord, fold, read_record, record_to_json
from scoring.fold import build_cached_values, format_game_result
from scoring.log_values import MarkStatus
from scoring.logs import Log, check_fits, is_ruling, place_mark, read_log

from .report import Location, VerificationReport

JsonObject = Mapping[str, Any]


@dataclass(slots=True)
class FileMarkRow:
    """A mark of a file, identified by its place in the log, from 1."""

    pk: int
    number: int
    record_data: JsonObject
    is_directors: bool
    status: str = MarkStatus.CURRENT


class LogReplay:
    """A log replayed by the rules by which it was written."""

    def __init__(self, ruleset: Ruleset, match_format: MatchFormat, first_dealer: int | None) -> None:
        self.ruleset, self.match_format = ruleset, match_format
        self.dealer = Seat(first_dealer or 0)
        self.lines: list[FileMarkRow] = []
        self.log: Log[FileMarkRow] = Log()
        self.state = self._fold_match()
        self.agreeable: set[tuple[int, str]] = set()

    def replay_mark(self, mark: JsonObject) -> None:
        """Write the next mark. Refuses: what marking it would have refused; record_not_plain."""
        record = read_record(self.ruleset, mark["record"])
        if record_to_json(record) != mark["record"]:
            raise Refusal("record_not_plain")
        line = FileMarkRow(len(self.lines) + 1, mark["place"], mark["record"], bool(mark["by"]))
        placement = place_mark(
            self.log,
            line.number,
            record,
            supersedes=self._find_superseded_line(mark),
            saw_only=mark.get("saw_only", False),
        )
        line.status = placement.status
        if placement.changes_place:
            if not line.is_directors:
                self._check_table_may_mark(record, placement.replaced_marks)
            if line.status != MarkStatus.ECHO:
                check_fits(self.log, line.number, is_over=self.state.is_over)
        self.lines.append(line)
        for superseded, status in placement.iter_status_changes():
            superseded.status = status
        is_next = line.status == MarkStatus.CURRENT and line.number > self.log.last_number
        self.log.add(line, record, placement)
        if placement.changes_place:
            self.state = self.state.add_record(line.number, record) if is_next else self._fold_match()
            self.agreeable |= {(game.number, format_game_result(game)) for game in self.state.games}

    def _find_superseded_line(self, mark: JsonObject) -> FileMarkRow | None:
        """Return the line that this mark supersedes. Refuses: no_such_mark."""
        if mark["supersedes"] is None:
            return None
        superseded = next((line for line in self.lines if line.pk == mark["supersedes"]), None)
        if superseded is None or superseded.number != mark["place"]:
            raise Refusal("no_such_mark", field="supersedes")
        return superseded

    def _check_table_may_mark(self, record: Record, replaced_lines: Iterable[FileMarkRow]) -> None:
        replaces_ruling = any(
            mark_line.is_directors and mark_line.record_data["kind"] != UndoneRecord.kind
            for mark_line in replaced_lines
        )
        if replaces_ruling or is_ruling(record, self.match_format):
            raise Refusal("director_only")

    def _fold_match(self) -> MatchState:
        return fold(self.ruleset, self.match_format, self.log.places, first_dealer=self.dealer)


def check_match(
    match: JsonObject, terms: MatchTerms, location: Location, report: VerificationReport
) -> Mapping[str, Any]:
    """Return the result of a match according to its log, and report what differs from the stored one."""
    report.count("matches")
    ruleset, match_format = terms.ruleset, terms.match_format
    if len(match["players"]) != ruleset.seats:
        report.differs(location, "players_missing", count=len(match["players"]), seats=ruleset.seats)
    replay = LogReplay(ruleset, match_format, match["first_dealer"])
    for place, mark in enumerate(match["marks"], start=1):
        try:
            replay.replay_mark(mark)
        except Refusal as refusal:
            report.differs((*location, ("mark", place)), "mark_refused", refusal=refusal)
            break
        report.count("hands")
    for line, mark in zip(replay.lines, match["marks"], strict=False):
        mark_location = (*location, ("mark", line.pk))
        report.compare(mark_location, "status", mark["status"], str(line.status))
    if len(replay.lines) < len(match["marks"]):
        return _summarize_by_status(match, replay)
    summary = build_cached_values(replay.log, replay.state)
    for name, value in summary.items():
        report.compare(location, name, match[name], value)
    for agreement in match["agreements"]:
        if (agreement["game"], agreement["agreed_to"]) not in replay.agreeable:
            report.differs(location, "never_stood", game=agreement["game"], agreed_to=agreement["agreed_to"])
    return summary


def _summarize_by_status(match: JsonObject, replay: LogReplay) -> Mapping[str, Any]:
    """Return the result of a log that could not be replayed, from its statuses, or the stored result if
    unreadable."""
    lines = [
        FileMarkRow(place, mark["place"], mark["record"], bool(mark["by"]), mark["status"])
        for place, mark in enumerate(match["marks"], start=1)
    ]
    try:
        log = read_log(lines, replay.ruleset)
    except Refusal:
        return {name: match[name] for name in ("summary", "is_over", "has_rivals")}
    state = fold(replay.ruleset, replay.match_format, log.places, first_dealer=replay.dealer)
    return build_cached_values(log, state)
