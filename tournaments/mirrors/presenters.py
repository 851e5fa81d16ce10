"""State of an event on the public site, as the desk shows it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from clubs.models import Club
from tournaments.models import Event, Mirror, Pairing, SentEvent

from .agreement import OWNER_DECISIONS
from .queries import list_mirrors, list_sent_events

REPORTED_DELAY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class SentView:
    """State of an event that is sent to the other installation. ``is_handing_over`` is true during a handover;
    ``arrived_at`` is the time of the last delivery, None before the first. ``minutes`` is the delay, 0 if the
    copy is up to date or an update is on its way; ``trouble`` is the cause of the delay, if any."""

    event: Event
    page: str
    is_handing_over: bool
    arrived_at: datetime | None
    minutes: int
    trouble: Any

    @property
    def is_retried(self) -> bool:
        """Whether the trouble may go away by itself."""
        return self.trouble is not None and self.trouble["code"] not in OWNER_DECISIONS

    @property
    def is_up_to_date(self) -> bool:
        return self.arrived_at is not None and not self.minutes and self.trouble is None


def build_sent_view(sent_event: SentEvent, *, now: datetime) -> SentView:
    delay = timedelta() if sent_event.behind_since is None else now - sent_event.behind_since
    return SentView(
        event=sent_event.event,
        page=sent_event.page,
        is_handing_over=sent_event.handed_over is not None,
        arrived_at=sent_event.arrived_at,
        minutes=max(0, delay // REPORTED_DELAY),
        trouble=sent_event.trouble,
    )


def get_dispute(event: Event) -> Any:
    """Return what an owner has to settle between two installations, in the form of a job's refusal; None for
    nothing. One query, none where the event's ``mirror`` or ``sent`` is loaded already."""
    row = getattr(event, "mirror" if event.is_mirror else "sent", None)
    trouble = None if row is None else row.trouble
    return trouble if trouble is not None and (event.is_mirror or trouble["code"] in OWNER_DECISIONS) else None


def build_desk_view(event: Event, *, now: datetime) -> SentView | None:
    """Return the state of an event on the public site, None where it is not sent there. One query, none for a
    mirror."""
    sent_event: SentEvent | None = None if event.is_mirror else getattr(event, "sent", None)
    if sent_event is None or sent_event.pairing_id is not None:
        return None
    sent_event.event = event
    return build_sent_view(sent_event, now=now)


@dataclass(frozen=True, slots=True, kw_only=True)
class MirrorNightView:
    """An event that two installations share. The other one is that of ``pairing``, or the public site if that
    is None. ``sent`` says how far it is there, ``mirror`` that the other leads it."""

    event: Event
    pairing: Pairing | None
    sent: SentView | None
    mirror: Mirror | None

    @property
    def is_handed_over(self) -> bool:
        """Whether it was handed over here and the other has not yet confirmed that it leads."""
        return self.event.is_mirror and self.sent is not None and self.sent.is_handing_over

    @property
    def dispute(self) -> Any:
        """Dispute that an owner has to settle, or None."""
        return get_dispute(self.event)


def list_shared_nights(club: Club, *, now: datetime) -> list[MirrorNightView]:
    """List the events that the club shares with another installation, newest first. Two queries."""
    sent_by_event = {shared_row.event_id: shared_row for shared_row in list_sent_events(club)}
    mirrors = {shared_row.event_id: shared_row for shared_row in list_mirrors(club)}
    nights = []
    for pk in sorted(sent_by_event.keys() | mirrors.keys(), reverse=True):
        row: Mirror | SentEvent = mirrors.get(pk) or sent_by_event[pk]
        nights.append(
            MirrorNightView(
                event=row.event,
                pairing=row.pairing,
                sent=build_sent_view(sent_by_event[pk], now=now) if pk in sent_by_event else None,
                mirror=mirrors.get(pk),
            )
        )
    return nights
