"""What is led here goes to the public site: the newest that there is, signed, and again until it is there."""

import json
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Q
from django.utils import timezone

from jobs.failures import PlainFailure, job_refusal_to_json
from jobs.services import enqueue
from live.models import Revision
from rules import Refusal
from tournaments.mirrors.agreement import Position
from tournaments.mirrors.queries import knows_snapshot, public_site_of
from tournaments.models import Event, PublicSite, SentEvent
from web.outgoing import NotSent, post

from .offering import go_back_to, next_offer, note_arrival, signed_by_club

SEND = "send_snapshot"
"""The kind of its jobs; their key is that of the event."""
PATIENCE = 60.0
"""Seconds that the other side has: the first snapshot of a large event takes it a while."""
PAUSES = tuple(timedelta(seconds=seconds) for seconds in (2, 5, 10, 20, 30, 60))
"""After each try that failed; the last one again and again, so that it goes on by itself after hours."""
OK = 200


def request_due_snapshots() -> None:
    """Has the worker send whatever is newer here than there, unless it has to wait. An event is sent from the
    day on which the installations were paired. Three queries, one where nothing is paired."""
    for site in PublicSite.objects.select_related("club"):
        events = Event.objects.filter(led_here(site)).values_list("pk", flat=True)
        topics = {f"event:{pk}": pk for pk in events}
        sent = {each.event_id: each for each in SentEvent.objects.filter(event__in=events)}
        for topic, number in Revision.objects.filter(topic__in=topics).values_list("topic", "number"):
            known = sent.get(topics[topic]) or SentEvent(event_id=topics[topic])
            if number != known.revision or known.handed_over is not None:
                _request(known)


def led_here(site: PublicSite) -> Q:
    """The events that are sent to that site: those that it handed over here, too, and those that go over to
    it; none that was put away before it was ever sent."""
    paired_on = timezone.localdate(site.paired_at, ZoneInfo(site.club.time_zone))
    is_theirs = Q(held_on__gte=paired_on) | Q(mirror__isnull=False)
    is_led = Q(terms__mirrored_at=None) | Q(sent__handed_over__isnull=False)
    is_known = Q(is_put_away=False) | Q(sent__isnull=False)
    return Q(club=site.club_id, is_arriving=False, sent__pairing=None) & is_theirs & is_led & is_known


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
    offer = next_offer(sent)
    if offer is None:
        return
    signed = signed_by_club(offer.body, club=site.club, pairing=site.pairing)
    try:
        answer = post(
            f"{site.address}/mirror/snapshots", signed.gzipped_bytes, signed.headers, patience=PATIENCE
        )
    except NotSent as trouble:
        _note_trouble(sent, job_refusal_to_json(silence(trouble)))
        return
    said = read_answer(answer.text)
    if answer.status == OK and said.get("head") == offer.head:
        note_arrival(sent, offer.number, offer.head, page=f"{site.address}{said.get('page', '')}")
    elif not _goes_back(sent, said.get("at")):
        _note_trouble(sent, trouble_in(answer.status, said))


def _goes_back(sent: SentEvent, at: object) -> bool:
    """Whether the other stands at an older snapshot that is known here, be it that it was restored: then what
    is sent next goes on from that one."""
    match at:
        case [int(number), str(head), int(epoch), False, False]:
            theirs = Position(number=number, head=head, epoch=epoch)
        case _:
            return False
    known = [list(each) for each in sent.offers]
    is_news = [number, head] not in known and theirs.epoch <= sent.epoch
    if is_news and knows_snapshot(sent.event, theirs):
        go_back_to(sent, theirs)
        return True
    return False


def _note_trouble(sent: SentEvent, trouble: PlainFailure) -> None:
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


def silence(trouble: NotSent) -> Refusal:
    """What is said where nothing was answered."""
    return Refusal("site_not_found" if trouble.code == "no_such_host" else "site_silent")


def trouble_in(status: int, said: dict[str, Any]) -> PlainFailure:
    """Why it does not arrive, as far as it was said."""
    return job_refusal_to_json(refusal_of(status, said))


def refusal_of(status: int, said: dict[str, Any]) -> Refusal:
    """What another installation refuses."""
    code = said.get("code")
    return Refusal(str(code) if code in SAID else "site_answers_otherwise", status=status)
