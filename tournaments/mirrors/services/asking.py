"""Questions to the public site for events led there: it cannot reach the laptop, which has no address."""

import json
from collections import Counter
from collections.abc import Mapping
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from clubs.audit.log import Actor, actor_from_json, actor_to_json
from clubs.models import Club
from clubs.services.changes import ClubChange
from engine.sums import digest_of
from errors import Refusal
from jobs.failures import job_refusal_to_json
from jobs.models import Job
from jobs.services import enqueue
from scoring.services import close_cards
from tournaments.event_files import Content
from tournaments.event_files.queries import event_file_of
from tournaments.mirrors.agreement import OtherSide, Position
from tournaments.mirrors.queries import (
    MOST_ASKED_FOR,
    chain_of,
    knows_snapshot,
    position_of,
    public_site_of,
    requests_topic,
    shared_events,
)
from tournaments.mirrors.snapshots import (
    MirrorQuestion,
    PositionReport,
    SignedMessage,
    is_position_report,
    read_position_report,
    read_snapshot,
    unpack,
)
from tournaments.models import Event, Mirror, PublicSite, SentEvent
from web.outgoing import NotSent

from .clocks import note_clock, seconds_ahead
from .leading import held_event, put_aside
from .receive import take_snapshot
from .sending import OK, PAUSES, post_to_site, read_answer, refusal_of, silence
from .settling import note_disagreement

ASK = "ask_for_snapshots"
"""Kind of these jobs; a job's key is that of the club."""
FOLLOW = "follow_site"
"""Kind of the jobs that replace an event by the site's; a job's key is what was asked."""
MOST_BYTES = 16 * 1024 * 1024
"""Most bytes of a compressed answer."""
MOST_AT_ONCE = 20
WHILE_NOTHING = timedelta(seconds=20)
"""Pause between two questions while nothing is led there."""
WANTED = "/mirror/snapshots/wanted"


def request_due_questions() -> None:
    """Enqueue a job for each public site that is due to be asked. Two queries a site."""
    now = timezone.now()
    for site in PublicSite.objects.exclude(key=""):
        if site.asked_at is None or site.asked_at + _pause(site) <= now:
            enqueue(kind=ASK, key=str(site.club_id), club_id=site.club_id)


def _pause(site: PublicSite) -> timedelta:
    if site.attempts:
        return PAUSES[min(site.attempts, len(PAUSES)) - 1]
    mirrors = Mirror.objects.filter(event__club=site.club_id, pairing=None, led_since=None)
    return timedelta() if mirrors.exists() else WHILE_NOTHING


def ask_for_snapshots(club_id: int) -> None:
    """Take the newer or handed over snapshots of events that the public site leads. A snapshot that cannot be
    taken is noted as the trouble; the others are taken. Safe to repeat."""
    site = PublicSite.objects.select_related("club").filter(club=club_id).exclude(key="").first()
    if site is None:
        return
    refused: dict[UUID, Refusal] = {}
    silent = None
    try:
        for _ in range(MOST_AT_ONCE):
            has = {chain_of(event): position_of(event) for event in _last_shared(site.club)}
            question = MirrorQuestion(has=has, without=list(refused), clock_ahead=site.clock_ahead)
            asked_at = timezone.now()
            packed, signed = _answer(site, question)
            if is_position_report(signed.body):
                report = read_position_report(signed.body)
                note_clock(site, seconds_ahead(report.at, asked_at=asked_at, answered_at=timezone.now()))
                _compare(site.club, has, report)
                break
            chain = read_snapshot(signed.body).chain
            try:
                take_snapshot(packed, club=site.club)
            except Refusal as refusal:
                refused[chain] = refusal
    except Refusal as refusal:
        silent = refusal
    trouble = silent or next(iter(refused.values()), None)
    PublicSite.objects.filter(pk=site.pk).update(
        asked_at=timezone.now(),
        attempts=0 if silent is None else site.attempts + 1,
        trouble=None if trouble is None else job_refusal_to_json(trouble),
    )


def _last_shared(club: Club) -> QuerySet[Event]:
    return shared_events(club, None)[:MOST_ASKED_FOR]


def _compare(club: Club, asked: Mapping[UUID, Position], report: PositionReport) -> None:
    """Note disagreements about each event that has not changed here since the question. An event led here and
    no longer known there is sent again. One query, and one more for an event that stands elsewhere there."""
    for event in _last_shared(club):
        chain, mine = chain_of(event), position_of(event)
        if mine != asked.get(chain):
            continue
        knows_ours, theirs = report.has.get(chain, (False, None))
        is_known_here = theirs is not None and knows_snapshot(event, theirs)
        if theirs is not None and theirs.leads and mine.hands_over and knows_ours:
            SentEvent.objects.filter(event=event).update(handed_over=None, trouble=None)
        if theirs is None and mine.leads:
            SentEvent.objects.filter(event=event).exclude(arrived_at=None).update(offers=[], revision=0)
        other = OtherSide(position=theirs, is_known_here=is_known_here, knows_ours=knows_ours)
        note_disagreement(event, other)


def ask_to_follow(*, club: Club, event_id: int, by: Actor) -> Job:
    """Have a worker replace the event here by the one that the public site leads. Safe to repeat."""
    asked = {"club": club.pk, "event": event_id, "by": actor_to_json(by)}
    return enqueue(kind=FOLLOW, key=json.dumps(asked), topic=requests_topic(club), club_id=club.pk)


def follow_as_asked(key: str) -> Event:
    """Replace the event as the key of the job says. Refuses: what ``follow_site`` refuses."""
    asked = json.loads(key)
    club = Club.objects.get(pk=asked["club"])
    return follow_site(club=club, event_id=asked["event"], by=actor_from_json(asked["by"]))


def follow_site(*, club: Club, event_id: int, by: Actor) -> Event:
    """Replace the event here by the one that the public site leads. The event here is put away whole, with
    its history; the mirror says how many marks exist only there. Safe to repeat with the same key.

    Refuses: no_such_event; no_public_site; no_snapshot_there, where it is not led there; why nothing comes;
    what ``take_snapshot`` refuses.
    """
    site = public_site_of(club)
    event = shared_events(club, None).filter(pk=event_id).first()
    if site is None or not site.key or event is None:
        raise Refusal("no_public_site")
    packed, signed = _answer(site, MirrorQuestion(has={chain_of(event): Position(head=None)}))
    if is_position_report(signed.body):
        raise Refusal("no_snapshot_there")
    return _follow(club, event_id, packed, by)


@transaction.atomic
def _follow(club: Club, event_id: int, packed: bytes, by: Actor) -> Event:
    change = ClubChange(club.pk, "follow_site", by)
    event = held_event(event_id, club.pk)
    if change.is_repeat:
        return event
    before, place = event_file_of(event), Event.objects.get(pk=event.pk)
    put_aside(event, change)
    close_cards(topic=event.topic)
    mirror = take_snapshot(packed, club=club, place_of=place)
    now = event_file_of(Event.objects.select_related("club", "terms").get(pk=mirror.event_id))
    mirror.put_away = {"event": event.pk, "marks": marks_only_in(before, now)}
    mirror.save(update_fields=["put_away"])
    change.record(name=event.name)
    return mirror.event


def marks_only_in(one: Content, other: Content) -> list[list[int]]:
    """Count by round and table the marks that one file has and the other has not."""
    lacking = _marks_of(one) - _marks_of(other)
    count: Counter[tuple[int, int]] = Counter()
    for (number, table, _), marks in lacking.items():
        count[number, table] += marks
    return [[number, table, marks] for (number, table), marks in sorted(count.items())]


def _marks_of(content: Content) -> Counter[tuple[int, int, str]]:
    """Count the marks by round, table and digest of place, record and time; later changes to them do not
    matter."""
    played = [
        (drawn["number"], table["number"], table.get("match"))
        for drawn in content["rounds"]
        for table in drawn["tables"]
    ]
    played += [(each["round"], each["table"], each["match"]) for each in content["set_aside"]]
    return Counter(
        (number, table, digest_of([mark["place"], mark["record"], mark["at"]]))
        for number, table, match in played
        if match is not None
        for mark in match["marks"]
    )


def _answer(site: PublicSite, question: MirrorQuestion) -> tuple[bytes, SignedMessage]:
    """Return the public site's answer, compressed and unpacked: a snapshot or a report of positions. Refuses:
    why none comes."""
    try:
        answer = post_to_site(site, WANTED, question.body, most=MOST_BYTES)
    except NotSent as trouble:
        raise silence(trouble) from trouble
    if answer.status != OK:
        raise refusal_of(answer.status, read_answer(answer.text))
    signed = unpack(answer.content)
    if not signed.is_of(site.key):
        raise Refusal("snapshot_not_signed")
    return answer.content, signed
