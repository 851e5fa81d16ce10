"""Matches as lists show them: one row per table, with its state and how long it has lasted."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import prefetch_related_objects

from rules import GameTotals, Seat, Side, TimeCall, get_side
from scoring import queries
from scoring.fold import fold_match, format_summary_result, is_decided_by_charlemagne, load_log
from scoring.last_hand import LastHandState, get_last_hand_state
from scoring.models import Match

from .sides import COLOURS

SILENT_AFTER = timedelta(minutes=10)


class TableState(StrEnum):
    """State of a table, the most urgent for the desk first."""

    DISPUTED = "disputed"
    TWO_MARKS = "two_marks"
    POSTPONEMENT_REQUESTED = "postponement_requested"
    SILENT = "silent"
    NOT_STARTED = "not_started"
    PLAYING = "playing"
    LAST_HAND_PLAYED = "last_hand_played"
    TO_CONFIRM = "to_confirm"
    ONE_AGREEMENT = "one_agreement"
    AGREED = "agreed"
    COMPLETE = "complete"
    AWARDED = "awarded"


class TableGroup(StrEnum):
    """Group of a table by what the desk has to do, the most urgent first."""

    NEEDS_ATTENTION = "to_see"
    PLAYING = "playing"
    DONE = "done"


_UNCONFIRMED_STATES = (TableState.TO_CONFIRM, TableState.ONE_AGREEMENT)
_BLOCKING_STATES = (
    TableState.DISPUTED,
    TableState.TWO_MARKS,
    TableState.POSTPONEMENT_REQUESTED,
    TableState.SILENT,
)
_STATE_TONES = {
    TableState.DISPUTED: "bad",
    TableState.TWO_MARKS: "bad",
    TableState.POSTPONEMENT_REQUESTED: "warn",
    TableState.SILENT: "warn",
    TableState.TO_CONFIRM: "warn",
    TableState.ONE_AGREEMENT: "warn",
    TableState.AGREED: "ok",
    TableState.COMPLETE: "ok",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSide:
    """A side of a table in a list: its ``points`` in the running game, or in the whole match once it is over, and
    its ``total`` in the whole match so far."""

    colour: str
    names: tuple[str, ...]
    points: int
    total: int
    games_won: int
    has_won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRow:
    """A table in a list.

    ``minutes`` is how long ago it was last heard of. ``is_damaged`` is true if its stored log was damaged. Of a match
    ``is_decided_by_charlemagne``, the points may not tell the winner.
    """

    match_id: int
    number: int
    state: TableState
    minutes: int
    hand: int
    is_over: bool
    is_damaged: bool
    is_decided_by_charlemagne: bool
    sides: tuple[RowSide, RowSide]

    @property
    def tone(self) -> str:
        """CSS class for the colour of its state; "" for an ordinary state."""
        return _STATE_TONES.get(self.state, "")

    @property
    def has_score(self) -> bool:
        return any(side.points or side.games_won for side in self.sides)

    @property
    def is_awaited(self) -> bool:
        """Whether the round waits for this table."""
        return not self.is_over or self.state in _BLOCKING_STATES

    @property
    def group(self) -> TableGroup:
        if self.state in (*_BLOCKING_STATES, *_UNCONFIRMED_STATES):
            return TableGroup.NEEDS_ATTENTION
        is_done = self.is_over or self.state is TableState.LAST_HAND_PLAYED
        return TableGroup.DONE if is_done else TableGroup.PLAYING


def build_match_rows(match_ids: Iterable[int], *, now: datetime) -> list[MatchRow]:
    """Return the rows, the most urgent for the desk first. Three queries, five once the time is over."""
    matches = list(queries.list_matches(match_ids))
    overtime_matches = [match for match in matches if not match.is_over and _is_time_over(match, now)]
    prefetch_related_objects(overtime_matches, "terms", "marks")
    stopped_ids = {match.pk for match in overtime_matches if _has_stopped(match)}
    return sort_by_urgency(_build_row(match, now, has_stopped=match.pk in stopped_ids) for match in matches)


def _is_time_over(match: Match, now: datetime) -> bool:
    clock = match.card.clock
    return clock is not None and clock.is_time_over(now)


def _has_stopped(match: Match) -> bool:
    log = load_log(match)
    return get_last_hand_state(match, log, fold_match(match, log.places)) is LastHandState.PLAYED


def sort_by_urgency(rows: Iterable[MatchRow]) -> list[MatchRow]:
    """Sort the rows, the most urgent for the desk first."""
    groups, states = list(TableGroup), list(TableState)
    return sorted(rows, key=lambda row: (groups.index(row.group), states.index(row.state), row.number))


def _build_row(match: Match, now: datetime, *, has_stopped: bool) -> MatchRow:
    last_activity = match.last_marked_at or match.opened_at
    is_silent = match.last_marked_at is not None and now - last_activity > SILENT_AFTER
    return MatchRow(
        match_id=match.pk,
        number=match.card.number,
        state=_get_state(match, is_silent=is_silent, has_stopped=has_stopped),
        minutes=int((now - last_activity).total_seconds() // 60),
        hand=match.summary["next"],
        is_over=match.is_over,
        is_damaged=match.is_damaged,
        is_decided_by_charlemagne=is_decided_by_charlemagne(match.summary),
        sides=(_build_side(match, Side.A), _build_side(match, Side.B)),
    )


def _build_side(match: Match, side: Side) -> RowSide:
    summary = match.summary
    points = summary["points"] if match.is_over else summary["running"]
    return RowSide(
        colour=COLOURS[side],
        names=tuple(player.person.name for player in match.seated_players if get_side(Seat(player.seat)) is side),
        points=points[side],
        total=summary["points"][side],
        games_won=summary["games_won"][side],
        has_won=summary["winner"] == side.name,
    )


def _get_state(match: Match, *, is_silent: bool, has_stopped: bool) -> TableState:
    if getattr(match, "is_disputed", False):
        return TableState.DISPUTED
    if match.has_rivals:
        return TableState.TWO_MARKS
    if match.is_over:
        return _get_finished_state(match)
    if has_stopped:
        return TableState.LAST_HAND_PLAYED
    if is_silent:
        return TableState.SILENT
    return TableState.NOT_STARTED if match.last_marked_at is None else TableState.PLAYING


def _get_finished_state(match: Match) -> TableState:
    """Return the state of a finished match, by the agreements to its last game.

    Nobody agrees to a match that the clock ended; a paper sheet is signed already.
    """
    games, last_kind = match.summary["games"], getattr(match, "last_kind", "")
    if not games or any(match.summary["running"]) or last_kind == TimeCall.kind:
        return TableState.COMPLETE
    last_game = games[-1]
    if last_game["by"] == "awarded":
        return TableState.AWARDED
    result_text = format_summary_result(last_game)
    agreed_sides = {
        agreement.side
        for agreement in match.ordered_agreements
        if agreement.game == len(games) and agreement.agreed_to == result_text
    }
    if len(agreed_sides) < len(Side) and last_kind == GameTotals.kind:
        return TableState.COMPLETE
    return (TableState.TO_CONFIRM, TableState.ONE_AGREEMENT, TableState.AGREED)[len(agreed_sides)]
