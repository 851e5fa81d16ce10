"""Answers to a laptop that asks for events led here. It gets the next snapshot of an event that changed since
its own; at the end a report of all positions, so that both sides can compare."""

from collections.abc import Iterable

from django.db.models import Q
from django.utils import timezone

from errors import Refusal
from tournaments.lifecycle import EventState
from tournaments.mirrors.agreement import Position, RemoteState, is_continuation
from tournaments.mirrors.queries import (
    MAX_SHARED_EVENTS,
    get_chain,
    get_position,
    has_known_snapshot,
    select_shared_events,
)
from tournaments.mirrors.snapshots import MirrorQuestion, PositionReport, SignedMessage, read_mirror_question
from tournaments.models import Event, Pairing

from .clocks import record_offset
from .disagreements import record_disagreement
from .offers import Offer, build_next_offer, record_arrival, rewind_offers, sign_for_club
from .receiver import open_message


def answer_question(compressed: bytes) -> SignedMessage:
    """Answer with a snapshot that the other wants, or with a report where it has them all. What it says that
    it has counts as arrived. Safe to repeat. Refuses: snapshot_unreadable, pairing_over,
    snapshot_not_signed."""
    message, pairing = open_message(compressed)
    if not isinstance(pairing, Pairing):
        raise Refusal("pairing_over")
    question = read_mirror_question(message.body)
    if question.clock_ahead is not None:
        record_offset(pairing, -question.clock_ahead)
    is_requested = Q(sent__chain__in=question.positions) | Q(mirror__chain__in=question.positions)
    is_led_remotely = Q(mirror__isnull=False, terms__mirrored_at__isnull=False) & ~Q(state=EventState.ENDED)
    candidates = select_shared_events(pairing.club, pairing).filter(is_put_away=False)
    events = candidates.filter(is_requested | is_led_remotely | Q(sent__handed_over__isnull=False))
    for event in events:
        chain = get_chain(event)
        offer = None if chain in question.excluded_chains else _choose_offer(event, question.positions.get(chain))
        if offer is not None:
            return sign_for_club(offer.body, club=pairing.club, pairing=pairing.public_id)
    report = _build_report(events.all(), question)  # read again: one may have been accepted meanwhile
    return sign_for_club(report.body, club=pairing.club, pairing=pairing.public_id)


def _choose_offer(event: Event, remote: Position | None) -> Offer | None:
    """Return the snapshot that the other wants of this event, or None. An event unknown there is sent only
    where it is handed over. None also where its copy differs from what was offered, until an owner has
    decided."""
    sent_event = getattr(event, "sent", None)
    local = get_position(event)
    if sent_event is None or not (local.is_leader or local.is_handing_over):
        return None
    if remote is None or remote.head is None:
        is_wanted = local.is_handing_over or remote is not None
        return build_next_offer(sent_event, is_forced=remote is not None) if is_wanted else None
    is_offered = [remote.number, remote.head] in [list(offer) for offer in sent_event.offers]
    if remote.is_leader and local.is_handing_over and is_offered:
        record_arrival(sent_event, remote.number, remote.head)
    if remote.is_leader or not is_continuation(local, remote, is_known=has_known_snapshot(event, remote)):
        return None
    if not is_offered:
        rewind_offers(sent_event, remote)
        return build_next_offer(sent_event, is_forced=True)
    has_newest = remote.number == sent_event.number and sent_event.revision == sent_event.offered_revision
    if not has_newest or sent_event.handed_over is not None:
        record_arrival(sent_event, remote.number, remote.head)
        sent_event.refresh_from_db()
    return build_next_offer(sent_event)


def _build_report(events: Iterable[Event], question: MirrorQuestion) -> PositionReport:
    """Report this installation's position in each event that was asked for. Disagreements that an owner has
    to settle are noted; for an event that the other leads or hands over, only when that one sends it, or does
    not know it any more."""
    positions = {}
    is_complete = len(question.positions) < MAX_SHARED_EVENTS
    for event in events:
        remote = question.positions.get(chain := get_chain(event))
        if remote is None and is_complete:
            record_disagreement(event, RemoteState(position=None, is_known_here=False, knows_our_snapshot=False))
        if remote is not None and remote.head is not None:
            local, is_known = get_position(event), has_known_snapshot(event, remote)
            positions[chain] = (is_known, local)
            if local.is_leader or local.is_handing_over or not (remote.is_leader or remote.is_handing_over):
                record_disagreement(
                    event, RemoteState(position=remote, is_known_here=is_known, knows_our_snapshot=False)
                )
    return PositionReport(positions=positions, reported_at=timezone.now())
