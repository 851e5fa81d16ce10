"""Changes of this computer's clock while rounds are played: the clocks of the rounds are moved along."""

import sys
import time
from contextlib import suppress
from datetime import timedelta

from django.db import DatabaseError, connection, transaction

from errors import Refusal
from tournaments.lifecycle import RoundState
from tournaments.models import Round
from tournaments.rounds.services.clock import adjust_clock

MIN_CHANGE = timedelta(seconds=30)
"""Smallest change that matters: clocks are constantly adjusted by less."""


def measure_clock_offset() -> timedelta:
    """Return the difference between the wall clock and a monotonic one: constant, until the clock is
    changed."""
    return timedelta(seconds=time.time() - _get_boot_seconds())


def _get_boot_seconds() -> float:
    """Return seconds of a clock that goes on while a laptop sleeps, as Python's own does on Windows only."""
    if sys.platform == "win32":
        return time.monotonic()
    return time.clock_gettime(time.CLOCK_BOOTTIME if sys.platform == "linux" else time.CLOCK_MONOTONIC)


def follow_computer_clock(ahead: timedelta) -> timedelta:
    """Move all rounds under way if the clock was changed, and return by how much.

    Zero if it was not, or the database cannot be written. On PostgreSQL rounds stay: this is one of several
    computers that may write there.
    """
    if abs(ahead) < MIN_CHANGE:
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
    """Move all rounds or none, so that none is moved again by the next try."""
    rounds_played = Round.objects.filter(state=RoundState.PLAYING, event__is_put_away=False)
    for event_id, number in rounds_played.values_list("event_id", "number"):
        with suppress(Refusal):  # another installation runs the event
            adjust_clock(event_id=event_id, number=number, offset=ahead)
