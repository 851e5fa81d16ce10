"""Snapshots as files, for two installations without a network."""

from django.db import transaction

from clubs.audit.log import Actor
from clubs.models import Club
from clubs.services.changes import ClubChange
from errors import Refusal, get_or_refuse
from tournaments.mirrors.queries import find_public_site
from tournaments.mirrors.snapshots import SignedMessage
from tournaments.models import Mirror, SentEvent

from .offers import build_next_offer, sign_for_club
from .receiver import apply_snapshot, open_message


def build_snapshot_file(*, club: Club, event_id: int) -> SignedMessage:
    """Return the event as it is now, or what hands it over, signed for the other installation. Safe to
    repeat. Refuses: no_public_site, led_elsewhere."""
    sent_event = get_or_refuse(
        SentEvent.objects.filter(event=event_id, event__club=club).select_related("pairing").first(), "no_public_site"
    )
    site = find_public_site(club)
    if sent_event.pairing is not None:
        pairing_id = sent_event.pairing.public_id
    elif site is not None:
        pairing_id = site.pairing
    else:
        raise Refusal("no_public_site")
    offer = get_or_refuse(build_next_offer(sent_event, is_forced=True), "led_elsewhere")
    return sign_for_club(offer.body, club=club, pairing=pairing_id)


@transaction.atomic
def import_snapshot_file(*, club: Club, compressed: bytes, by: Actor) -> Mirror:
    """Import the snapshot in a file of the other installation. Safe to repeat. Refuses: what ``apply_snapshot``
    refuses, worded for a file."""
    change = ClubChange(club.pk, "take_snapshot_file", by)
    try:
        open_message(compressed)
    except Refusal as refusal:
        raise _translate_refusal(refusal, is_opened=False) from None
    try:
        mirror = apply_snapshot(compressed, club=club)
    except Refusal as refusal:
        raise _translate_refusal(refusal, is_opened=True) from None
    if not change.is_repeat:
        change.record(name=mirror.event.name)
    return mirror


def _translate_refusal(refusal: Refusal, *, is_opened: bool) -> Refusal:
    """Translate a refusal of the network into the one about a file. One that was opened, but cannot be read, is of
    another version."""
    unreadable = Refusal("snapshot_unreadable" if is_opened else "snapshot_file_unreadable", field="file")
    refusals = {
        "pairing_over": Refusal("snapshot_file_of_others", field="file"),
        "snapshot_older": Refusal("snapshot_file_older", field="file"),
        "snapshot_of_other_chain": Refusal("snapshot_file_of_other_chain", field="file"),
        "snapshot_unreadable": unreadable,
    }
    return refusals.get(refusal.code, refusal)
