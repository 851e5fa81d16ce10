"""Late entries from the phones of an evening, and their effect."""

from dataclasses import dataclass, replace
from datetime import datetime

from rules import MatchState, Side
from scoring import queries
from scoring.fold import fold_match
from scoring.late_marks import late_marks_of
from scoring.models import Mark, Match, RefusedMark

from .lines import HandLineView, line_view
from .sides import SideView, sides_of


@dataclass(frozen=True, slots=True, kw_only=True)
class LateLine:
    """A hand that arrived ``at`` a moment, ``minutes`` after it was tapped. ``refusal`` is its code, "" if
    the hand was recorded."""

    line: HandLineView
    minutes: int
    at: datetime
    refusal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LateAgreement:
    """An agreement of ``side`` that arrived ``at`` a moment, ``minutes`` after it was tapped."""

    side: SideView
    game: int
    minutes: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LateScore:
    """Score of a match: points of its current game, or of all once it is over, and games won."""

    points: tuple[int, int]
    games_won: tuple[int, int]
    is_over: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LateTable:
    """A table with late entries.

    It has the score ``before`` them, ``after`` the last of them arrived, and ``now``; None if no late hand
    was recorded.
    """

    match: Match
    sides: tuple[SideView, SideView]
    lines: tuple[LateLine, ...]
    agreements: tuple[LateAgreement, ...]
    before: LateScore | None
    after: LateScore | None
    now: LateScore | None

    @property
    def was_counted(self) -> bool:
        """Whether the match was over without the late entries, so that its result was in the standings."""
        return self.before is not None and self.before.is_over

    @property
    def changes_score(self) -> bool:
        return self.before != self.after

    @property
    def has_changed_since(self) -> bool:
        return self.after != self.now


def late_tables(topic: str) -> list[LateTable]:
    """Return the tables of an evening with late entries, the latest round first. Five queries."""
    return [_table(match) for match in queries.matches_with_late_marks(topic)]


def _table(match: Match) -> LateTable:
    sides = sides_of(match, fold_match(match, []))
    lot = late_marks_of(match)
    marks: list[Mark | RefusedMark] = [*(lot.marks if lot else ()), *match.refused_marks.all()]
    return LateTable(
        match=match,
        sides=sides,
        lines=tuple(_line(match, mark, sides) for mark in marks),
        agreements=tuple(
            LateAgreement(
                side=sides[each.side], game=each.game, minutes=each.waited // 60, at=each.created_at
            )
            for each in match.agreed
            if each.waited
        ),
        before=None if lot is None else _score(lot.without),
        after=None if lot is None else _score(lot.with_them),
        now=None if lot is None else _score(lot.now),
    )


def _line(match: Match, mark: Mark | RefusedMark, sides: tuple[SideView, SideView]) -> LateLine:
    ruleset = match.ruleset
    line = line_view(mark.number, mark.record(ruleset), sides, ruleset)
    return LateLine(
        line=replace(line, mark=mark) if isinstance(mark, Mark) else line,
        minutes=mark.waited // 60,
        at=mark.created_at,
        refusal="" if isinstance(mark, Mark) else mark.code,
    )


def _score(state: MatchState) -> LateScore:
    points = state.points if state.is_over else state.game.points
    return LateScore(
        points=(points[Side.A], points[Side.B]),
        games_won=(state.games_won[Side.A], state.games_won[Side.B]),
        is_over=state.is_over,
    )
