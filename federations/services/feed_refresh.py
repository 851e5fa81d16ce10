"""Fetch the feeds that a federation follows, check them and combine them. The last good feed stays until a
newer one arrives or the club withdraws it."""

from datetime import timedelta
from http import HTTPStatus

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from engine.federations import federation_standings
from engine.ladders import ladder_from_json
from engine.signed_logs import fingerprint
from errors import Refusal
from federations.feed_files import MOST_BYTES, SignedFeed, feed_in, read_feed_file
from federations.models import Federation, FollowedFeed
from federations.queries import kept_files
from federations.serialization import federation_standings_to_json
from jobs.failures import job_refusal_to_json
from jobs.services import enqueue
from live.revisions import raise_revision
from web.outgoing import NotSent, RemoteResponse, get

from .federation_settings import ADD_UP, FETCH

EVERY = timedelta(minutes=15)
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60))
"""Pauses after failed attempts; the last one repeats."""
WITHOUT_AN_ANSWER = timedelta(days=30)
"""How long the last feed is shown without any answer. People erased at the club must not stay for ever."""
WITHDRAWN = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})
PATIENCE = 30.0
CLAIMED_FOR = timedelta(minutes=5)
"""How long a claimed fetch is left to one worker: well above the time of one attempt."""


def request_due_fetches() -> None:
    """Enqueue a task for each feed that is due. One query, and one for each feed due."""
    due = FollowedFeed.objects.filter(due_at__lte=timezone.now())
    for pk, club_id in due.values_list("pk", "federation__club"):
        enqueue(kind=FETCH, key=str(pk), club_id=club_id)


def fetch_feed(feed_id: int) -> None:
    """Fetch the feed if it is due. Store it if it is new and valid; otherwise record the refusal. Safe to
    repeat."""
    feed = FollowedFeed.objects.defer("content").filter(pk=feed_id).first()
    if feed is None or not _claim(feed):
        return
    try:
        answer = _ask_feed(feed)
        signed = None if answer.status == HTTPStatus.NOT_MODIFIED else read_feed_file(answer.content)
        with transaction.atomic():
            _keep(feed_id, signed, answer)
    except Refusal as refusal:
        _note_trouble(feed, refusal)


def add_up(federation_id: int) -> None:
    """Combine all feeds of a federation by its points rules and store the result for its pages. Safe to
    repeat."""
    federation = Federation.objects.filter(pk=federation_id).first()
    if federation is None:
        return
    feeds = [feed_in(each) for each in kept_files(federation)]
    rule = ladder_from_json(federation.ladder), federation.starts, federation.ends
    addresses = dict(federation.feeds.values_list("public_id", "address"))
    worked_out, now = (
        federation_standings_to_json(federation_standings(feeds, *rule), feeds, addresses),
        timezone.now(),
    )
    with transaction.atomic():
        found = Federation.objects.select_for_update(of=("self",)).filter(pk=federation_id).first()
        if found is not None and (ladder_from_json(found.ladder), found.starts, found.ends) == rule:
            found.worked_out, found.worked_out_at = worked_out, now
            found.save(update_fields=["worked_out", "worked_out_at"])
            raise_revision(found.topic)


def _claim(feed: FollowedFeed) -> bool:
    """Claim the fetch of a feed. One UPDATE decides which worker has it."""
    now = timezone.now()
    mine = FollowedFeed.objects.filter(pk=feed.pk, due_at=feed.due_at, due_at__lte=now)
    return bool(mine.update(due_at=now + CLAIMED_FOR))


def _ask_feed(feed: FollowedFeed) -> RemoteResponse:
    """Request the feed. Refuses: feed_away, feed_withdrawn, feed_answers_otherwise, feed_too_large."""
    headers = {"Accept": "application/json", "User-Agent": "Charlemagne"}
    if feed.etag:
        headers["If-None-Match"] = feed.etag
    try:
        answer = get(feed.address, headers, patience=PATIENCE, most=MOST_BYTES + 1)
    except NotSent as trouble:
        raise Refusal("feed_away") from trouble
    if answer.status in WITHDRAWN:
        raise Refusal("feed_withdrawn")
    is_known = answer.status == HTTPStatus.NOT_MODIFIED and bool(feed.etag)
    if answer.status != HTTPStatus.OK and not is_known:
        raise Refusal("feed_answers_otherwise", status=answer.status)
    if len(answer.content) > MOST_BYTES:
        raise Refusal("feed_too_large", most=MOST_BYTES // 2**20)
    return answer


def _keep(feed_id: int, signed: SignedFeed | None, answer: RemoteResponse) -> None:
    """Store the new feed, or that nothing changed (``signed`` is None). Call it within a transaction."""
    feed = FollowedFeed.objects.select_for_update(of=("self",)).filter(pk=feed_id).first()
    if feed is None:
        return
    is_new = signed is not None and _is_new(feed, signed, answer.text)
    if signed is not None and is_new:
        feed.public_id, feed.key, feed.number = signed.id, signed.key, signed.number
        feed.club, feed.etag = signed.plain["club"], answer.etag[:100]
        feed.content = answer.text
    now = timezone.now()
    feed.heard_at, feed.due_at, feed.attempts, feed.trouble = now, now + EVERY, 0, None
    feed.save()
    if is_new:
        enqueue(kind=ADD_UP, key=str(feed.federation_id), club_id=feed.federation.club_id)
    raise_revision(f"federation:{feed.federation_id}")


def _is_new(feed: FollowedFeed, signed: SignedFeed, written: str) -> bool:
    """Check that the feed is newer than the stored one. A feed with the same key but another id is accepted,
    whatever its number: the club turned its feed off and on again. So is another one with the same number,
    if it is dated later: the club was restored.

    Refuses: feed_not_signed, feed_of_another_club, feed_key_changed, feed_followed_already, feed_older.
    """
    if not signed.is_signed:
        raise Refusal("feed_not_signed")
    if feed.key and not signed.goes_on_from(feed.key):
        if feed.public_id != signed.id:
            raise Refusal("feed_of_another_club")
        raise Refusal("feed_key_changed", key=fingerprint(signed.key))
    others = FollowedFeed.objects.filter(federation=feed.federation_id, public_id=signed.id)
    if others.exclude(pk=feed.pk).exists():
        raise Refusal("feed_followed_already")
    if signed.id != feed.public_id or not feed.content or written == feed.content:
        return written != feed.content
    if (signed.number, signed.at) <= (feed.number, read_feed_file(feed.content).at):
        raise Refusal("feed_older")
    return True


def _note_trouble(feed: FollowedFeed, refusal: Refusal) -> None:
    pause = PAUSES[min(feed.attempts, len(PAUSES) - 1)]
    now = timezone.now()
    is_silent = feed.heard_at is not None and now - feed.heard_at > WITHOUT_AN_ANSWER
    with transaction.atomic():
        this = FollowedFeed.objects.filter(pk=feed.pk)
        this.update(attempts=F("attempts") + 1, due_at=now + pause, trouble=job_refusal_to_json(refusal))
        if (refusal.code == "feed_withdrawn" or is_silent) and this.exclude(content="").exists():
            this.update(content="", etag="")
            enqueue(kind=ADD_UP, key=str(feed.federation_id), club_id=feed.federation.club_id)
        raise_revision(f"federation:{feed.federation_id}")
