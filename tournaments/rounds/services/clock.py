"""Clock of a round: start, pause, added minutes and the call of the last hand."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import TypedDict

from django.db import transaction
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor
from errors import Refusal
from tournaments.history.services.changes import Change
from tournaments.history.services.locking import locked_round
from tournaments.lifecycle import RoundState, after_step
from tournaments.models import Round
from tournaments.rounds.clock import countdown_minutes
from tournaments.rounds.queries.phases import round_length

MOST_MINUTES = 600
MORE = 5
"""Minutes added to a round at a time."""


class ClockValues(TypedDict, total=False):
    """Columns of a round that make up its clock."""

    started_at: datetime | None
    clock_minutes: int | None
    added_minutes: int
    paused_at: datetime | None
    paused_seconds: int
    last_hand_at: datetime | None
    clock_shift: int


UNTOUCHED: ClockValues = {
    "started_at": None,
    "clock_minutes": None,
    "added_minutes": 0,
    "paused_at": None,
    "paused_seconds": 0,
    "last_hand_at": None,
    "clock_shift": 0,
}
"""Values of a round whose clock has not started."""


@transaction.atomic
def begin_round(*, event_id: int, number: int, minutes: int | None = None, by: Actor = NOBODY) -> Round:
    """Start the clock of a round. It counts down ``minutes``, if given and the matches have no time limit of
    their own. Safe to repeat.

    Refuses: no_such_round, step_not_allowed, number_too_small, number_too_large.
    """
    change = Change(event_id, "begin_round", by)
    drawn = locked_round(change.event, number)
    if drawn.state == RoundState.PLAYING:
        return drawn
    if minutes is not None and minutes < 1:
        raise Refusal("number_too_small", field="minutes", value=minutes, least=1)
    if minutes is not None and minutes > MOST_MINUTES:
        raise Refusal("number_too_large", field="minutes", value=minutes, most=MOST_MINUTES)
    has_minutes = round_length(change.event, drawn).minutes is not None
    change.alter(
        drawn,
        state=after_step(drawn.state, "begin"),
        started_at=timezone.now(),
        clock_shift=0,
        clock_minutes=None if has_minutes else minutes,
    )
    change.record(round=number)
    return drawn


def pause_clock(*, event_id: int, number: int, by: Actor = NOBODY) -> Round:
    """Pause the clock of a round. Safe to repeat.

    Refuses: no_such_round, step_not_allowed (nothing is counted down).
    """
    return _act(event_id, number, _pause, kind="pause_clock", by=by)


def resume_clock(*, event_id: int, number: int, by: Actor = NOBODY) -> Round:
    """Resume the clock of a round. The round ends later by the length of the pause. Safe to repeat.

    Refuses: no_such_round, step_not_allowed.
    """
    return _act(event_id, number, _resume, kind="resume_clock", by=by)


@transaction.atomic
def add_minutes(*, event_id: int, number: int, by: Actor = NOBODY) -> Round:
    """Add five minutes to a round. Safe to repeat with the same idempotency key.

    Refuses: no_such_round, step_not_allowed (nothing is counted down), number_too_large.
    """
    change = Change(event_id, "add_minutes", by)
    played = _playing(change, number, counts_down=True)
    if change.is_repeat:
        return played
    added = played.added_minutes + MORE
    if added > MOST_MINUTES:
        raise Refusal("number_too_large", field="minutes", value=added, most=MOST_MINUTES)
    change.alter(played, added_minutes=added)
    change.record(round=number, minutes=MORE)
    return played


def call_last_hand(*, event_id: int, number: int, by: Actor = NOBODY) -> Round:
    """Call the last hand: players finish the hand in play and start no other. Tables can still record hands.
    Safe to repeat.

    Refuses: no_such_round, step_not_allowed.
    """
    return _act(event_id, number, _last_hand, kind="call_last_hand", by=by, counts_down=False)


def take_back_last_hand(*, event_id: int, number: int, by: Actor = NOBODY) -> Round:
    """Withdraw the call of the last hand. Safe to repeat.

    Refuses: no_such_round, step_not_allowed.
    """
    return _act(event_id, number, _more_hands, kind="take_back_last_hand", by=by, counts_down=False)


def follow_clock(*, event_id: int, number: int, ahead: timedelta) -> Round:
    """Shift the times of a round by as much as the computer's clock was set ``ahead`` (back if negative). Its
    length does not change. Refuses: no_such_round, step_not_allowed, led_elsewhere."""
    moved = partial(_move_clock, ahead=ahead)
    return _act(event_id, number, moved, kind="follow_clock", by=NOBODY, counts_down=False)


def _move_clock(played: Round, *, ahead: timedelta) -> ClockValues:
    def move(moment: datetime | None) -> datetime | None:
        return None if moment is None else moment + ahead

    return {
        "started_at": move(played.started_at),
        "paused_at": move(played.paused_at),
        "last_hand_at": move(played.last_hand_at),
    }


def _pause(played: Round) -> ClockValues:
    return {"paused_at": played.paused_at or timezone.now()}


def _resume(played: Round) -> ClockValues:
    if played.paused_at is None:
        return {}
    stood = int((timezone.now() - played.paused_at).total_seconds())
    return {"paused_at": None, "paused_seconds": played.paused_seconds + max(0, stood)}


def _last_hand(played: Round) -> ClockValues:
    return {"last_hand_at": played.last_hand_at or timezone.now()}


def _more_hands(_played: Round) -> ClockValues:
    return {"last_hand_at": None}


@transaction.atomic
def _act(
    event_id: int,
    number: int,
    values: Callable[[Round], ClockValues],
    *,
    kind: str,
    by: Actor,
    counts_down: bool = True,
) -> Round:
    change = Change(event_id, kind, by)
    played = _playing(change, number, counts_down=counts_down)
    if not change.is_repeat:
        change.alter(played, **values(played))
        if change.rows:
            change.record(round=number)
    return played


def _playing(change: Change, number: int, *, counts_down: bool) -> Round:
    """Return the round in progress. Refuses: no_such_round, step_not_allowed."""
    played = locked_round(change.event, number)
    is_counted = countdown_minutes(played, round_length(change.event, played)) is not None
    if played.state != RoundState.PLAYING or (counts_down and not is_counted):
        raise Refusal("step_not_allowed", state=played.state, step="clock")
    return played
