"""Clock of a round in progress."""

from dataclasses import replace
from datetime import timedelta

from rules import MatchFormat
from scoring.clock import Clock
from tournaments.lifecycle import RoundState
from tournaments.models import Round


def countdown_minutes(played: Round, match_format: MatchFormat) -> int | None:
    """Return the minutes that a round is counted down for; None without a countdown.

    They are the time limit of a match, or else what the director chose, plus added minutes.
    """
    least = match_format.minutes if match_format.minutes is not None else played.clock_minutes
    return None if least is None else least + played.added_minutes


def clock_of(played: Round | None, match_format: MatchFormat) -> Clock | None:
    """Return the clock of a round in progress; None for any other."""
    if played is None or played.state != RoundState.PLAYING or played.started_at is None:
        return None
    minutes, shift = countdown_minutes(played, match_format), timedelta(seconds=played.clock_shift)
    clock = Clock(started_at=played.started_at + shift, last_hand_at=played.last_hand_at)
    if minutes is None:
        return clock
    ends_at = clock.started_at + timedelta(minutes=minutes, seconds=played.paused_seconds)
    if played.paused_at is not None:
        return replace(clock, left=ends_at - played.paused_at)
    return replace(clock, ends_at=ends_at)
