"""A laptop asks for what is led here: it gets the next snapshot of which it has not the newest."""

from rules import Refusal
from tournaments.mirrors.snapshots import MirrorQuestion, SignedMessage, read_mirror_question
from tournaments.models import Pairing, SentEvent

from .offering import Offer, next_offer, note_arrival, signed_by_club
from .receiving import open_message


def answer_question(packed: bytes) -> SignedMessage | None:
    """A snapshot that the other wants; None where it has all. What it says that it has, has arrived. Safe to
    repeat. Refuses: snapshot_unreadable, pairing_over, snapshot_not_signed."""
    signed, pairing = open_message(packed)
    if not isinstance(pairing, Pairing):
        raise Refusal("pairing_over")
    question = read_mirror_question(signed.body)
    for sent in SentEvent.objects.filter(pairing=pairing).exclude(chain__in=question.without):
        offer = _offer(sent, question)
        if offer is not None:
            return signed_by_club(offer.body, club=pairing.club, pairing=pairing.public_id)
    return None


def _offer(sent: SentEvent, question: MirrorQuestion) -> Offer | None:
    """What the other wants of that event: nothing of one that it does not know, but for what is handed over;
    nor where it has something else than what was offered, before an owner has chosen there."""
    if sent.chain not in question.has:
        return None if sent.handed_over is None else next_offer(sent)
    number, head = question.has[sent.chain]
    if head is None:
        return next_offer(sent, anyway=True)
    if [number, head] not in [list(each) for each in sent.offers]:
        return None
    if number == sent.number and sent.revision == sent.offered_revision and sent.handed_over is None:
        return next_offer(sent)
    note_arrival(sent, number, head)
    sent.refresh_from_db()
    return next_offer(sent)
