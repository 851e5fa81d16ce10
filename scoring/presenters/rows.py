"""Matches as lists show them: one row per table, with its state and how long it has lasted."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import prefetch_related_objects

from rules import Seat, Side, side_of
from scoring import queries
from scoring.fold import MatchSummary, agreed_text_of, fold_match, log_of
from scoring.last_hand import LastHand, last_hand_of
from scoring.models import Match

from . import COLOURS

SILENT_AFTER = timedelta(minutes=10)


class TableState(StrEnum):
    """State of a table, the most urgent for the desk first."""

    DISPUTED = "disputed"
    TWO_MARKS = "two_marks"
    SILENT = "silent"
    NOT_STARTED = "not_started"
    PLAYING = "playing"
    LAST_HAND_PLAYED = "last_hand_played"
    FINISHED = "finished"
    ONE_AGREEMENT = "one_agreement"
    AGREED = "agreed"
    AWARDED = "awarded"


class TableGroup(StrEnum):
    """Group of a table by what the desk has to do, the most urgent first."""

    TO_SEE = "to_see"
    PLAYING = "playing"
    DONE = "done"


_HOLDS_UP = (TableState.DISPUTED, TableState.TWO_MARKS, TableState.SILENT)
_UNAGREED = (TableState.FINISHED, TableState.ONE_AGREEMENT)
_TONES = {
    TableState.DISPUTED: "bad",
    TableState.TWO_MARKS: "bad",
    TableState.SILENT: "warn",
    TableState.FINISHED: "warn",
    TableState.ONE_AGREEMENT: "warn",
    TableState.AGREED: "ok",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSide:
    colour: str
    names: tuple[str, ...]
    points: int
    games_won: int
    has_won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRow:
    """A table in a list.

    ``minutes`` is how long ago it was last heard of; ``may_agree`` if its last game was marked hand by hand:
    the totals of a paper sheet were signed by the sides. ``is_damaged`` if a disk has changed its log.
    """

    match_id: int
    number: int
    state: TableState
    minutes: int
    hand: int
    is_over: bool
    may_agree: bool
    is_damaged: bool
    sides: tuple[RowSide, RowSide]

    @property
    def tone(self) -> str:
        """CSS class for the colour of its state; "" for an ordinary state."""
        return _TONES.get(self.state, "")

    @property
    def has_score(self) -> bool:
        return any(side.points or side.games_won for side in self.sides)

    @property
    def is_missing(self) -> bool:
        """Whether the round waits for this table."""
        return not self.is_over or self.state in _HOLDS_UP

    @property
    def group(self) -> TableGroup:
        if self.state in _HOLDS_UP or (self.state in _UNAGREED and self.may_agree):
            return TableGroup.TO_SEE
        is_done = self.is_over or self.state is TableState.LAST_HAND_PLAYED
        return TableGroup.DONE if is_done else TableGroup.PLAYING


def match_rows(match_ids: Iterable[int], *, now: datetime) -> list[MatchRow]:
    """Return the rows, the most urgent for the desk first. Three queries, five once the time is over."""
    matches = list(queries.matches_for_lists(match_ids))
    stopping = [match for match in matches if not match.is_over and _is_time_over(match, now)]
    prefetch_related_objects(stopping, "terms", "marks")
    stopped = {match.pk for match in stopping if _has_stopped(match)}
    return most_urgent_first(_row(match, now, has_stopped=match.pk in stopped) for match in matches)


def _is_time_over(match: Match, now: datetime) -> bool:
    clock = match.card.clock
    return clock is not None and clock.is_time_over(now)


def _has_stopped(match: Match) -> bool:
    log = log_of(match)
    return last_hand_of(match, log, fold_match(match, log.places)) is LastHand.PLAYED


def most_urgent_first(rows: Iterable[MatchRow]) -> list[MatchRow]:
    """Sort the rows, the most urgent for the desk first."""
    groups, states = list(TableGroup), list(TableState)
    return sorted(rows, key=lambda row: (groups.index(row.group), states.index(row.state), row.number))


def _row(match: Match, now: datetime, *, has_stopped: bool) -> MatchRow:
    heard = match.last_marked_at or match.opened_at
    is_silent = match.last_marked_at is not None and now - heard > SILENT_AFTER
    return MatchRow(
        match_id=match.pk,
        number=match.card.number,
        state=_state(match, is_silent=is_silent, has_stopped=has_stopped),
        minutes=int((now - heard).total_seconds() // 60),
        hand=match.summary["next"],
        is_over=match.is_over,
        may_agree=_has_whole_games(match.summary) and match.summary["next"] - 1 > len(match.summary["games"]),
        is_damaged=match.is_damaged,
        sides=(_side(match, Side.A), _side(match, Side.B)),
    )


def _side(match: Match, side: Side) -> RowSide:
    summary = match.summary
    points = summary["points"] if match.is_over else summary["running"]
    return RowSide(
        colour=COLOURS[side],
        names=tuple(
            player.person.name for player in match.seated_players if side_of(Seat(player.seat)) is side
        ),
        points=points[side],
        games_won=summary["games_won"][side],
        has_won=summary["winner"] == side.name,
    )


def _state(match: Match, *, is_silent: bool, has_stopped: bool) -> TableState:
    if getattr(match, "is_disputed", False):
        return TableState.DISPUTED
    if match.has_rivals:
        return TableState.TWO_MARKS
    if match.is_over:
        return _finished_state(match)
    if has_stopped:
        return TableState.LAST_HAND_PLAYED
    if is_silent:
        return TableState.SILENT
    return TableState.NOT_STARTED if match.last_marked_at is None else TableState.PLAYING


def _finished_state(match: Match) -> TableState:
    """Return the state of a finished match, by the agreements to its last game."""
    games = match.summary["games"]
    if not _has_whole_games(match.summary):
        return TableState.FINISHED
    last = games[-1]
    if last["by"] == "awarded":
        return TableState.AWARDED
    agreed_to = agreed_text_of(last)
    agreed = {
        agreement.side
        for agreement in match.agreed
        if agreement.game == len(games) and agreement.agreed_to == agreed_to
    }
    return (TableState.FINISHED, TableState.ONE_AGREEMENT, TableState.AGREED)[len(agreed)]


def _has_whole_games(summary: MatchSummary) -> bool:
    """Check that no game was cut short by the clock: nobody agrees to such a game."""
    return bool(summary["games"]) and not any(summary["running"])
