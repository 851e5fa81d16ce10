"""The clock of a round, as wall screens, the desk and the phones at the tables show it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypedDict


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Clock of a round.

    ``started_at`` is its beginning; a countdown has its end (``ends_at``) or, while stopped, the time
    ``left``. With ``is_last_hand``, tables finish the hand in progress and start no other.
    """

    started_at: datetime
    ends_at: datetime | None = None
    left: timedelta | None = None
    is_last_hand: bool = False

    @property
    def counts_down(self) -> bool:
        return self.ends_at is not None or self.left is not None

    def left_at(self, now: datetime) -> timedelta:
        """Return the time to the end, negative after it. Only for a clock that counts down."""
        if self.left is not None:
            return self.left
        assert self.ends_at is not None, "a clock that stands has what is left, the others an end"
        return self.ends_at - now


class PlainClock(TypedDict):
    started_at: str
    ends_at: str | None
    left: int | None
    is_last_hand: bool


def clock_to_json(clock: Clock) -> PlainClock:
    """Convert a clock to JSON: moments in ISO 8601, ``left`` in whole seconds."""
    return {
        "started_at": clock.started_at.isoformat(),
        "ends_at": None if clock.ends_at is None else clock.ends_at.isoformat(),
        "left": None if clock.left is None else int(clock.left.total_seconds()),
        "is_last_hand": clock.is_last_hand,
    }


def clock_from_json(plain: PlainClock) -> Clock:
    """Convert JSON back to a clock, to the second."""
    return Clock(
        started_at=datetime.fromisoformat(plain["started_at"]),
        ends_at=None if plain["ends_at"] is None else datetime.fromisoformat(plain["ends_at"]),
        left=None if plain["left"] is None else timedelta(seconds=plain["left"]),
        is_last_hand=plain["is_last_hand"],
    )
