"""Clock of a round in progress."""

from dataclasses import replace
from datetime import timedelta

from rules import MatchFormat
from scoring.clock import Clock
from tournaments.lifecycle import RoundState
from tournaments.models import Round


def get_countdown_minutes(round_row: Round, match_format: MatchFormat) -> int | None:
    """Return the minutes that a round is counted down for; None without a countdown.

    They are the time limit of a match, or else what the director chose, plus added minutes.
    """
    base_minutes = match_format.minutes if match_format.minutes is not None else round_row.clock_minutes
    return None if base_minutes is None else base_minutes + round_row.added_minutes


def build_clock(round_row: Round | None, match_format: MatchFormat) -> Clock | None:
    """Return the clock of a round in progress; None for any other."""
    if round_row is None or round_row.state != RoundState.PLAYING or round_row.started_at is None:
        return None
    minutes, shift = get_countdown_minutes(round_row, match_format), timedelta(seconds=round_row.clock_shift)
    clock = Clock(started_at=round_row.started_at + shift, last_hand_at=round_row.last_hand_at)
    if minutes is None:
        return clock
    ends_at = clock.started_at + timedelta(minutes=minutes, seconds=round_row.paused_seconds)
    if round_row.paused_at is not None:
        return replace(clock, left=ends_at - round_row.paused_at)
    return replace(clock, ends_at=ends_at)
