"""The clock of this computer is set while rounds are played: theirs go on as they were."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from datetime import timedelta

from django.db import DatabaseError, connection, transaction

from rules import Refusal
from tournaments.lifecycle import RoundState
from tournaments.models import Round
from tournaments.rounds.services.clock import follow_clock

SET = timedelta(seconds=30)
"""Less than that is how clocks are kept right all the time."""


def clocks_apart() -> timedelta:
    """How far the clock on the wall is from one that only counts: always as far, until it is set."""
    return timedelta(seconds=time.time() - _seconds_awake())


def _seconds_awake() -> float:
    """Seconds, by a clock that goes on while a laptop sleeps: Python's own does so on Windows only."""
    if sys.platform == "win32":
        return time.monotonic()
    return time.clock_gettime(time.CLOCK_BOOTTIME if sys.platform == "linux" else time.CLOCK_MONOTONIC)


def follow_computer_clock(ahead: timedelta) -> timedelta:
    """By how much it was set, if it was, once all rounds under way have followed; nothing while the database
    cannot be written. On PostgreSQL rounds stay: several computers may write there, of which this is one."""
    if abs(ahead) < SET:
        return timedelta()
    if connection.vendor == "sqlite":
        try:
            _move_rounds(ahead)
        except DatabaseError:
            return timedelta()
        finally:
            connection.close()
    return ahead


@transaction.atomic
def _move_rounds(ahead: timedelta) -> None:
    """All or none, so that none is moved again by the next try."""
    playing = Round.objects.filter(state=RoundState.PLAYING, event__is_put_away=False)
    for event_id, number in playing.values_list("event_id", "number"):
        with suppress(Refusal):  # another installation leads it
            follow_clock(event_id=event_id, number=number, ahead=ahead)
