"""Late entries from the phones of an evening, and their effect."""

from dataclasses import dataclass, replace
from datetime import datetime

from rules import MatchState, Side
from scoring import queries
from scoring.fold import fold_match
from scoring.late_marks import find_late_marks
from scoring.models import Mark, Match, RefusedMark

from .lines import HandLineView, build_line
from .sides import SideView, build_sides


@dataclass(frozen=True, slots=True, kw_only=True)
class LateHand:
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

    ``before`` is its score without them, ``after`` when the last of them had arrived, and ``now`` the current
    one. All three are None if no late hand was recorded.
    """

    match: Match
    sides: tuple[SideView, SideView]
    lines: tuple[LateHand, ...]
    agreements: tuple[LateAgreement, ...]
    before: LateScore | None
    after: LateScore | None
    now: LateScore | None

    @property
    def was_counted(self) -> bool:
        """Whether the match was over without the late entries, so that its result was in the standings."""
        return self.before is not None and self.before.is_over

    @property
    def is_score_changed(self) -> bool:
        return self.before != self.after

    @property
    def is_changed_later(self) -> bool:
        return self.after != self.now


def build_late_tables(topic: str) -> list[LateTable]:
    """Return the tables of an evening with late entries, the latest round first. Five queries."""
    return [_build_table(match) for match in queries.list_late_matches(topic)]


def _build_table(match: Match) -> LateTable:
    sides = build_sides(match, fold_match(match, []))
    late_marks = find_late_marks(match)
    marks: list[Mark | RefusedMark] = [*(late_marks.marks if late_marks else ()), *match.refused_marks.all()]
    return LateTable(
        match=match,
        sides=sides,
        lines=tuple(_build_line(match, mark, sides) for mark in marks),
        agreements=tuple(
            LateAgreement(
                side=sides[agreement.side], game=agreement.game, minutes=agreement.waited // 60, at=agreement.created_at
            )
            for agreement in match.ordered_agreements
            if agreement.waited
        ),
        before=None if late_marks is None else _build_score(late_marks.state_before),
        after=None if late_marks is None else _build_score(late_marks.state_after),
        now=None if late_marks is None else _build_score(late_marks.current_state),
    )


def _build_line(match: Match, mark: Mark | RefusedMark, sides: tuple[SideView, SideView]) -> LateHand:
    ruleset = match.ruleset
    line = build_line(mark.number, mark.record(ruleset), sides, ruleset)
    return LateHand(
        line=replace(line, mark=mark) if isinstance(mark, Mark) else line,
        minutes=mark.waited // 60,
        at=mark.created_at,
        refusal="" if isinstance(mark, Mark) else mark.code,
    )


def _build_score(state: MatchState) -> LateScore:
    points = state.points if state.is_over else state.game.points
    return LateScore(
        points=(points[Side.A], points[Side.B]),
        games_won=(state.games_won[Side.A], state.games_won[Side.B]),
        is_over=state.is_over,
    )
