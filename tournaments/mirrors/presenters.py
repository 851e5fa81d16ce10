"""State of an event on the public site, as the desk shows it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from clubs.models import Club
from tournaments.models import Event, Mirror, Pairing, SentEvent

from .agreement import FOR_OWNERS
from .queries import mirrors_of, sent_events_of, sent_of

SOON = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class SentView:
    """State of an event that is sent to the other installation. ``is_going_over`` while it is handed over;
    ``arrived_at`` is when the other last received something, None before. ``minutes`` is the delay, 0 where
    the copy is up to date or the news is on its way; ``trouble`` is the cause, None without one."""

    event: Event
    page: str
    is_going_over: bool
    arrived_at: datetime | None
    minutes: int
    trouble: Any

    @property
    def is_tried_again(self) -> bool:
        """Whether the trouble may go away by itself."""
        return self.trouble is not None and self.trouble["code"] not in FOR_OWNERS

    @property
    def is_up_to_date(self) -> bool:
        return self.arrived_at is not None and not self.minutes and self.trouble is None


def sent_view(sent: SentEvent, *, now: datetime) -> SentView:
    behind = timedelta() if sent.behind_since is None else now - sent.behind_since
    return SentView(
        event=sent.event,
        page=sent.page,
        is_going_over=sent.handed_over is not None,
        arrived_at=sent.arrived_at,
        minutes=max(0, behind // SOON),
        trouble=sent.trouble,
    )


def dispute_at_desk(event: Event) -> Any:
    """Return what an owner has to settle between two installations, in the form of a job's refusal; None for
    nothing. One query, none where the event's ``mirror`` or ``sent`` is loaded already."""
    row = getattr(event, "mirror" if event.is_mirror else "sent", None)
    return (
        None if row is None or row.trouble is None or row.trouble["code"] not in FOR_OWNERS else row.trouble
    )


def sent_at_desk(event: Event, *, now: datetime) -> SentView | None:
    """Return the state of an event on the public site, None where it is not sent there. One query, none for a
    mirror."""
    sent = None if event.is_mirror else sent_of(event)
    if sent is None or sent.pairing_id is not None:
        return None
    sent.event = event
    return sent_view(sent, now=now)


@dataclass(frozen=True, slots=True, kw_only=True)
class MirrorNightView:
    """An event that two installations share. The other one is that of ``pairing``, or the public site if that
    is None. ``sent`` says how far it is there, ``mirror`` that the other leads it."""

    event: Event
    pairing: Pairing | None
    sent: SentView | None
    mirror: Mirror | None

    @property
    def is_given_up(self) -> bool:
        """Whether it was handed over here and the other has not yet confirmed that it leads."""
        return self.event.is_mirror and self.sent is not None and self.sent.is_going_over

    @property
    def dispute(self) -> Any:
        """Dispute that an owner has to settle, or None."""
        return dispute_at_desk(self.event)


def shared_nights_of(club: Club, *, now: datetime) -> list[MirrorNightView]:
    """List the events that the club shares with another installation, newest first. Two queries."""
    sent = {each.event_id: each for each in sent_events_of(club)}
    mirrors = {each.event_id: each for each in mirrors_of(club)}
    nights = []
    for pk in sorted(sent.keys() | mirrors.keys(), reverse=True):
        row: Mirror | SentEvent = mirrors.get(pk) or sent[pk]
        nights.append(
            MirrorNightView(
                event=row.event,
                pairing=row.pairing,
                sent=sent_view(sent[pk], now=now) if pk in sent else None,
                mirror=mirrors.get(pk),
            )
        )
    return nights
