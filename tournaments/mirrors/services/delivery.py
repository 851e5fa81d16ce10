"""Snapshots sent to the public site for events led here: always the newest, signed, until it arrives."""

import json
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Q
from django.utils import timezone

from errors import Refusal
from jobs.delays import is_ahead
from jobs.failures import FailureJson, serialize_refusal
from jobs.services import enqueue
from live.models import Revision
from tournaments.mirrors.agreement import Position
from tournaments.mirrors.queries import find_public_site, has_known_snapshot
from tournaments.mirrors.requests import build_signed_headers
from tournaments.mirrors.snapshots import sign_message
from tournaments.models import Event, PublicSite, SentEvent
from tournaments.signing.services import get_signing_key
from web.outgoing import MAX_RESPONSE_BYTES, MAX_URL_LENGTH, RemoteResponse, RequestNotSentError, post_url

from .offers import build_next_offer, record_arrival, rewind_offers

SEND_SNAPSHOT = "send_snapshot"
"""Kind of these jobs; a job's key is that of the event."""
TIMEOUT = 60.0
"""Seconds to wait for an answer: the first snapshot of a large event takes a while."""
RETRY_PAUSES = tuple(timedelta(seconds=seconds) for seconds in (2, 5, 10, 20, 30, 60))
"""Pauses after failed tries; the last one repeats, so that sending resumes by itself even after hours."""
SNAPSHOT_PATH = "/mirror/snapshots"


def enqueue_due_snapshots() -> None:
    """Enqueue a job for each event that is newer here than at the public site, unless it has to wait. Events
    are sent from the day on which the installations were linked. Three queries, one where nothing is
    linked."""
    for site in PublicSite.objects.select_related("club"):
        events = Event.objects.filter(build_sent_filter(site)).values_list("pk", flat=True)
        topics = {f"event:{pk}": pk for pk in events}
        sent_by_event = {sent_event.event_id: sent_event for sent_event in SentEvent.objects.filter(event__in=events)}
        for topic, number in Revision.objects.filter(topic__in=topics).values_list("topic", "number"):
            stored = sent_by_event.get(topics[topic]) or SentEvent(event_id=topics[topic])
            if number != stored.revision or stored.handed_over is not None:
                _enqueue(stored, site.club_id)


def build_sent_filter(site: PublicSite) -> Q:
    """Match the events that are sent to this site. That includes events being handed over to it, and those
    that it handed over here; not an event put away before it was ever sent."""
    pairing_date = timezone.localdate(site.paired_at, ZoneInfo(site.club.time_zone))
    is_theirs = Q(held_on__gte=pairing_date) | Q(mirror__isnull=False)
    is_led = Q(terms__mirrored_at=None) | Q(sent__handed_over__isnull=False)
    is_known = Q(is_put_away=False) | Q(sent__isnull=False)
    return Q(club=site.club_id, is_arriving=False, sent__pairing=None) & is_theirs & is_led & is_known


def _enqueue(sent_event: SentEvent, club_id: int) -> None:
    if sent_event.behind_since is None:
        SentEvent.objects.get_or_create(event_id=sent_event.event_id)
        SentEvent.objects.filter(event=sent_event.event_id, behind_since=None).update(behind_since=timezone.now())
    now = timezone.now()
    if sent_event.due_at <= now or is_ahead(sent_event.due_at, now, longest_wait=RETRY_PAUSES[-1]):
        enqueue(kind=SEND_SNAPSHOT, key=str(sent_event.event_id), club_id=club_id)


def send_snapshot(event_id: int) -> None:
    """Send the event as it is now, if the public site does not have it. Safe to repeat: the next snapshot
    names those that were offered and not answered."""
    sent_event = SentEvent.objects.select_related("event__club", "event__terms").filter(event=event_id).first()
    site = None if sent_event is None else find_public_site(sent_event.event.club)
    if sent_event is None or site is None:
        return
    offer = build_next_offer(sent_event)
    if offer is None:
        return
    try:
        answer = post_to_site(site, SNAPSHOT_PATH, offer.body)
    except RequestNotSentError as trouble:
        _record_trouble(sent_event, serialize_refusal(build_silence_refusal(trouble)))
        return
    answer_data = parse_json_object(answer.text)
    if answer.status == HTTPStatus.OK and answer_data.get("head") == offer.head:
        page = f"{site.address}{answer_data.get('page', '')}"
        record_arrival(sent_event, offer.number, offer.head, page=page[:MAX_URL_LENGTH])
    elif not _rewind_if_behind(sent_event, answer_data.get("at")):
        _record_trouble(sent_event, build_trouble(answer.status, answer_data))


def post_to_site(site: PublicSite, path: str, body: bytes, *, max_bytes: int = MAX_RESPONSE_BYTES) -> RemoteResponse:
    """Post a body, signed by the club, to the public site. If the clocks differ too much, post it again with the
    site's time. Raises RequestNotSentError, as ``post_url`` does."""
    private, pairing = get_signing_key(site.club).private, site.pairing
    compressed = sign_message(body, pairing=pairing, private=private).gzipped_bytes

    def post_with_time(time: datetime) -> RemoteResponse:
        headers = build_signed_headers(compressed, path=path, pairing=str(pairing), private=private, sent_at=time)
        return post_url(f"{site.address}{path}", compressed, headers, timeout=TIMEOUT, max_bytes=max_bytes)

    answer = post_with_time(timezone.now() + timedelta(seconds=site.clock_ahead or 0))
    site_time = _read_site_time(answer)
    return answer if site_time is None else post_with_time(site_time)


def _read_site_time(answer: RemoteResponse) -> datetime | None:
    """Return the site's time if it refused ours, else None."""
    answer_data = {} if answer.status == HTTPStatus.OK else parse_json_object(answer.text)
    try:
        return datetime.fromisoformat(answer_data["now"]) if answer_data.get("code") == "clocks_differ" else None
    except (KeyError, TypeError, ValueError):
        return None


def _rewind_if_behind(sent_event: SentEvent, position_row: object) -> bool:
    """Return whether the other is at an older snapshot that is known here, and go back to it. That happens
    where it was restored from a backup, for example."""
    match position_row:
        case [int(number), str(head), int(epoch), False, False]:
            remote = Position(number=number, head=head, epoch=epoch)
        case _:
            return False
    offers = [list(offer) for offer in sent_event.offers]
    is_news = [number, head] not in offers and remote.epoch <= sent_event.epoch
    if is_news and has_known_snapshot(sent_event.event, remote):
        rewind_offers(sent_event, remote)
        return True
    return False


def _record_trouble(sent_event: SentEvent, trouble: FailureJson) -> None:
    pause = RETRY_PAUSES[min(sent_event.attempts, len(RETRY_PAUSES) - 1)]
    SentEvent.objects.filter(pk=sent_event.pk, number=sent_event.number).update(
        attempts=sent_event.attempts + 1, due_at=timezone.now() + pause, trouble=trouble
    )


def parse_json_object(text: str) -> dict[str, Any]:
    """Parse JSON from another installation; empty if it is no object, or has texts that cannot be stored."""
    try:
        data = json.loads(text)
        json.dumps(data, ensure_ascii=False).encode()  # refuses lone surrogates
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) and "\\u0000" not in text else {}


KNOWN_REFUSALS = frozenset(
    {
        *("pairing_over", "snapshot_not_signed", "snapshot_unreadable", "link_over", "too_many_guesses"),
        *("mirror_is_led_here", "snapshot_older", "snapshot_of_other_chain"),
        *("clocks_differ", "request_repeated", "site_busy"),
    }
)
"""Codes of the public site's refusals that have a sentence here."""


def build_silence_refusal(trouble: RequestNotSentError) -> Refusal:
    """Return the refusal for a request without an answer."""
    return Refusal("site_not_found" if trouble.code == "no_such_host" else "site_silent")


def build_trouble(status: int, answer_data: dict[str, Any]) -> FailureJson:
    """Return why a snapshot does not arrive, as far as the answer says."""
    return serialize_refusal(build_refusal(status, answer_data))


def build_refusal(status: int, answer_data: dict[str, Any], *, field: str | None = None) -> Refusal:
    """Return the refusal in another installation's answer, of that ``field``: its code, snapshot_unreadable for
    one that another version has; without a code, snapshot_too_large, site_failing or site_answers_otherwise."""
    match answer_data.get("code"):
        case str(code):
            return Refusal(code if code in KNOWN_REFUSALS else "snapshot_unreadable", field=field)
        case _ if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            return Refusal("snapshot_too_large", field=field)
        case _ if status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return Refusal("site_failing", field=field, status=status)
        case _:
            return Refusal("site_answers_otherwise", field=field, status=status)
