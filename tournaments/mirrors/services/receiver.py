"""Snapshots taken from the installation that leads an event: each as a whole in one transaction, or not at
all."""

import logging
from dataclasses import astuple
from datetime import timedelta
from typing import Any

from django.db import DataError, IntegrityError, transaction
from django.db.models import Q

from clubs.models import Club
from clubs.services.changes import lock_club
from errors import Refusal
from live.news import public_change
from live.revisions import Reach, raise_revision
from scoring.models import Terms
from scoring.services.cards import lead_cards
from tournaments.alerts.services import request_alerts
from tournaments.event_files.schema import list_file_people
from tournaments.event_files.verifying import TAMPERING_ERRORS
from tournaments.imports.services.desk import write_live_parts
from tournaments.imports.services.parts import check_import_matches, create_event
from tournaments.mirrors.agreement import Position, RemoteState
from tournaments.mirrors.queries import Sender, find_sender, get_position, select_shared_events
from tournaments.mirrors.snapshots import (
    SignedMessage,
    Snapshot,
    find_chain,
    read_pairing,
    read_snapshot,
    unpack_message,
)
from tournaments.models import Event, Mirror, Pairing, SentEvent
from tournaments.standings.services import enqueue_standings

from .disagreements import record_disagreement, record_unreadable_snapshot
from .leadership import become_leader
from .offers import record_known_snapshot
from .people import match_snapshot_people
from .writer import compute_digests, write_event

logger = logging.getLogger(__name__)


def open_message(compressed: bytes) -> tuple[SignedMessage, Sender]:
    """Unpack a message and return it with its sender. A message is unpacked only if it names a known pairing,
    since a few compressed bytes can become very many. Refuses: snapshot_unreadable, pairing_over,
    snapshot_not_signed."""
    sender = find_sender(read_pairing(compressed))
    if sender is None:
        raise Refusal("pairing_over")
    message = unpack_message(compressed)
    if not message.is_signed_by(sender.key):
        raise Refusal("snapshot_not_signed")
    return message, sender


@transaction.atomic
def apply_snapshot(compressed: bytes, *, club: Club | None = None, replaced_event: Event | None = None) -> Mirror:
    """Update the mirror to this snapshot, and lead the event if the snapshot hands it over. Safe to repeat: a
    snapshot is applied once. A new mirror takes the address and night of the calendar of the ``replaced_event``,
    which was put away. ``club`` is the club that the sender must belong to.

    Refuses: snapshot_unreadable, also if the written event would differ from the snapshot; pairing_over;
    snapshot_not_signed; mirror_is_led_here; snapshot_older; and snapshot_of_other_chain, if it does not continue from
    the last snapshot applied.
    """
    message, sender = open_message(compressed)
    if club is not None and sender.club_id != club.pk:
        raise Refusal("pairing_over")
    club = lock_club(sender.club_id)
    snapshot = read_snapshot(message.body)
    mirrors = Mirror.objects.filter(event__club=club, chain=snapshot.chain)
    mirror = mirrors.select_related("event__club", "event__terms").first()
    if mirror is not None and mirror.head == message.head:
        return mirror
    if mirror is None:
        is_led_here = SentEvent.objects.filter(event__club=club, chain=snapshot.chain).exists()
    else:
        is_led_here = mirror.led_since is not None
    if is_led_here:
        raise Refusal("mirror_is_led_here")
    if mirror is not None:
        _check_continuation(mirror, snapshot)
    try:
        with transaction.atomic():
            mirror = mirror or _create_mirror(club, snapshot, replaced_event)
            return _update_mirror(mirror, sender, snapshot, message)
    except (Refusal, DataError, IntegrityError, *TAMPERING_ERRORS):
        logger.warning("A snapshot of the chain %s cannot be taken", snapshot.chain, exc_info=True)
        raise Refusal("snapshot_unreadable") from None


def receive_snapshot(compressed: bytes) -> tuple[Mirror | None, dict[str, Any]]:
    """Take a snapshot that arrived over the network. Return the mirror and an empty answer, or None and the
    answer to a refused one: its code, this installation's position in the event, and whether it knows the
    last snapshot from there. Disagreements that an owner has to settle are noted. Safe to repeat."""
    try:
        return apply_snapshot(compressed), {}
    except Refusal as refusal:
        answer: dict[str, Any] = {"code": refusal.code}
        if refusal.code == "snapshot_unreadable":
            _record_unreadable(compressed)
        if refusal.code in {"mirror_is_led_here", "snapshot_older", "snapshot_of_other_chain"}:
            answer["at"] = _record_refusal(compressed)
        return None, answer


def _record_unreadable(compressed: bytes) -> None:
    message, sender = open_message(compressed)
    if chain := find_chain(message.body):
        record_unreadable_snapshot(sender, chain)


def _record_refusal(compressed: bytes) -> list[Any] | None:
    """Note the disagreement about a refused snapshot; return this installation's position in its event."""
    message, sender = open_message(compressed)
    snapshot = read_snapshot(message.body)
    pairing = sender if isinstance(sender, Pairing) else None
    events = select_shared_events(sender.club, pairing)
    event = events.filter(Q(sent__chain=snapshot.chain) | Q(mirror__chain=snapshot.chain)).first()
    if event is None:
        return None
    local = get_position(event)
    remote = Position(number=snapshot.number, head=message.head, epoch=snapshot.epoch, is_leader=True)
    is_continuous = any((number, head) == (local.number, local.head) for number, head in snapshot.predecessors)
    record_disagreement(event, RemoteState(position=remote, is_known_here=False, knows_our_snapshot=is_continuous))
    return list(astuple(local))


def _check_continuation(mirror: Mirror, snapshot: Snapshot) -> None:
    """Check that the snapshot goes on from the mirror's. Refuses: snapshot_older, snapshot_of_other_chain."""
    if snapshot.number <= mirror.number or snapshot.epoch < mirror.epoch:
        raise Refusal("snapshot_older")
    if (mirror.number, mirror.head) not in snapshot.predecessors:
        raise Refusal("snapshot_of_other_chain")


def _create_mirror(club: Club, snapshot: Snapshot, replaced_event: Event | None) -> Mirror:
    event = create_event(club, snapshot.file["event"])
    event.key = snapshot.chain
    if replaced_event is not None:
        event.short, event.night_id = replaced_event.short, replaced_event.night_id
    event.save(update_fields=["key", "short", "night"])
    return Mirror(event=event, chain=snapshot.chain)


def _update_mirror(mirror: Mirror, sender: Sender, snapshot: Snapshot, message: SignedMessage) -> Mirror:
    event = Event.objects.select_for_update(of=("self",), no_key=True).get(pk=mirror.event_id)
    was_visible = bool(event.public_page)
    people = match_snapshot_people(mirror, event.club, list_file_people(snapshot.file), snapshot.extras["people"])
    write_event(event, snapshot.file, stored_digests=mirror.sums, people=people)
    clock_offset = timedelta(seconds=sender.clock_ahead or 0)
    as_of = snapshot.taken_at - clock_offset
    Terms.objects.filter(pk=event.terms_id).update(mirrored_at=as_of)
    write_live_parts(event, snapshot.extras, clock_offset=clock_offset)
    Event.objects.filter(pk=event.pk).update(is_put_away=snapshot.extras["is_put_away"])
    check_import_matches(event, {**snapshot.file, "standings": None})
    mirror.pairing = sender if isinstance(sender, Pairing) else None
    mirror.number, mirror.head = snapshot.number, message.head
    mirror.as_of, mirror.sums = as_of, compute_digests(snapshot.file)
    mirror.epoch, mirror.trouble = snapshot.epoch, None
    mirror.save()
    record_known_snapshot(event.pk, mirror.number, mirror.head)
    SentEvent.objects.filter(event=event).update(handed_over=None, behind_since=None, trouble=None)
    if snapshot.is_handover:
        become_leader(mirror, Event.objects.select_related("club", "terms").get(pk=event.pk))
    _announce_update(event, was_visible=was_visible)
    return mirror


def _announce_update(event: Event, *, was_visible: bool) -> None:
    """Update what depends on the event here: standings, alerts, and pages that are open."""
    lead_cards(topic=event.topic, public_page=event.public_page, silent_from=event.visible.first_hidden_round)
    enqueue_standings(event)
    request_alerts(event)
    public_change.send(Event, topic=event.topic, club_id=event.club_id)
    raise_revision(event.topic, Reach.EVERYBODY if event.public_page else _get_reach(was_visible=was_visible))
    raise_revision(event.club.topic)
    raise_revision(event.club.calendar_topic)


def _get_reach(*, was_visible: bool) -> Reach:
    return Reach.WITHDRAWN if was_visible else Reach.STAFF
