"""Queries about linked installations and the events that they share."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone

from clubs.models import Club, Person
from tournaments.event_files.queries import PeopleHere, event_file_of
from tournaments.models import (
    Event,
    KnownSnapshot,
    Mirror,
    Pairing,
    PublicSite,
    PublishedStandings,
    SentEvent,
)

from .agreement import Position

MOST_ASKED_FOR = 50
"""How many shared events are asked for, newest first; older ones receive nothing more."""
MOST_TO_HAND = 20

Sender = Pairing | PublicSite
"""The installation whose key signs a message."""


def public_site_of(club: Club) -> PublicSite | None:
    """Return the public site that the club is linked to. One query."""
    return PublicSite.objects.filter(club=club).first()


def pairings_of(club: Club) -> list[Pairing]:
    """List the installations whose events the club mirrors, newest first. One query."""
    return list(club.pairings.exclude(paired_at=None).filter(ended_at=None))


def sent_events_of(club: Club) -> list[SentEvent]:
    """List the club's events that are sent to another installation, newest first. One query."""
    sent = SentEvent.objects.filter(event__club=club).select_related("event__terms", "pairing")
    return list(sent.order_by("-event__pk"))


def mirrors_of(club: Club) -> list[Mirror]:
    """List the club's mirrors: events that another installation leads, or led. One query."""
    mirrors = Mirror.objects.filter(event__club=club, event__is_put_away=False)
    return list(mirrors.select_related("event__terms", "pairing").defer("people", "sums"))


def events_to_hand(club: Club) -> list[Event]:
    """List current and future events that no other installation knows, the next one first. One query."""
    events = club.events.filter(is_put_away=False, is_arriving=False, mirror=None, sent=None)
    known = events.filter(held_on__gte=timezone.localdate() - timedelta(days=1)).order_by("held_on", "pk")
    return list(known[:MOST_TO_HAND])


def sender_of(pairing: str) -> Sender | None:
    """Return the installation that is linked under this key. Two queries at most."""
    try:
        key = UUID(pairing)
    except ValueError:
        return None
    paired = Pairing.objects.filter(public_id=key, ended_at=None).exclude(key="")
    return paired.first() or PublicSite.objects.filter(pairing=key).exclude(key="").first()


def mirror_of(event: Event) -> Mirror | None:
    """Return the mirror that belongs to the event. One query."""
    return Mirror.objects.filter(event=event).select_related("pairing").first()


def shared_events(club: Club, pairing: Pairing | None) -> QuerySet[Event]:
    """Select the events shared with the installation of the pairing, or with the public site for None. Newest
    first, with the rows that ``position_of`` reads."""
    shared = Event.objects.filter(club=club).filter(
        Q(sent__isnull=False, sent__pairing=pairing) | Q(mirror__isnull=False, mirror__pairing=pairing)
    )
    events = shared.select_related("club", "terms", "sent", "mirror").order_by("-pk")
    return events.defer("mirror__people", "mirror__sums")


def chain_of(event: Event) -> UUID:
    """Return the chain of an event that another installation has, or had."""
    shared: Mirror | SentEvent = getattr(event, "mirror", None) or event.sent
    return shared.chain


def position_of(event: Event) -> Position:
    """Return this installation's position in a shared event. No query if the event is loaded with its
    ``sent`` and its ``mirror``."""
    sent: SentEvent | None = getattr(event, "sent", None)
    mirror: Mirror | None = getattr(event, "mirror", None)
    number, head = sent.offers[-1] if sent is not None and sent.offers else (0, "")
    if mirror is not None and event.is_mirror:
        number, head = mirror.number, mirror.head
    return Position(
        number=number,
        head=head,
        epoch=max(0 if each is None else each.epoch for each in (sent, mirror)),
        leads=not event.is_mirror,
        hands_over=event.is_mirror and sent is not None and sent.handed_over is not None,
    )


def knows_snapshot(event: Event, position: Position) -> bool:
    """Return whether the snapshot of this position was offered or taken here. One query at most if the event
    is loaded with its ``sent`` and its ``mirror``."""
    if not position.head:
        return False
    sent, mirror = getattr(event, "sent", None), getattr(event, "mirror", None)
    offered = [] if sent is None else [tuple(each) for each in sent.offers]
    taken = [] if mirror is None else [(mirror.number, mirror.head)]
    known = KnownSnapshot.objects.filter(event=event, number=position.number, head=position.head)
    return (position.number, position.head) in {*offered, *taken} or known.exists()


def sent_of(event: Event) -> SentEvent | None:
    """Return the event's sending state. One query, the first time."""
    sent: SentEvent | None = getattr(event, "sent", None)
    return sent


def snapshot_parts(event: Event) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the event's file, and beside it what public pages show and no file has."""
    people = PeopleHere()
    file = event_file_of(event, people=people)
    return file, {
        "final": event.final,
        "is_put_away": event.is_put_away,
        "published": [_standings_to_json(each) for each in event.published_standings.all()],
        "messages": event.messages,
        "clocks": _clocks(event),
        "people": _people(event, people.keys),
    }


def _standings_to_json(kept: PublishedStandings) -> dict[str, Any]:
    return {
        "number": kept.number,
        "corrects": kept.corrects,
        "rounds": kept.rounds,
        "rows": kept.rows,
        "counted": kept.counted,
        "charts": kept.charts,
        "published_at": kept.published_at.isoformat(),
    }


def _clocks(event: Event) -> Mapping[str, Any]:
    """Serialize the clock of each round."""
    return {
        str(drawn.number): {
            "minutes": drawn.clock_minutes,
            "added": drawn.added_minutes,
            "paused_at": drawn.paused_at and drawn.paused_at.isoformat(),
            "paused_seconds": drawn.paused_seconds,
            "last_hand_at": drawn.last_hand_at and drawn.last_hand_at.isoformat(),
            "shift": drawn.clock_shift,
        }
        for drawn in event.rounds.only(
            *("number", "clock_minutes", "added_minutes", "paused_at", "paused_seconds", "last_hand_at"),
            "clock_shift",
        )
    }


def _people(event: Event, keys: Sequence[int]) -> list[dict[str, Any]]:
    """Serialize these people, in this order: their keys here and at the other installation, where known, and
    their privacy choices."""
    found, mirror = Person.objects.in_bulk(keys), mirror_of(event)
    told = {} if mirror is None else {each["person"]: int(name) for name, each in mirror.people.items()}
    return [
        {
            "id": key,
            "yours": told.get(key),
            "is_guest": found[key].is_guest,
            "shows_full_name": found[key].shows_full_name,
            "is_hidden": found[key].is_hidden,
        }
        for key in keys
    ]


def requests_topic(club: Club) -> str:
    """Return the topic of the club's requests to the other installation, on its page."""
    return f"mirrors:{club.pk}"
