"""What came late from the phones of an evening, and what it changed."""

from dataclasses import dataclass, replace
from datetime import datetime

from rules import MatchState, Side
from scoring import queries
from scoring.fold import fold_match
from scoring.late import late_lot
from scoring.models import Mark, Match, RefusedMark

from .lines import HandLineView, line_view
from .sides import SideView, sides_of


@dataclass(frozen=True, slots=True, kw_only=True)
class LateLine:
    """A hand that came ``at`` a moment, ``minutes`` after it was tapped; the code of its ``refusal``, ""
    where it was recorded."""

    line: HandLineView
    minutes: int
    at: datetime
    refusal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LateAgreement:
    """What ``side`` agreed to, which came ``at`` a moment, ``minutes`` after it was tapped."""

    side: SideView
    game: int
    minutes: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LateScore:
    """A match in two numbers: the points of its last game, of all where it is over, and the games won."""

    points: tuple[int, int]
    games_won: tuple[int, int]
    is_over: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LateTable:
    """A table from which something came late: the score ``before``, without it, ``after`` the last of it had
    come, and ``now``; None where no hand was recorded so."""

    match: Match
    sides: tuple[SideView, SideView]
    lines: tuple[LateLine, ...]
    agreements: tuple[LateAgreement, ...]
    before: LateScore | None
    after: LateScore | None
    now: LateScore | None

    @property
    def was_counted(self) -> bool:
        """Whether the result without it had been in the standings."""
        return self.before is not None and self.before.is_over

    @property
    def changes_score(self) -> bool:
        return self.before != self.after

    @property
    def has_changed_since(self) -> bool:
        return self.after != self.now


def late_tables(topic: str) -> list[LateTable]:
    """The latest round first. Five queries."""
    return [_table(match) for match in queries.matches_with_late_marks(topic)]


def _table(match: Match) -> LateTable:
    sides = sides_of(match, fold_match(match, []))
    lot = late_lot(match)
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
    ruleset = match.terms.ruleset
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
