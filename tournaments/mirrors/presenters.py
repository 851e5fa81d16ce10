"""How far an event is on the public site, as the desk says it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from tournaments.models import Event, SentEvent

from .queries import sent_of

SOON = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class SentView:
    """``arrived_at`` is when the public site last got something, None before. ``minutes`` is how far it is
    behind: 0 where it is not, or where what is new is on its way; ``trouble`` why, None where it goes on."""

    event: Event
    page: str
    arrived_at: datetime | None
    minutes: int
    trouble: Any

    @property
    def is_up_to_date(self) -> bool:
        return self.arrived_at is not None and not self.minutes and self.trouble is None


def sent_view(sent: SentEvent, *, now: datetime) -> SentView:
    behind = timedelta() if sent.behind_since is None else now - sent.behind_since
    return SentView(
        event=sent.event,
        page=sent.page,
        arrived_at=sent.arrived_at,
        minutes=max(0, behind // SOON),
        trouble=sent.trouble,
    )


def sent_at_desk(event: Event, *, now: datetime) -> SentView | None:
    """None where it is not sent. One query, none of a mirror."""
    sent = None if event.is_mirror else sent_of(event)
    if sent is None:
        return None
    sent.event = event
    return sent_view(sent, now=now)
