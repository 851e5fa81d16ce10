"""Snapshots that the leader offers to the other installation. The newest is offered until it arrives; at last
comes the one that hands the event over."""

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from clubs.models import Club
from live.conditional_pages import read_snapshot
from live.revisions import get_revision, raise_revision
from scoring.models import Match, Terms
from tournaments.history.services.locking import lock_event
from tournaments.mirrors.agreement import Position
from tournaments.mirrors.queries import build_snapshot_parts
from tournaments.mirrors.snapshots import SignedMessage, Snapshot, compute_digest, sign_message
from tournaments.models import Event, KnownSnapshot, Mirror, SentEvent
from tournaments.signing.services import get_signing_key

from .writer import compute_digests

MAX_OFFERS = 500
"""How many unanswered offers are remembered; an older one no longer arrives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A snapshot on its way: its number in the chain, and the bytes that are signed."""

    number: int
    body: bytes

    @property
    def head(self) -> str:
        return compute_digest(self.body)


def sign_for_club(body: bytes, *, club: Club, pairing: UUID) -> SignedMessage:
    """Sign a body with the club's key, for this pairing."""
    return sign_message(body, pairing=pairing, private=get_signing_key(club).private)


def build_next_offer(sent_event: SentEvent, *, is_forced: bool = False) -> Offer | None:
    """Return the next snapshot, recorded before it is sent. Return None if the other installation is up to date
    (unless ``is_forced`` is true), or if another process offers one at the same time. The snapshot of a handover
    is made once, and stays the same."""
    if sent_event.handed_over is None:
        return _build_newest(sent_event, is_forced=is_forced)
    if not sent_event.handed_over:
        _build_handover(sent_event)
    return Offer(number=sent_event.number, body=sent_event.handed_over.encode()) if sent_event.handed_over else None


def _build_newest(sent_event: SentEvent, *, is_forced: bool) -> Offer | None:
    with read_snapshot():
        event = Event.objects.select_related("club", "terms").get(pk=sent_event.event_id)
        revision = get_revision(event.topic)
        if event.is_mirror or (revision == sent_event.revision and not is_forced):
            return None
        latest = _build_snapshot(event, sent_event)
    offer = Offer(number=latest.number, body=latest.body)
    values = {"number": offer.number, "offers": _append_offer(sent_event, offer), "offered_revision": revision}
    with transaction.atomic():
        updated_count = SentEvent.objects.filter(pk=sent_event.pk, number=sent_event.number, handed_over=None).update(
            **values
        )
        if updated_count:
            record_known_snapshot(sent_event.event_id, offer.number, offer.head)
    for name, value in values.items():
        setattr(sent_event, name, value)
    return offer if updated_count else None


@transaction.atomic
def _build_handover(sent_event: SentEvent) -> None:
    """Make the snapshot after which the other leads. No change can begin since the handover; changes that had
    begun are waited for."""
    event = lock_event(sent_event.event_id)
    list(Match.objects.select_for_update().filter(terms=event.terms_id).order_by("pk").values_list("pk"))
    sent_event.refresh_from_db(from_queryset=SentEvent.objects.select_for_update())
    if sent_event.handed_over is not None and not sent_event.handed_over:
        handover = _build_snapshot(event, sent_event, is_handover=True)
        offer = Offer(number=handover.number, body=handover.body)
        sent_event.offers, sent_event.number, sent_event.handed_over = (
            _append_offer(sent_event, offer),
            offer.number,
            offer.body.decode(),
        )
        sent_event.save(update_fields=["offers", "number", "handed_over"])
        record_known_snapshot(event.pk, offer.number, offer.head)
        Terms.objects.filter(pk=event.terms_id).update(mirrored_at=handover.taken_at)
        Mirror.objects.filter(event=event).update(
            number=offer.number, head=offer.head, as_of=handover.taken_at, sums=compute_digests(handover.file)
        )


def invalidate_handovers(club: Club) -> None:
    """Make pending handover snapshots again, without people erased meanwhile. Only those that have not
    arrived. Safe to repeat."""
    SentEvent.objects.filter(event__club=club).exclude(handed_over=None).update(handed_over="")


def _build_snapshot(event: Event, sent_event: SentEvent, *, is_handover: bool = False) -> Snapshot:
    file, extras = build_snapshot_parts(event, is_handover=is_handover)
    return Snapshot(
        chain=sent_event.chain,
        number=sent_event.number + 1,
        predecessors=_get_offers(sent_event),
        taken_at=timezone.now(),
        file=file,
        extras=extras,
        is_handover=is_handover,
        epoch=sent_event.epoch,
    )


def record_known_snapshot(event_id: int, number: int, head: str) -> None:
    """Note that a copy at this snapshot can go on from here."""
    known_snapshot = KnownSnapshot(event_id=event_id, number=number, head=head)
    KnownSnapshot.objects.bulk_create([known_snapshot], ignore_conflicts=True)


def rewind_offers(sent_event: SentEvent, position: Position) -> None:
    """Go back to an older snapshot that is known here, because the other is at it. What is offered next goes
    on from it, too; a handover snapshot is made again."""
    offers = [[position.number, position.head], *sent_event.offers] if position.head else sent_event.offers
    values = {"offers": offers, "revision": 0, "attempts": 0, "due_at": timezone.now(), "trouble": None}
    if sent_event.handed_over:
        values["handed_over"] = ""
    SentEvent.objects.filter(pk=sent_event.pk, number=sent_event.number).update(**values)
    sent_event.refresh_from_db()


def _get_offers(sent_event: SentEvent) -> list[tuple[int, str]]:
    return [(number, head) for number, head in sent_event.offers]


def _append_offer(sent_event: SentEvent, offer: Offer) -> list[tuple[int, str]]:
    """Append the offer; the first one is the last that is known to have arrived."""
    offers = [*_get_offers(sent_event), (offer.number, offer.head)]
    return offers[:1] + offers[1:][-MAX_OFFERS:]


def record_arrival(sent_event: SentEvent, number: int, head: str, *, page: str = "") -> None:
    """Note that the other has this snapshot. The next one goes on from here; if it was the handover, the
    other leads now. Changes made meanwhile are found at the next check."""
    is_newest = number == sent_event.number
    is_accepted = is_newest and bool(sent_event.handed_over)
    now = timezone.now()
    values = {"offers": [offer for offer in _get_offers(sent_event) if offer[0] >= number], "arrived_at": now}
    if is_newest:
        values |= {"revision": sent_event.offered_revision, "behind_since": None}
        values |= {"attempts": 0, "due_at": now, "trouble": None}
        values |= {"handed_over": None} if is_accepted else {}
    if page:
        values["page"] = page
    updated_count = SentEvent.objects.filter(pk=sent_event.pk, number=sent_event.number).update(**values)
    if updated_count and is_accepted:
        raise_revision(sent_event.event.topic)  # its desk says so at once
