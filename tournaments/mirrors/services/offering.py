"""Snapshots that the leader offers to the other installation. The newest is offered until it arrives; at last
comes the one that hands the event over."""

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from clubs.models import Club
from live.revisions import revision_of
from live.snapshots import snapshot
from scoring.models import Match, Terms
from tournaments.history.services.locking import locked_event
from tournaments.mirrors.agreement import Position
from tournaments.mirrors.queries import snapshot_parts
from tournaments.mirrors.snapshots import SignedMessage, Snapshot, digest_of_body, signed_message
from tournaments.models import Event, KnownSnapshot, Mirror, SentEvent
from tournaments.signing.services import key_to_sign

from .writing import sums_by_round

MOST_OFFERS = 500
"""How many unanswered offers are remembered; an older one no longer arrives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A snapshot on its way: its number in the chain, and the bytes that are signed."""

    number: int
    body: bytes

    @property
    def head(self) -> str:
        return digest_of_body(self.body)


def signed_by_club(body: bytes, *, club: Club, pairing: UUID) -> SignedMessage:
    """Sign a body with the club's key, for this pairing."""
    return signed_message(body, pairing=pairing, private=key_to_sign(club).private)


def next_offer(sent: SentEvent, *, anyway: bool = False) -> Offer | None:
    """Return the next snapshot, noted before it is sent. None where the other has everything, unless
    ``anyway``, or where another process offers at the same time. The snapshot that hands an event over is
    made once, and stays the same."""
    if sent.handed_over is None:
        return _newest(sent, anyway=anyway)
    if not sent.handed_over:
        _make_last(sent)
    return Offer(number=sent.number, body=sent.handed_over.encode()) if sent.handed_over else None


def _newest(sent: SentEvent, *, anyway: bool) -> Offer | None:
    with snapshot():
        event = Event.objects.select_related("club", "terms").get(pk=sent.event_id)
        revision = revision_of(event.topic)
        if event.is_mirror or (revision == sent.revision and not anyway):
            return None
        said = _snapshot_of(event, sent)
    offer = Offer(number=said.number, body=said.body)
    now = {"number": offer.number, "offers": _with(sent, offer), "offered_revision": revision}
    with transaction.atomic():
        noted = SentEvent.objects.filter(pk=sent.pk, number=sent.number, handed_over=None).update(**now)
        if noted:
            note_known(sent.event_id, offer.number, offer.head)
    for name, value in now.items():
        setattr(sent, name, value)
    return offer if noted else None


@transaction.atomic
def _make_last(sent: SentEvent) -> None:
    """Make the snapshot after which the other leads. No change can begin since the handover; changes that had
    begun are waited for."""
    event = locked_event(sent.event_id)
    list(Match.objects.select_for_update().filter(terms=event.terms_id).order_by("pk").values_list("pk"))
    sent.refresh_from_db(from_queryset=SentEvent.objects.select_for_update())
    if sent.handed_over is not None and not sent.handed_over:
        said = _snapshot_of(event, sent, hands_over=True)
        offer = Offer(number=said.number, body=said.body)
        sent.offers, sent.number, sent.handed_over = _with(sent, offer), offer.number, offer.body.decode()
        sent.save(update_fields=["offers", "number", "handed_over"])
        note_known(event.pk, offer.number, offer.head)
        Terms.objects.filter(pk=event.terms_id).update(mirrored_at=said.at)
        Mirror.objects.filter(event=event).update(
            number=offer.number, head=offer.head, as_of=said.at, sums=sums_by_round(said.file)
        )


def make_last_anew(club: Club) -> None:
    """Make pending handover snapshots again, without people erased meanwhile. Only those that have not
    arrived. Safe to repeat."""
    SentEvent.objects.filter(event__club=club).exclude(handed_over=None).update(handed_over="")


def _snapshot_of(event: Event, sent: SentEvent, *, hands_over: bool = False) -> Snapshot:
    file, beside = snapshot_parts(event)
    return Snapshot(
        chain=sent.chain,
        number=sent.number + 1,
        after=_offers_of(sent),
        at=timezone.now(),
        file=file,
        beside=beside,
        hands_over=hands_over,
        epoch=sent.epoch,
    )


def note_known(event_id: int, number: int, head: str) -> None:
    """Note that a copy at this snapshot can go on from here."""
    known = KnownSnapshot(event_id=event_id, number=number, head=head)
    KnownSnapshot.objects.bulk_create([known], ignore_conflicts=True)


def go_back_to(sent: SentEvent, position: Position) -> None:
    """Go back to an older snapshot that is known here, because the other is at it. What is offered next goes
    on from it, too; a handover snapshot is made again."""
    offers = [[position.number, position.head], *sent.offers] if position.head else sent.offers
    anew = {"offers": offers, "revision": 0, "attempts": 0, "due_at": timezone.now(), "trouble": None}
    if sent.handed_over:
        anew["handed_over"] = ""
    SentEvent.objects.filter(pk=sent.pk, number=sent.number).update(**anew)
    sent.refresh_from_db()


def _offers_of(sent: SentEvent) -> list[tuple[int, str]]:
    return [(number, head) for number, head in sent.offers]


def _with(sent: SentEvent, offer: Offer) -> list[tuple[int, str]]:
    """Append the offer; the first one is the last that is known to have arrived."""
    kept = [*_offers_of(sent), (offer.number, offer.head)]
    return kept[:1] + kept[1:][-MOST_OFFERS:]


def note_arrival(sent: SentEvent, number: int, head: str, *, page: str = "") -> None:
    """Note that the other has this snapshot. The next one goes on from here; if it was the handover, the
    other leads now. Changes made meanwhile are found at the next check."""
    is_newest = number == sent.number
    now = timezone.now()
    noted = {"offers": [each for each in _offers_of(sent) if each[0] >= number], "arrived_at": now}
    if is_newest:
        noted |= {"revision": sent.offered_revision, "behind_since": None}
        noted |= {"attempts": 0, "due_at": now, "trouble": None}
        noted |= {"handed_over": None} if sent.handed_over else {}
    if page:
        noted["page"] = page
    SentEvent.objects.filter(pk=sent.pk, number=sent.number).update(**noted)
