"""Questions to the public site for events led there: it cannot reach the laptop, which has no address."""

import json
from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from http import HTTPStatus
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from clubs.audit.log import Actor, deserialize_actor, serialize_actor
from clubs.models import Club
from clubs.services.changes import ClubChange
from engine.checksums import compute_digest
from errors import Refusal
from jobs.delays import is_ahead
from jobs.failures import serialize_refusal
from jobs.models import Job
from jobs.services import enqueue
from live.revisions import raise_revision
from scoring.services.cards import close_cards
from tournaments.event_files.queries import build_event_file
from tournaments.event_files.schema import Content
from tournaments.mirrors.agreement import Position, RemoteState
from tournaments.mirrors.queries import (
    MAX_SHARED_EVENTS,
    find_public_site,
    get_chain,
    get_position,
    get_requests_topic,
    has_known_snapshot,
    select_shared_events,
)
from tournaments.mirrors.snapshots import (
    MirrorQuestion,
    PositionReport,
    SignedMessage,
    find_chain,
    is_position_report,
    read_position_report,
    unpack_message,
)
from tournaments.models import Event, Mirror, PublicSite, SentEvent
from web.outgoing import RequestNotSentError

from .clocks import measure_offset, record_offset
from .delivery import RETRY_PAUSES, build_refusal, build_silence_refusal, parse_json_object, post_to_site
from .disagreements import record_disagreement, record_unreadable_snapshot
from .leadership import lock_event, put_event_away
from .receiver import apply_snapshot

POLL_SITE = "ask_for_snapshots"
"""Kind of these jobs; a job's key is that of the club."""
FOLLOW_SITE = "follow_site"
"""Kind of the jobs that replace an event by the site's; a job's key is what was asked."""
MAX_BYTES = 16 * 1024 * 1024
"""Most bytes of a compressed answer."""
MAX_SNAPSHOTS_PER_POLL = 20
IDLE_PAUSE = timedelta(seconds=20)
"""Pause between two questions while nothing is led there."""
QUESTION_PATH = "/mirror/snapshots/wanted"


def enqueue_due_polls() -> None:
    """Enqueue a job for each public site that is due to be asked. Two queries a site."""
    now = timezone.now()
    for site in PublicSite.objects.exclude(key=""):
        if site.asked_at is None or site.asked_at <= now - _get_pause(site) or is_ahead(site.asked_at, now):
            enqueue(kind=POLL_SITE, key=str(site.club_id), club_id=site.club_id)


def _get_pause(site: PublicSite) -> timedelta:
    if site.attempts:
        return RETRY_PAUSES[min(site.attempts, len(RETRY_PAUSES)) - 1]
    mirrors = Mirror.objects.filter(event__club=site.club_id, pairing=None, led_since=None)
    return timedelta() if mirrors.exists() else IDLE_PAUSE


def fetch_snapshots(club_id: int) -> None:
    """Take the newer or handed over snapshots of events that the public site leads. A snapshot that cannot be
    taken is noted as the trouble; the others are taken. Safe to repeat."""
    site = PublicSite.objects.select_related("club").filter(club=club_id).exclude(key="").first()
    if site is None:
        return
    refusals: dict[UUID, Refusal] = {}
    site_refusal = None
    try:
        for _ in range(MAX_SNAPSHOTS_PER_POLL):
            positions = {get_chain(event): get_position(event) for event in _select_recent_events(site.club)}
            question = MirrorQuestion(positions=positions, excluded_chains=list(refusals), clock_ahead=site.clock_ahead)
            requested_at = timezone.now()
            compressed, message = _fetch_answer(site, question)
            if is_position_report(message.body):
                report = read_position_report(message.body)
                record_offset(
                    site, measure_offset(report.reported_at, requested_at=requested_at, answered_at=timezone.now())
                )
                if site.clock_ahead != question.clock_ahead:
                    continue  # the next question tells the site, whose countdowns are wrong until then
                _compare_positions(site.club, positions, report)
                break
            try:
                apply_snapshot(compressed, club=site.club)
            except Refusal as refusal:
                chain = find_chain(message.body)
                if chain is None or chain in refusals:
                    raise
                refusals[chain] = refusal
                if refusal.code == "snapshot_unreadable":
                    record_unreadable_snapshot(site, chain)
    except Refusal as refusal:
        site_refusal = refusal
    trouble = site_refusal or next(iter(refusals.values()), None)
    PublicSite.objects.filter(pk=site.pk).update(
        asked_at=timezone.now(),
        attempts=0 if site_refusal is None else site.attempts + 1,
        trouble=None if trouble is None else serialize_refusal(trouble),
    )


def _select_recent_events(club: Club) -> QuerySet[Event]:
    return select_shared_events(club, None)[:MAX_SHARED_EVENTS]


def _compare_positions(club: Club, positions: Mapping[UUID, Position], report: PositionReport) -> None:
    """Note disagreements about each event that has not changed here since the question. An event led here and
    no longer known there is sent again. One query, and one more for an event that stands elsewhere there."""
    for event in _select_recent_events(club):
        chain, local = get_chain(event), get_position(event)
        if local != positions.get(chain):
            continue
        knows_our_snapshot, remote = report.positions.get(chain, (False, None))
        is_known_here = remote is not None and has_known_snapshot(event, remote)
        if remote is not None and remote.is_leader and local.is_handing_over and knows_our_snapshot:
            SentEvent.objects.filter(event=event).update(handed_over=None, trouble=None)
            raise_revision(event.topic)
        if remote is None and local.is_leader:
            SentEvent.objects.filter(event=event).exclude(arrived_at=None).update(offers=[], revision=0)
        remote_state = RemoteState(position=remote, is_known_here=is_known_here, knows_our_snapshot=knows_our_snapshot)
        record_disagreement(event, remote_state)


def enqueue_follow(*, club: Club, event_id: int, by: Actor) -> Job:
    """Have a worker replace the event here by the one that the public site leads. Safe to repeat."""
    request = {"club": club.pk, "event": event_id, "by": serialize_actor(by)}
    return enqueue(kind=FOLLOW_SITE, key=json.dumps(request), topic=get_requests_topic(club), club_id=club.pk)


def run_follow(key: str) -> Event:
    """Replace the event as the key of the job says. Refuses: what ``follow_site`` refuses."""
    request = json.loads(key)
    club = Club.objects.get(pk=request["club"])
    return follow_site(club=club, event_id=request["event"], by=deserialize_actor(request["by"]))


def follow_site(*, club: Club, event_id: int, by: Actor) -> Event:
    """Replace the event here with the one that the public site leads. The event here is put away whole, with
    its history; the mirror has the number of marks that exist only there. Safe to repeat with the same key.

    Refuses: no_such_event; no_public_site; no_snapshot_there, if the site does not lead it; the reason why nothing
    comes; what ``apply_snapshot`` refuses.
    """
    site = find_public_site(club)
    event = select_shared_events(club, None).filter(pk=event_id).first()
    if site is None or not site.key or event is None:
        raise Refusal("no_public_site")
    compressed, message = _fetch_answer(site, MirrorQuestion(positions={get_chain(event): Position(head=None)}))
    if is_position_report(message.body):
        raise Refusal("no_snapshot_there")
    return _replace_event(club, event_id, compressed, by)


@transaction.atomic
def _replace_event(club: Club, event_id: int, compressed: bytes, by: Actor) -> Event:
    change = ClubChange(club.pk, "follow_site", by)
    event = lock_event(event_id, club.pk)
    if change.is_repeat:
        return event
    old_content, place = build_event_file(event), Event.objects.get(pk=event.pk)
    put_event_away(event, change)
    close_cards(topic=event.topic)
    mirror = apply_snapshot(compressed, club=club, replaced_event=place)
    new_content = build_event_file(Event.objects.select_related("club", "terms").get(pk=mirror.event_id))
    mirror.put_away = {"event": event.pk, "marks": count_missing_marks(old_content, new_content)}
    mirror.save(update_fields=["put_away"])
    change.record(name=event.name)
    return mirror.event


def count_missing_marks(content: Content, reference: Content) -> list[list[int]]:
    """Count by round and table the marks that one file has and the other has not."""
    missing = _count_marks(content) - _count_marks(reference)
    count: Counter[tuple[int, int]] = Counter()
    for (number, table, _), marks in missing.items():
        count[number, table] += marks
    return [[number, table, marks] for (number, table), marks in sorted(count.items())]


def _count_marks(content: Content) -> Counter[tuple[int, int, str]]:
    """Count the marks by round, table and digest of place, record and time; later changes to them do not
    matter."""
    matches = [
        (round_data["number"], table["number"], table.get("match"))
        for round_data in content["rounds"]
        for table in round_data["tables"]
    ]
    matches += [(withdrawn["round"], withdrawn["table"], withdrawn["match"]) for withdrawn in content["set_aside"]]
    return Counter(
        (number, table, compute_digest([mark["place"], mark["record"], mark["at"]]))
        for number, table, match in matches
        if match is not None
        for mark in match["marks"]
    )


def _fetch_answer(site: PublicSite, question: MirrorQuestion) -> tuple[bytes, SignedMessage]:
    """Return the public site's answer, compressed and unpacked: a snapshot or a report of positions. Refuses:
    why none comes."""
    try:
        answer = post_to_site(site, QUESTION_PATH, question.body, max_bytes=MAX_BYTES)
    except RequestNotSentError as trouble:
        raise build_silence_refusal(trouble) from trouble
    if answer.status != HTTPStatus.OK:
        raise build_refusal(answer.status, parse_json_object(answer.text))
    message = unpack_message(answer.content)
    if not message.is_signed_by(site.key):
        raise Refusal("snapshot_not_signed")
    return answer.content, message
