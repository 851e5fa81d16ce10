"""How far an event is on the public site, as the desk says it."""

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
    """``is_going_over`` where it is being handed over. ``arrived_at`` is when the other last got something,
    None before. ``minutes`` is how far it is behind: 0 where it is not, or where what is new is on its way;
    ``trouble`` why, None where it goes on."""

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
    """What an owner has to settle between two installations, as a job keeps a refusal; None where there is
    nothing. One query, none where the event's ``mirror`` or ``sent`` is read already."""
    row = getattr(event, "mirror" if event.is_mirror else "sent", None)
    return (
        None if row is None or row.trouble is None or row.trouble["code"] not in FOR_OWNERS else row.trouble
    )


def sent_at_desk(event: Event, *, now: datetime) -> SentView | None:
    """None where it is not sent to a public site. One query, none of a mirror."""
    sent = None if event.is_mirror else sent_of(event)
    if sent is None or sent.pairing_id is not None:
        return None
    sent.event = event
    return sent_view(sent, now=now)


@dataclass(frozen=True, slots=True, kw_only=True)
class MirrorNightView:
    """An event of two installations: how far it is at the other one, and whether that one leads it. The other
    is that of ``pairing``, or the public site, where there is none."""

    event: Event
    pairing: Pairing | None
    sent: SentView | None
    mirror: Mirror | None

    @property
    def is_given_up(self) -> bool:
        """Whether it was given up here, and the other is not known to have taken it."""
        return self.event.is_mirror and self.sent is not None and self.sent.is_going_over

    @property
    def dispute(self) -> Any:
        """What an owner has to settle; None where there is nothing."""
        return dispute_at_desk(self.event)


def shared_nights_of(club: Club, *, now: datetime) -> list[MirrorNightView]:
    """The last one first. Two queries."""
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
