"""Verification of matches: each log is replayed by its rules, and the stored result recomputed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.phases import MatchTerms
from errors import Refusal
from rules import MatchFormat, MatchState, Record, Ruleset, Seat, Undone, fold, read_record, record_to_json
from scoring.fold import agreed_text, summary_of_log
from scoring.log_values import MarkStatus
from scoring.logs import Log, check_fits, is_ruling, place_mark, read_log

from .report import VerificationReport, Where

Plain = Mapping[str, Any]


@dataclass(slots=True)
class MarkLine:
    """A mark of a file, identified by its place in the log, from 1."""

    pk: int
    number: int
    record_data: Plain
    is_directors: bool
    status: str = MarkStatus.CURRENT


class Replay:
    """A log replayed by the rules by which it was written."""

    def __init__(self, ruleset: Ruleset, match_format: MatchFormat, first_dealer: int | None) -> None:
        self.ruleset, self.match_format = ruleset, match_format
        self.dealer = Seat(first_dealer or 0)
        self.lines: list[MarkLine] = []
        self.log: Log[MarkLine] = Log()
        self.state = self._fold_match()
        self.agreeable: set[tuple[int, str]] = set()

    def write(self, mark: Plain) -> None:
        """Write the next mark. Refuses: what marking it would have refused; record_not_plain."""
        record = read_record(self.ruleset, mark["record"])
        if record_to_json(record) != mark["record"]:
            raise Refusal("record_not_plain")
        line = MarkLine(len(self.lines) + 1, mark["place"], mark["record"], bool(mark["by"]))
        placement = place_mark(
            self.log,
            line.number,
            record,
            supersedes=self._superseded_line(mark),
            saw_only=mark.get("saw_only", False),
        )
        line.status = placement.status
        if placement.changes_place:
            if not line.is_directors:
                self._check_for_a_table(record, placement.replaced)
            if line.status != MarkStatus.ECHO:
                check_fits(self.log, line.number, is_over=self.state.is_over)
        self.lines.append(line)
        for each, status in placement.statuses():
            each.status = status
        is_next = line.status == MarkStatus.CURRENT and line.number > self.log.last_number
        self.log.take(line, record, placement)
        if placement.changes_place:
            self.state = self.state.after(line.number, record) if is_next else self._fold_match()
            self.agreeable |= {(game.number, agreed_text(game)) for game in self.state.games}

    def _superseded_line(self, mark: Plain) -> MarkLine | None:
        """Return the line that this mark supersedes. Refuses: no_such_mark."""
        if mark["supersedes"] is None:
            return None
        seen = next((line for line in self.lines if line.pk == mark["supersedes"]), None)
        if seen is None or seen.number != mark["place"]:
            raise Refusal("no_such_mark", field="supersedes")
        return seen

    def _check_for_a_table(self, record: Record, replaced: Iterable[MarkLine]) -> None:
        ruled = any(each.is_directors and each.record_data["kind"] != Undone.kind for each in replaced)
        if ruled or is_ruling(record, self.match_format):
            raise Refusal("director_only")

    def _fold_match(self) -> MatchState:
        return fold(self.ruleset, self.match_format, self.log.places, first_dealer=self.dealer)


def check_match(
    match: Plain, terms: MatchTerms, where: Where, report: VerificationReport
) -> Mapping[str, Any]:
    """Return the result of a match according to its log, and report what differs from the stored one."""
    report.count("matches")
    ruleset, match_format = terms.ruleset, terms.match_format
    if len(match["players"]) != ruleset.seats:
        report.differs(where, "players_missing", count=len(match["players"]), seats=ruleset.seats)
    replay = Replay(ruleset, match_format, match["first_dealer"])
    for place, mark in enumerate(match["marks"], start=1):
        try:
            replay.write(mark)
        except Refusal as refusal:
            report.differs((*where, ("mark", place)), "mark_refused", refusal=refusal)
            break
        report.count("hands")
    for line, mark in zip(replay.lines, match["marks"], strict=False):
        here = (*where, ("mark", line.pk))
        report.compare(here, "status", mark["status"], str(line.status))
    if len(replay.lines) < len(match["marks"]):
        return _as_it_stands(match, replay)
    kept = summary_of_log(replay.log, replay.state)
    for name, value in kept.items():
        report.compare(where, name, match[name], value)
    for said in match["agreements"]:
        if (said["game"], said["agreed_to"]) not in replay.agreeable:
            report.differs(where, "never_stood", game=said["game"], agreed_to=said["agreed_to"])
    return kept


def _as_it_stands(match: Plain, replay: Replay) -> Mapping[str, Any]:
    """Return the result of a log that could not be replayed, from its statuses, or the stored result if
    unreadable."""
    lines = [
        MarkLine(place, mark["place"], mark["record"], bool(mark["by"]), mark["status"])
        for place, mark in enumerate(match["marks"], start=1)
    ]
    try:
        log = read_log(lines, replay.ruleset)
    except Refusal:
        return {name: match[name] for name in ("summary", "is_over", "has_rivals")}
    state = fold(replay.ruleset, replay.match_format, log.places, first_dealer=replay.dealer)
    return summary_of_log(log, state)
