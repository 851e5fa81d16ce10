"""The scorekeeper among the phones of a table: the first one that marks, until another asks.

This only decides whose screen offers the bids. What any phone of the table sends is recorded by the rules of
the log: a hand tapped without a network is never refused because another phone is scorekeeper.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import ceil

ANSWER_TIMEOUT = timedelta(seconds=30)
"""Time that the scorekeeper has to answer a request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorekeeper:
    """Scorekeeper of a table, by device, "" for none.

    The ``holder`` has the role; the ``asker`` waits for an answer since ``requested_at``.
    """

    holder: str = ""
    asker: str = ""
    requested_at: datetime | None = None

    def apply_timeout(self, now: datetime) -> "Scorekeeper":
        """Return the state at that moment: an unanswered request is granted after a while.

        So is one made in the future, before the clock was set back.
        """
        if self.requested_at is None or abs(now - self.requested_at) < ANSWER_TIMEOUT:
            return self
        return Scorekeeper(holder=self.asker)

    def record_mark(self, device: str) -> "Scorekeeper":
        """Return the state after a mark: the first phone to mark becomes scorekeeper."""
        return self if self.holder else Scorekeeper(holder=device)

    def add_request(self, device: str, now: datetime) -> "Scorekeeper":
        """Return the state after a device has asked; the first to ask is answered first."""
        if self.holder in ("", device):
            return Scorekeeper(holder=device)
        return self if self.asker else replace(self, asker=device, requested_at=now)

    def answer_request(self, device: str, *, gives: bool) -> "Scorekeeper":
        """Return the state after the holder's answer; answers of other devices change nothing."""
        if device != self.holder or not self.asker:
            return self
        return Scorekeeper(holder=self.asker if gives else self.holder)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorekeeperView:
    """The scorekeeper as one device sees it. Without an answer the role passes to the asker at ``passes_at``,
    in Unix seconds."""

    is_elsewhere: bool
    is_asked_for: bool
    is_asked_for_here: bool
    passes_at: int | None


def build_scorekeeper_view(scorekeeper: Scorekeeper, device: str) -> ScorekeeperView:
    """Return what the page of a device shows about the scorekeeper."""
    return ScorekeeperView(
        is_elsewhere=scorekeeper.holder not in ("", device),
        is_asked_for=scorekeeper.asker != "",
        is_asked_for_here=scorekeeper.asker == device != "",
        passes_at=None
        if scorekeeper.requested_at is None
        else ceil((scorekeeper.requested_at + ANSWER_TIMEOUT).timestamp()),
    )
