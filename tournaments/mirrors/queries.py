"""Queries about linked installations and the events that they share."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone

from clubs.models import Club, Person
from tournaments.event_files.queries import FilePeople, build_event_file
from tournaments.event_files.queries.desk import DeskNumbers, live_parts_to_json
from tournaments.event_files.schema import PERSON_SHAPES
from tournaments.models import Event, KnownSnapshot, Mirror, Pairing, PublicSite, SentEvent

from .agreement import Position

MAX_SHARED_EVENTS = 50
"""How many shared events are asked for, newest first; older ones receive nothing more."""
MAX_HANDOVER_CHOICES = 20

Sender = Pairing | PublicSite
"""The installation whose key signs a message."""


def find_public_site(club: Club) -> PublicSite | None:
    """Return the public site that the club is linked to. One query."""
    return PublicSite.objects.filter(club=club).first()


def list_pairings(club: Club) -> list[Pairing]:
    """List the installations whose events the club mirrors, newest first. One query."""
    return list(club.pairings.exclude(paired_at=None).filter(ended_at=None))


def list_sent_events(club: Club) -> list[SentEvent]:
    """List the club's events that are sent to another installation, newest first. One query."""
    sent_events = SentEvent.objects.filter(event__club=club).select_related("event__terms", "pairing")
    return list(sent_events.order_by("-event__pk"))


def list_mirrors(club: Club) -> list[Mirror]:
    """List the club's mirrors: events that another installation leads, or led. One query."""
    mirrors = Mirror.objects.filter(event__club=club, event__is_put_away=False)
    return list(mirrors.select_related("event__terms", "pairing").defer("people", "sums"))


def list_handover_candidates(club: Club) -> list[Event]:
    """List current and future events that no other installation knows, the next one first. One query."""
    events = club.events.filter(is_put_away=False, is_arriving=False, mirror=None, sent=None)
    upcoming = events.filter(held_on__gte=timezone.localdate() - timedelta(days=1)).order_by("held_on", "pk")
    return list(upcoming[:MAX_HANDOVER_CHOICES])


def find_sender(pairing: str) -> Sender | None:
    """Return the installation that is linked under this key. Two queries at most."""
    try:
        key = UUID(pairing)
    except ValueError:
        return None
    pairings = Pairing.objects.filter(public_id=key, ended_at=None).exclude(key="")
    return pairings.first() or PublicSite.objects.filter(pairing=key).exclude(key="").first()


def find_mirror(event: Event) -> Mirror | None:
    """Return the mirror that belongs to the event. One query."""
    return Mirror.objects.filter(event=event).select_related("pairing").first()


def select_shared_events(club: Club, pairing: Pairing | None) -> QuerySet[Event]:
    """Select the events shared with the installation of the pairing, or with the public site for None. Newest
    first, with the rows that ``get_position`` reads."""
    events_shared = Event.objects.filter(club=club).filter(
        Q(sent__isnull=False, sent__pairing=pairing) | Q(mirror__isnull=False, mirror__pairing=pairing)
    )
    events = events_shared.select_related("club", "terms", "sent", "mirror").order_by("-pk")
    return events.defer("mirror__people", "mirror__sums")


def get_chain(event: Event) -> UUID:
    """Return the chain of an event that another installation has, or had."""
    row: Mirror | SentEvent = getattr(event, "mirror", None) or event.sent
    return row.chain


def get_position(event: Event) -> Position:
    """Return this installation's position in a shared event. No query if the event was loaded with
    ``sent`` and ``mirror``."""
    sent_event: SentEvent | None = getattr(event, "sent", None)
    mirror: Mirror | None = getattr(event, "mirror", None)
    number, head = sent_event.offers[-1] if sent_event is not None and sent_event.offers else (0, "")
    if mirror is not None and event.is_mirror:
        number, head = mirror.number, mirror.head
    return Position(
        number=number,
        head=head,
        epoch=max(0 if side is None else side.epoch for side in (sent_event, mirror)),
        is_leader=not event.is_mirror,
        is_handing_over=event.is_mirror and sent_event is not None and sent_event.handed_over is not None,
    )


def has_known_snapshot(event: Event, position: Position) -> bool:
    """Return whether the snapshot of this position was offered or received here. At most one query if the event
    was loaded with ``sent`` and ``mirror``."""
    if not position.head:
        return False
    sent_event, mirror = getattr(event, "sent", None), getattr(event, "mirror", None)
    offered = [] if sent_event is None else [tuple(offer) for offer in sent_event.offers]
    received = [] if mirror is None else [(mirror.number, mirror.head)]
    snapshots = KnownSnapshot.objects.filter(event=event, number=position.number, head=position.head)
    return (position.number, position.head) in {*offered, *received} or snapshots.exists()


def build_snapshot_parts(event: Event, *, is_handover: bool = False) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the event's file, and beside it what public pages show and no file has. The file of a handover
    has the desk."""
    people = FilePeople()
    file = build_event_file(event, people=people, with_desk=is_handover)
    return file, {
        **live_parts_to_json(event, DeskNumbers(event, people)),
        "is_put_away": event.is_put_away,
        "people": _serialize_people(event, people.keys),
    }


def _serialize_people(event: Event, keys: Sequence[int]) -> list[dict[str, Any]]:
    """Serialize these people, in this order: their keys here and at the other installation, where known, and
    their privacy choices."""
    people, mirror = Person.objects.in_bulk(keys), find_mirror(event)
    remote_ids = (
        {} if mirror is None else {person_record["person"]: int(name) for name, person_record in mirror.people.items()}
    )
    return [
        {
            "id": key,
            "yours": remote_ids.get(key),
            **{name: getattr(people[key], name) for name in PERSON_SHAPES},
        }
        for key in keys
    ]


def get_requests_topic(club: Club) -> str:
    """Return the topic of the club's requests to the other installation, on its page."""
    return f"mirrors:{club.pk}"
