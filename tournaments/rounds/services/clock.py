"""Clock of a round: start, pause, added minutes and the call of the last hand."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor
from errors import Refusal
from tournaments.history.services.changes import Change
from tournaments.history.services.locking import lock_round
from tournaments.lifecycle import RoundState, get_next_state
from tournaments.models import Round
from tournaments.rounds.clock import get_countdown_minutes
from tournaments.rounds.queries.phases import get_round_length

MAX_MINUTES = 600
EXTRA_MINUTES = 5
"""Minutes added to a round at a time."""


ClockValues = Mapping[str, Any]
"""Values of columns of a round that make up its clock."""

CLOCK_COLUMNS = (
    *("started_at", "clock_minutes", "added_minutes", "clock_shift"),
    *("paused_at", "paused_seconds", "last_hand_at"),
)
CLOCK_DEFAULTS: ClockValues = {name: getattr(Round(), name) for name in CLOCK_COLUMNS}
"""Values of a round whose clock has not started."""


@transaction.atomic
def begin_round(*, event_id: int, number: int, minutes: int | None = None, by: Actor = NOBODY) -> Round:
    """Start the clock of a round. It counts down ``minutes``, if given and the matches have no time limit of
    their own. Safe to repeat.

    Refuses: no_such_round, step_not_allowed, number_too_small, number_too_large.
    """
    change = Change(event_id, "begin_round", by)
    round_row = lock_round(change.event, number)
    if round_row.state == RoundState.PLAYING:
        return round_row
    if minutes is not None and minutes < 1:
        raise Refusal("number_too_small", field="minutes", value=minutes, least=1)
    if minutes is not None and minutes > MAX_MINUTES:
        raise Refusal("number_too_large", field="minutes", value=minutes, most=MAX_MINUTES)
    has_minutes = get_round_length(change.event, round_row).minutes is not None
    change.update(
        round_row,
        state=get_next_state(round_row.state, "begin"),
        started_at=timezone.now(),
        clock_shift=0,
        clock_minutes=None if has_minutes else minutes,
    )
    change.record(round=number)
    return round_row


def pause_clock(*, event_id: int, number: int, by: Actor = NOBODY) -> Round:
    """Pause the clock of a round. Safe to repeat.

    Refuses: no_such_round, step_not_allowed (nothing is counted down).
    """

    def get_values(round_row: Round) -> ClockValues:
        return {"paused_at": round_row.paused_at or timezone.now()}

    return _act(event_id, number, get_values, kind="pause_clock", by=by)


def resume_clock(*, event_id: int, number: int, by: Actor = NOBODY) -> Round:
    """Resume the clock of a round. The round ends later by the length of the pause. Safe to repeat.

    Refuses: no_such_round, step_not_allowed.
    """
    return _act(event_id, number, _get_resume_values, kind="resume_clock", by=by)


@transaction.atomic
def add_minutes(*, event_id: int, number: int, by: Actor = NOBODY) -> Round:
    """Add five minutes to a round. Safe to repeat with the same idempotency key.

    Refuses: no_such_round, step_not_allowed (nothing is counted down), number_too_large.
    """
    change = Change(event_id, "add_minutes", by)
    round_row = _get_round_in_progress(change, number, needs_countdown=True)
    if change.is_repeat:
        return round_row
    total_minutes = round_row.added_minutes + EXTRA_MINUTES
    if total_minutes > MAX_MINUTES:
        raise Refusal("number_too_large", field="minutes", value=total_minutes, most=MAX_MINUTES)
    change.update(round_row, added_minutes=total_minutes)
    change.record(round=number, minutes=EXTRA_MINUTES)
    return round_row


def call_last_hand(*, event_id: int, number: int, by: Actor = NOBODY) -> Round:
    """Call the last hand: players finish the hand in play and start no other. Tables can still record hands.
    Safe to repeat.

    Refuses: no_such_round, step_not_allowed.
    """

    def get_values(round_row: Round) -> ClockValues:
        return {"last_hand_at": round_row.last_hand_at or timezone.now()}

    return _act(event_id, number, get_values, kind="call_last_hand", by=by, needs_countdown=False)


def take_back_last_hand(*, event_id: int, number: int, by: Actor = NOBODY) -> Round:
    """Withdraw the call of the last hand. Safe to repeat.

    Refuses: no_such_round, step_not_allowed.
    """
    no_call: ClockValues = {"last_hand_at": None}
    return _act(event_id, number, lambda _: no_call, kind="take_back_last_hand", by=by, needs_countdown=False)


def adjust_clock(*, event_id: int, number: int, offset: timedelta) -> Round:
    """Shift the times of a round by the ``offset`` by which the computer's clock was set ahead (back if negative).
    The length does not change. Refuses: no_such_round, step_not_allowed, led_elsewhere."""

    def move_times(round_row: Round) -> ClockValues:
        moments = {name: getattr(round_row, name) for name in ("started_at", "paused_at", "last_hand_at")}
        return {name: moment + offset for name, moment in moments.items() if moment is not None}

    return _act(event_id, number, move_times, kind="follow_clock", by=NOBODY, needs_countdown=False)


def _get_resume_values(round_row: Round) -> ClockValues:
    if round_row.paused_at is None:
        return {}
    pause_length = int((timezone.now() - round_row.paused_at).total_seconds())
    return {"paused_at": None, "paused_seconds": round_row.paused_seconds + max(0, pause_length)}


@transaction.atomic
def _act(
    event_id: int,
    number: int,
    get_values: Callable[[Round], ClockValues],
    *,
    kind: str,
    by: Actor,
    needs_countdown: bool = True,
) -> Round:
    change = Change(event_id, kind, by)
    round_row = _get_round_in_progress(change, number, needs_countdown=needs_countdown)
    if not change.is_repeat:
        change.update(round_row, **get_values(round_row))
        if change.rows:
            change.record(round=number)
    return round_row


def _get_round_in_progress(change: Change, number: int, *, needs_countdown: bool) -> Round:
    """Return the round in progress. Refuses: no_such_round, step_not_allowed."""
    round_row = lock_round(change.event, number)
    is_counted = get_countdown_minutes(round_row, get_round_length(change.event, round_row)) is not None
    if round_row.state != RoundState.PLAYING or (needs_countdown and not is_counted):
        raise Refusal("step_not_allowed", state=round_row.state, step="clock")
    return round_row
