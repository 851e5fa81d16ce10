"""What is led here goes to the public site: the newest that there is, signed, and again until it is there."""

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Q
from django.utils import timezone

from jobs.failures import failure_to_json, stored_refusal
from jobs.services import enqueue
from live.models import Revision
from live.revisions import revision_of
from live.snapshots import snapshot
from rules import Refusal
from tournaments.mirrors.queries import public_site_of, snapshot_parts
from tournaments.mirrors.snapshots import SignedSnapshot, Snapshot, signed_snapshot
from tournaments.models import Event, PublicSite, SentEvent
from tournaments.signing.services import key_to_sign
from web.outgoing import NotSent, post

SEND = "send_snapshot"
"""The kind of its jobs; their key is that of the event."""
PATIENCE = 60.0
"""Seconds that the other side has: the first snapshot of a large event takes it a while."""
PAUSES = tuple(timedelta(seconds=seconds) for seconds in (2, 5, 10, 20, 30, 60))
"""After each try that failed; the last one again and again, so that it goes on by itself after hours."""
MOST_OFFERS = 500
"""Offered and not answered; of older ones than that, none arrives any more."""
OK = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A snapshot on its way, of the event at that ``revision``."""

    revision: int
    signed: SignedSnapshot


def request_due_snapshots() -> None:
    """Has the worker send whatever is newer here than there, unless it has to wait. An event is sent from the
    day on which the installations were paired. Three queries, one where nothing is paired."""
    for site in PublicSite.objects.select_related("club"):
        events = Event.objects.filter(led_here(site)).values_list("pk", flat=True)
        topics = {f"event:{pk}": pk for pk in events}
        sent = {each.event_id: each for each in SentEvent.objects.filter(event__in=events)}
        for topic, number in Revision.objects.filter(topic__in=topics).values_list("topic", "number"):
            known = sent.get(topics[topic]) or SentEvent(event_id=topics[topic])
            if number != known.revision:
                _request(known)


def led_here(site: PublicSite) -> Q:
    """The events that are sent to that site."""
    return Q(
        club=site.club_id,
        held_on__gte=timezone.localdate(site.paired_at, ZoneInfo(site.club.time_zone)),
        is_arriving=False,
        terms__mirrored_at=None,
    )


def _request(sent: SentEvent) -> None:
    if sent.behind_since is None:
        SentEvent.objects.get_or_create(event_id=sent.event_id)
        SentEvent.objects.filter(event=sent.event_id, behind_since=None).update(behind_since=timezone.now())
    if sent.due_at <= timezone.now():
        enqueue(kind=SEND, key=str(sent.event_id))


def send_snapshot(event_id: int) -> None:
    """Sends the event as it is now, if the public site has not got it. Safe to repeat: what was offered and
    not answered is named in what comes next."""
    sent = SentEvent.objects.select_related("event__club", "event__terms").filter(event=event_id).first()
    site = None if sent is None else public_site_of(sent.event.club)
    if sent is None or site is None:
        return
    offer = _offer(sent, site)
    if offer is None:
        return
    headers = {"Content-Type": "application/gzip"}
    try:
        answer = post(f"{site.address}/mirror/snapshots", offer.signed.packed, headers, patience=PATIENCE)
    except NotSent as trouble:
        _note_trouble(sent, stored_refusal(_silence(trouble)))
        return
    said = read_answer(answer.text)
    if answer.status == OK and said.get("head") == offer.signed.head:
        _note_arrival(sent, offer, page=f"{site.address}{said.get('page', '')}")
    else:
        _note_trouble(sent, trouble_in(answer.status, said))


def _offer(sent: SentEvent, site: PublicSite) -> Offer | None:
    """The next snapshot, noted before it is sent; None where there is nothing to send, or somebody else sends
    at the same time."""
    key, now = key_to_sign(site.club), timezone.now()
    with snapshot():
        event = Event.objects.select_related("club", "terms").get(pk=sent.event_id)
        revision = revision_of(event.topic)
        if revision == sent.revision:
            return None
        file, beside = snapshot_parts(event)
    offers = [(number, head) for number, head in sent.offers]
    said = Snapshot(chain=sent.chain, number=sent.number + 1, after=offers, at=now, file=file, beside=beside)
    signed = signed_snapshot(said.body, pairing=site.pairing, private=key.private)
    kept = [*offers, (said.number, signed.head)]
    noted = SentEvent.objects.filter(pk=sent.pk, number=sent.number).update(
        number=said.number, offers=kept[:1] + kept[1:][-MOST_OFFERS:]
    )
    sent.number = said.number
    return Offer(revision=revision, signed=signed) if noted else None


def _note_arrival(sent: SentEvent, offer: Offer, *, page: str) -> None:
    """From here on the next one goes on. What was changed meanwhile is found by the next look."""
    SentEvent.objects.filter(pk=sent.pk, number=sent.number).update(
        offers=[(sent.number, offer.signed.head)],
        revision=offer.revision,
        arrived_at=timezone.now(),
        behind_since=None,
        attempts=0,
        due_at=timezone.now(),
        trouble=None,
        page=page,
    )


def _note_trouble(sent: SentEvent, trouble: dict[str, Any]) -> None:
    pause = PAUSES[min(sent.attempts, len(PAUSES) - 1)]
    SentEvent.objects.filter(pk=sent.pk, number=sent.number).update(
        attempts=sent.attempts + 1, due_at=timezone.now() + pause, trouble=trouble
    )


def read_answer(text: str) -> dict[str, Any]:
    """What another installation says; nothing where it is no installation that answers."""
    try:
        said = json.loads(text)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


SAID = frozenset(
    {
        *("pairing_over", "snapshot_not_signed", "snapshot_unreadable", "event_file_unsound"),
        *("mirror_is_led_here", "snapshot_older", "snapshot_of_other_chain"),
        *("link_over", "too_many_guesses", "event_file_version", "part_unknown", "database_busy"),
    }
)
"""The refusals of the public site that have a sentence here."""


def _silence(trouble: NotSent) -> Refusal:
    """What is said where nothing was answered."""
    return Refusal("site_not_found" if trouble.code == "no_such_host" else "site_silent")


def trouble_in(status: int, said: dict[str, Any]) -> dict[str, Any]:
    """Why it does not arrive, as far as it was said."""
    code = said.get("code")
    if code in SAID:
        return failure_to_json(code=str(code))
    return stored_refusal(Refusal("site_answers_otherwise", status=status))
