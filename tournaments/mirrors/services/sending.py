"""Snapshots sent to the public site for events led here: always the newest, signed, until it arrives."""

import json
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Q
from django.utils import timezone

from errors import Refusal
from jobs.failures import PlainFailure, job_refusal_to_json
from jobs.services import enqueue
from live.models import Revision
from tournaments.mirrors.agreement import Position
from tournaments.mirrors.queries import knows_snapshot, public_site_of
from tournaments.mirrors.requests import signed_headers
from tournaments.mirrors.snapshots import signed_message
from tournaments.models import Event, PublicSite, SentEvent
from tournaments.signing.services import key_to_sign
from web.outgoing import LARGEST_ANSWER, NotSent, RemoteResponse, post

from .offering import go_back_to, next_offer, note_arrival

SEND = "send_snapshot"
"""Kind of these jobs; a job's key is that of the event."""
PATIENCE = 60.0
"""Seconds to wait for an answer: the first snapshot of a large event takes a while."""
PAUSES = tuple(timedelta(seconds=seconds) for seconds in (2, 5, 10, 20, 30, 60))
"""Pauses after failed tries; the last one repeats, so that sending resumes by itself even after hours."""
TAKE = "/mirror/snapshots"
OK = 200


def request_due_snapshots() -> None:
    """Enqueue a job for each event that is newer here than at the public site, unless it has to wait. Events
    are sent from the day on which the installations were linked. Three queries, one where nothing is
    linked."""
    for site in PublicSite.objects.select_related("club"):
        events = Event.objects.filter(led_here(site)).values_list("pk", flat=True)
        topics = {f"event:{pk}": pk for pk in events}
        sent = {each.event_id: each for each in SentEvent.objects.filter(event__in=events)}
        for topic, number in Revision.objects.filter(topic__in=topics).values_list("topic", "number"):
            known = sent.get(topics[topic]) or SentEvent(event_id=topics[topic])
            if number != known.revision or known.handed_over is not None:
                _request(known, site.club_id)


def led_here(site: PublicSite) -> Q:
    """Match the events that are sent to this site. That includes events being handed over to it, and those
    that it handed over here; not an event put away before it was ever sent."""
    paired_on = timezone.localdate(site.paired_at, ZoneInfo(site.club.time_zone))
    is_theirs = Q(held_on__gte=paired_on) | Q(mirror__isnull=False)
    is_led = Q(terms__mirrored_at=None) | Q(sent__handed_over__isnull=False)
    is_known = Q(is_put_away=False) | Q(sent__isnull=False)
    return Q(club=site.club_id, is_arriving=False, sent__pairing=None) & is_theirs & is_led & is_known


def _request(sent: SentEvent, club_id: int) -> None:
    if sent.behind_since is None:
        SentEvent.objects.get_or_create(event_id=sent.event_id)
        SentEvent.objects.filter(event=sent.event_id, behind_since=None).update(behind_since=timezone.now())
    if sent.due_at <= timezone.now():
        enqueue(kind=SEND, key=str(sent.event_id), club_id=club_id)


def send_snapshot(event_id: int) -> None:
    """Send the event as it is now, if the public site does not have it. Safe to repeat: the next snapshot
    names those that were offered and not answered."""
    sent = SentEvent.objects.select_related("event__club", "event__terms").filter(event=event_id).first()
    site = None if sent is None else public_site_of(sent.event.club)
    if sent is None or site is None:
        return
    offer = next_offer(sent)
    if offer is None:
        return
    try:
        answer = post_to_site(site, TAKE, offer.body)
    except NotSent as trouble:
        _note_trouble(sent, job_refusal_to_json(silence(trouble)))
        return
    said = read_answer(answer.text)
    if answer.status == OK and said.get("head") == offer.head:
        note_arrival(sent, offer.number, offer.head, page=f"{site.address}{said.get('page', '')}")
    elif not _goes_back(sent, said.get("at")):
        _note_trouble(sent, trouble_in(answer.status, said))


def post_to_site(site: PublicSite, path: str, body: bytes, *, most: int = LARGEST_ANSWER) -> RemoteResponse:
    """Post a body, signed by the club, to the public site; once more with the site's time if the clocks
    differ too much. Raises NotSent, as ``post`` does."""
    private, pairing = key_to_sign(site.club).private, site.pairing
    packed = signed_message(body, pairing=pairing, private=private).gzipped_bytes

    def post_at(at: datetime) -> RemoteResponse:
        headers = signed_headers(packed, path=path, pairing=str(pairing), private=private, at=at)
        return post(f"{site.address}{path}", packed, headers, patience=PATIENCE, most=most)

    answer = post_at(timezone.now() + timedelta(seconds=site.clock_ahead or 0))
    there = _clock_in(answer)
    return answer if there is None else post_at(there)


def _clock_in(answer: RemoteResponse) -> datetime | None:
    """Return the site's time if it refused ours, else None."""
    said = {} if answer.status == OK else read_answer(answer.text)
    try:
        return datetime.fromisoformat(said["now"]) if said.get("code") == "clocks_differ" else None
    except (KeyError, TypeError, ValueError):
        return None


def _goes_back(sent: SentEvent, at: object) -> bool:
    """Return whether the other is at an older snapshot that is known here, and go back to it. That happens
    where it was restored from a backup, for example."""
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
    """Return the answer of another installation as JSON; empty if it is not one."""
    try:
        said = json.loads(text)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


SAID = frozenset(
    {
        *("pairing_over", "snapshot_not_signed", "snapshot_unreadable", "event_file_unsound"),
        *("mirror_is_led_here", "snapshot_older", "snapshot_of_other_chain"),
        *("clocks_differ", "request_repeated", "site_busy"),
        *("link_over", "too_many_guesses", "event_file_version", "part_unknown", "database_busy"),
    }
)
"""Codes of the public site's refusals that have a sentence here."""


def silence(trouble: NotSent) -> Refusal:
    """Return the refusal for a request without an answer."""
    return Refusal("site_not_found" if trouble.code == "no_such_host" else "site_silent")


def trouble_in(status: int, said: dict[str, Any]) -> PlainFailure:
    """Return why a snapshot does not arrive, as far as the answer says."""
    return job_refusal_to_json(refusal_of(status, said))


def refusal_of(status: int, said: dict[str, Any]) -> Refusal:
    """Return the refusal in another installation's answer."""
    code = said.get("code")
    return Refusal(str(code) if code in SAID else "site_answers_otherwise", status=status)
