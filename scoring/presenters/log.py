"""The marks of a whole evening, each with the mark that it replaced."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from scoring.fold import fold_match
from scoring.models import Mark, Match

from .lines import HandLineView, build_line
from .sides import SideView, build_sides


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLineView:
    """A mark, and the one that it replaced (``instead``)."""

    match: Match
    line: HandLineView
    instead: HandLineView | None

    @property
    def mark(self) -> Mark | None:
        return self.line.mark


def build_log_lines(marks: Iterable[Mark]) -> tuple[LogLineView, ...]:
    """Return the lines in the order given. No query, if the marks came with their match and its players."""
    sides: dict[int, tuple[SideView, SideView]] = {}
    lines = []
    for mark in marks:
        match = mark.match
        if match.pk not in sides:
            sides[match.pk] = build_sides(match, fold_match(match, []))
        replaced_mark = mark.supersedes
        lines.append(
            LogLineView(
                match=match,
                line=_build_line(mark, sides[match.pk], match),
                instead=None if replaced_mark is None else _build_line(replaced_mark, sides[match.pk], match),
            )
        )
    return tuple(lines)


def _build_line(mark: Mark, sides: tuple[SideView, SideView], match: Match) -> HandLineView:
    ruleset = match.ruleset
    return replace(build_line(mark.number, mark.record(ruleset), sides, ruleset), mark=mark)
