"""Answers to a laptop that asks for events led here. It gets the next snapshot of an event that changed since
its own; at the end a report of all positions, so that both sides can compare."""

from collections.abc import Iterable

from django.db.models import Q
from django.utils import timezone

from errors import Refusal
from tournaments.lifecycle import EventState
from tournaments.mirrors.agreement import OtherSide, Position, goes_on_from
from tournaments.mirrors.queries import (
    MOST_ASKED_FOR,
    chain_of,
    knows_snapshot,
    position_of,
    shared_events,
)
from tournaments.mirrors.snapshots import (
    MirrorQuestion,
    PositionReport,
    SignedMessage,
    read_mirror_question,
)
from tournaments.models import Event, Pairing

from .clocks import note_clock
from .offering import Offer, go_back_to, next_offer, note_arrival, signed_by_club
from .receive import open_message
from .settling import note_disagreement


def answer_question(packed: bytes) -> SignedMessage:
    """Answer with a snapshot that the other wants, or with a report where it has them all. What it says that
    it has counts as arrived. Safe to repeat. Refuses: snapshot_unreadable, pairing_over,
    snapshot_not_signed."""
    signed, pairing = open_message(packed)
    if not isinstance(pairing, Pairing):
        raise Refusal("pairing_over")
    question = read_mirror_question(signed.body)
    if question.clock_ahead is not None:
        note_clock(pairing, -question.clock_ahead)
    is_asked = Q(sent__chain__in=question.has) | Q(mirror__chain__in=question.has)
    is_led_there = Q(mirror__isnull=False, terms__mirrored_at__isnull=False) & ~Q(state=EventState.ENDED)
    shared = shared_events(pairing.club, pairing).filter(is_put_away=False)
    events = shared.filter(is_asked | is_led_there | Q(sent__handed_over__isnull=False))
    for event in events:
        chain = chain_of(event)
        offer = None if chain in question.without else _offer(event, question.has.get(chain))
        if offer is not None:
            return signed_by_club(offer.body, club=pairing.club, pairing=pairing.public_id)
    report = _report(events.all(), question)  # read again: one may have been accepted meanwhile
    return signed_by_club(report.body, club=pairing.club, pairing=pairing.public_id)


def _offer(event: Event, theirs: Position | None) -> Offer | None:
    """Return the snapshot that the other wants of this event, or None. An event unknown there is sent only
    where it is handed over. None also where its copy differs from what was offered, until an owner has
    decided."""
    sent = getattr(event, "sent", None)
    mine = position_of(event)
    if sent is None or not (mine.leads or mine.hands_over):
        return None
    if theirs is None or theirs.head is None:
        is_wanted = mine.hands_over or theirs is not None
        return next_offer(sent, anyway=theirs is not None) if is_wanted else None
    is_offered = [theirs.number, theirs.head] in [list(each) for each in sent.offers]
    if theirs.leads and mine.hands_over and is_offered:
        note_arrival(sent, theirs.number, theirs.head)
    if theirs.leads or not goes_on_from(mine, theirs, is_known=knows_snapshot(event, theirs)):
        return None
    if not is_offered:
        go_back_to(sent, theirs)
        return next_offer(sent, anyway=True)
    has_newest = theirs.number == sent.number and sent.revision == sent.offered_revision
    if not has_newest or sent.handed_over is not None:
        note_arrival(sent, theirs.number, theirs.head)
        sent.refresh_from_db()
    return next_offer(sent)


def _report(events: Iterable[Event], question: MirrorQuestion) -> PositionReport:
    """Report this installation's position in each event that was asked for. Disagreements that an owner has
    to settle are noted; for an event that the other leads, only when that one sends it, or does not know it
    any more."""
    said = {}
    is_all = len(question.has) < MOST_ASKED_FOR
    for event in events:
        theirs = question.has.get(chain := chain_of(event))
        if theirs is None and is_all:
            note_disagreement(event, OtherSide(position=None, is_known_here=False, knows_ours=False))
        if theirs is not None and theirs.head is not None:
            mine, knows = position_of(event), knows_snapshot(event, theirs)
            said[chain] = (knows, mine)
            if mine.leads or mine.hands_over or not theirs.leads:
                note_disagreement(event, OtherSide(position=theirs, is_known_here=knows, knows_ours=False))
    return PositionReport(has=said, at=timezone.now())
