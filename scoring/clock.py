"""The clock of a round, as wall screens, the desk and the phones at the tables show it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Clock of a round.

    ``started_at`` is its beginning; a countdown has its end (``ends_at``) or, while stopped, the time
    ``left``. Once the last hand is called (``last_hand_at``), tables finish the hand in progress and start no
    other. The tables in ``extra_hand_tables`` play an extra hand while they are tied.
    """

    started_at: datetime
    ends_at: datetime | None = None
    left: timedelta | None = None
    last_hand_at: datetime | None = None
    extra_hand_tables: tuple[int, ...] = ()

    @property
    def is_last_hand(self) -> bool:
        return self.last_hand_at is not None

    @property
    def stops_at(self) -> datetime | None:
        """Time from which a recorded hand is a table's last: the call of the last hand, or the end."""
        return min((moment for moment in (self.last_hand_at, self.ends_at) if moment is not None), default=None)

    @property
    def is_countdown(self) -> bool:
        return self.ends_at is not None or self.left is not None

    def is_time_over(self, now: datetime) -> bool:
        """Check whether the last hand is called, or the countdown is over."""
        return self.stops_at is not None and self.stops_at <= now

    def compute_remaining(self, now: datetime) -> timedelta:
        """Return the time to the end, negative after it. Only for a clock that counts down."""
        if self.left is not None:
            return self.left
        assert self.ends_at is not None, "a clock that stands has what is left, the others an end"
        return self.ends_at - now


ClockData = Mapping[str, Any]
"""A clock as JSON: times in ISO 8601, ``left`` in whole seconds. Older versions wrote neither ``last_hand_at``
nor ``needs_winner``."""


def clock_to_json(clock: Clock) -> ClockData:
    """Convert a clock to JSON."""
    return {
        "started_at": clock.started_at.isoformat(),
        "ends_at": None if clock.ends_at is None else clock.ends_at.isoformat(),
        "left": None if clock.left is None else int(clock.left.total_seconds()),
        "is_last_hand": clock.is_last_hand,
        "last_hand_at": None if clock.last_hand_at is None else clock.last_hand_at.isoformat(),
        "needs_winner": list(clock.extra_hand_tables),
    }


def clock_from_json(data: ClockData) -> Clock:
    """Convert JSON back to a clock, to the second."""
    last_hand_at = data.get("last_hand_at")
    return Clock(
        started_at=datetime.fromisoformat(data["started_at"]),
        ends_at=None if data["ends_at"] is None else datetime.fromisoformat(data["ends_at"]),
        left=None if data["left"] is None else timedelta(seconds=data["left"]),
        last_hand_at=None if last_hand_at is None else datetime.fromisoformat(last_hand_at),
        extra_hand_tables=tuple(data.get("needs_winner", ())),
    )
