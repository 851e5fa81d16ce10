"""Snapshots as files, for two installations without a network."""

from django.db import transaction

from clubs.audit.log import Actor
from clubs.models import Club
from clubs.services.changes import ClubChange
from errors import Refusal
from tournaments.mirrors.queries import public_site_of
from tournaments.mirrors.snapshots import SignedMessage
from tournaments.models import Mirror, SentEvent

from .offering import next_offer, signed_by_club
from .receive import take_snapshot


def snapshot_file(*, club: Club, event_id: int) -> SignedMessage:
    """Return the event as it is now, or what hands it over, signed for the other installation. Safe to
    repeat. Refuses: no_public_site, led_elsewhere."""
    sent = SentEvent.objects.filter(event=event_id, event__club=club).select_related("pairing").first()
    if sent is None:
        raise Refusal("no_public_site")
    site = public_site_of(club)
    if sent.pairing is not None:
        named = sent.pairing.public_id
    elif site is not None:
        named = site.pairing
    else:
        raise Refusal("no_public_site")
    offer = next_offer(sent, anyway=True)
    if offer is None:
        raise Refusal("led_elsewhere")
    return signed_by_club(offer.body, club=club, pairing=named)


@transaction.atomic
def take_snapshot_file(*, club: Club, packed: bytes, by: Actor) -> Mirror:
    """Take the snapshot in a file of the other installation. Safe to repeat. Refuses: what ``take_snapshot``
    does, in the words of a file."""
    change = ClubChange(club.pk, "take_snapshot_file", by)
    try:
        mirror = take_snapshot(packed, club=club)
    except Refusal as refusal:
        raise _of_a_file(refusal) from None
    if not change.is_repeat:
        change.record(name=mirror.event.name)
    return mirror


def _of_a_file(refusal: Refusal) -> Refusal:
    """Translate a refusal of the network into the one about a file."""
    unreadable = Refusal("snapshot_file_unreadable", field="file")
    said = {
        "pairing_over": Refusal("snapshot_file_of_others", field="file"),
        "snapshot_older": Refusal("snapshot_file_older", field="file"),
        "snapshot_of_other_chain": Refusal("snapshot_file_of_other_chain", field="file"),
        "snapshot_unreadable": unreadable,
        "event_file_unsound": unreadable,
    }
    return said.get(refusal.code, refusal)
