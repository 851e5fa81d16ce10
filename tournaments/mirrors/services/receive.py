"""Snapshots taken from the installation that leads an event: each as a whole in one transaction, or not at
all."""

import logging
from dataclasses import astuple
from datetime import timedelta
from typing import Any

from django.db import DataError, IntegrityError, transaction
from django.db.models import Q

from clubs.models import Club
from clubs.services.validators import lock_club
from errors import Refusal
from live.news import public_change
from live.revisions import Reach, raise_revision
from scoring.models import Terms
from scoring.services import lead_cards
from tournaments.alerts.services import request_alerts
from tournaments.event_files import BROKEN
from tournaments.imports.services.parts import check_same, new_event
from tournaments.mirrors.agreement import OtherSide, Position
from tournaments.mirrors.queries import Sender, position_of, sender_of, shared_events
from tournaments.mirrors.snapshots import (
    SignedMessage,
    Snapshot,
    named_pairing,
    read_snapshot,
    unpack,
)
from tournaments.models import Event, Mirror, Pairing, SentEvent
from tournaments.standings.services import request_standings

from .leading import take_lead
from .offering import note_known
from .people import people_of_snapshot
from .settling import note_disagreement
from .writing import sums_by_round, write_beside, write_event

logger = logging.getLogger(__name__)


def open_message(packed: bytes) -> tuple[SignedMessage, Sender]:
    """Unpack a message and return it with its sender. A message is unpacked only if it names a known pairing,
    since a few compressed bytes can become very many. Refuses: snapshot_unreadable, pairing_over,
    snapshot_not_signed."""
    sender = sender_of(named_pairing(packed))
    if sender is None:
        raise Refusal("pairing_over")
    signed = unpack(packed)
    if not signed.is_of(sender.key):
        raise Refusal("snapshot_not_signed")
    return signed, sender


@transaction.atomic
def take_snapshot(packed: bytes, *, club: Club | None = None, place_of: Event | None = None) -> Mirror:
    """Update the mirror to this snapshot, and lead the event if the snapshot hands it over. Safe to repeat: a
    snapshot is taken once. ``place_of`` is an event that was put away, whose address and night of the
    calendar a new mirror takes; ``club`` is whose installations these have to be.

    Refuses: snapshot_unreadable; pairing_over; snapshot_not_signed; mirror_is_led_here; snapshot_older;
    snapshot_of_other_chain, where something else was taken than what it goes on from; and
    event_file_unsound, where what would be written is not what it says.
    """
    signed, sender = open_message(packed)
    if club is not None and sender.club_id != club.pk:
        raise Refusal("pairing_over")
    club = lock_club(sender.club_id)
    snapshot = read_snapshot(signed.body)
    mirrors = Mirror.objects.filter(event__club=club, chain=snapshot.chain)
    mirror = mirrors.select_related("event__club", "event__terms").first()
    if mirror is not None and mirror.head == signed.head:
        return mirror
    if mirror is None:
        is_led_here = SentEvent.objects.filter(event__club=club, chain=snapshot.chain).exists()
    else:
        is_led_here = mirror.led_since is not None
    if is_led_here:
        raise Refusal("mirror_is_led_here")
    if mirror is not None:
        _check_goes_on(mirror, snapshot)
    try:
        with transaction.atomic():
            mirror = mirror or _new_mirror(club, snapshot, place_of)
            return _take(mirror, sender, snapshot, signed)
    except (DataError, IntegrityError, *BROKEN):
        logger.warning("A snapshot of the chain %s cannot be taken", snapshot.chain, exc_info=True)
        raise Refusal("event_file_unsound", field="file", part="event") from None


def answer_snapshot(packed: bytes) -> tuple[Mirror | None, dict[str, Any]]:
    """Take a snapshot that arrived over the network. Return the mirror and an empty answer, or None and the
    answer to a refused one: its code, this installation's position in the event, and whether it knows the
    last snapshot from there. Disagreements that an owner has to settle are noted. Safe to repeat."""
    try:
        return take_snapshot(packed), {}
    except Refusal as refusal:
        said: dict[str, Any] = {"code": refusal.code}
        if refusal.code in {"mirror_is_led_here", "snapshot_older", "snapshot_of_other_chain"}:
            said["at"] = _note_refused(packed)
        return None, said


def _note_refused(packed: bytes) -> list[Any] | None:
    """Note the disagreement about a refused snapshot; return this installation's position in its event."""
    signed, sender = open_message(packed)
    snapshot = read_snapshot(signed.body)
    pairing = sender if isinstance(sender, Pairing) else None
    events = shared_events(sender.club, pairing)
    event = events.filter(Q(sent__chain=snapshot.chain) | Q(mirror__chain=snapshot.chain)).first()
    if event is None:
        return None
    mine = position_of(event)
    leads = Position(number=snapshot.number, head=signed.head, epoch=snapshot.epoch, leads=True)
    goes_on = any((number, head) == (mine.number, mine.head) for number, head in snapshot.after)
    note_disagreement(event, OtherSide(position=leads, is_known_here=False, knows_ours=goes_on))
    return list(astuple(mine))


def _check_goes_on(mirror: Mirror, snapshot: Snapshot) -> None:
    """Check that the snapshot goes on from the mirror's. Refuses: snapshot_older, snapshot_of_other_chain."""
    if snapshot.number <= mirror.number or snapshot.epoch < mirror.epoch:
        raise Refusal("snapshot_older")
    if (mirror.number, mirror.head) not in snapshot.after:
        raise Refusal("snapshot_of_other_chain")


def _new_mirror(club: Club, snapshot: Snapshot, place_of: Event | None) -> Mirror:
    event = new_event(club, snapshot.file["event"])
    event.key = snapshot.chain
    if place_of is not None:
        event.short, event.night_id = place_of.short, place_of.night_id
    event.save(update_fields=["key", "short", "night"])
    return Mirror(event=event, chain=snapshot.chain)


def _take(mirror: Mirror, sender: Sender, snapshot: Snapshot, signed: SignedMessage) -> Mirror:
    event = Event.objects.select_for_update(of=("self",), no_key=True).get(pk=mirror.event_id)
    was_public = bool(event.public_page)
    people = people_of_snapshot(mirror, event.club, snapshot.file["people"], snapshot.beside["people"])
    write_event(event, snapshot.file, before=mirror.sums, people=people)
    ahead = timedelta(seconds=sender.clock_ahead or 0)
    as_of = snapshot.at - ahead
    Terms.objects.filter(pk=event.terms_id).update(mirrored_at=as_of)
    write_beside(event, snapshot.beside, ahead=ahead)
    check_same(event, {**snapshot.file, "standings": None})
    mirror.pairing = sender if isinstance(sender, Pairing) else None
    mirror.number, mirror.head = snapshot.number, signed.head
    mirror.as_of, mirror.sums = as_of, sums_by_round(snapshot.file)
    mirror.epoch, mirror.trouble = snapshot.epoch, None
    mirror.save()
    note_known(event.pk, mirror.number, mirror.head)
    SentEvent.objects.filter(event=event).update(handed_over=None, behind_since=None, trouble=None)
    if snapshot.hands_over:
        take_lead(mirror, Event.objects.select_related("club", "terms").get(pk=event.pk))
    _tell(event, was_public=was_public)
    return mirror


def _tell(event: Event, *, was_public: bool) -> None:
    """Update what depends on the event here: standings, alerts, and pages that are open."""
    lead_cards(topic=event.topic, public_page=event.public_page, silent_from=event.visible.hidden_from)
    request_standings(event)
    request_alerts(event)
    public_change.send(Event, topic=event.topic, club_id=event.club_id)
    raise_revision(
        event.topic, Reach.EVERYBODY if event.public_page else _reach_while_mirrored(was_public=was_public)
    )
    raise_revision(event.club.topic)
    raise_revision(event.club.calendar_topic)


def _reach_while_mirrored(*, was_public: bool) -> Reach:
    return Reach.WITHDRAWN if was_public else Reach.STAFF
