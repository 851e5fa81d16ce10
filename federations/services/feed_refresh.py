"""Fetch the feeds that a federation follows, check them and combine them. The last good feed stays until a
newer one arrives or the club withdraws it."""

from datetime import datetime, timedelta
from http import HTTPStatus

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from clubs.disk_quota import check_space
from engine.federations import compute_federation_standings
from engine.ladders import ladder_from_json
from engine.signed_logs import get_fingerprint
from errors import Refusal
from federations.feed_files import MAX_FEED_BYTES, SignedFeed, parse_feed, read_feed_file
from federations.models import REFRESH_INTERVAL, Federation, FollowedFeed
from federations.queries import list_stored_files
from federations.serialization import federation_standings_to_json
from jobs.delays import build_ahead_condition
from jobs.failures import serialize_refusal
from jobs.services import enqueue
from live.revisions import raise_revision
from web.outgoing import RemoteResponse, RequestNotSentError, get_url

from .federation_settings import ADD_UP, FETCH

RETRY_DELAYS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60))
"""Pauses after failed attempts; the last one repeats."""
MAX_SILENCE = timedelta(days=30)
"""How long the last feed is shown without any answer. People erased at the club must not stay for ever."""
WITHDRAWN_STATUSES = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})
REQUEST_TIMEOUT = 30.0
CLAIM_DURATION = timedelta(minutes=5)
"""How long a claimed fetch is left to one worker: well above the time of one attempt."""


def request_due_fetches() -> None:
    """Enqueue a task for each feed that is due. One query, and one for each feed due."""
    for pk, club_id in _select_due_feeds(timezone.now()).values_list("pk", "federation__club"):
        enqueue(kind=FETCH, key=str(pk), club_id=club_id)


def _select_due_feeds(now: datetime) -> QuerySet[FollowedFeed]:
    is_ahead = build_ahead_condition("due_at", now, longest_wait=RETRY_DELAYS[-1])
    return FollowedFeed.objects.filter(Q(due_at__lte=now) | is_ahead)


def fetch_feed(feed_id: int) -> None:
    """Fetch the feed if it is due. Store it if it is new and valid; otherwise record the refusal. Safe to
    repeat."""
    feed = FollowedFeed.objects.defer("content").filter(pk=feed_id).first()
    if feed is None or not _claim(feed):
        return
    try:
        response = _request_feed(feed)
        signed_feed = None if response.status == HTTPStatus.NOT_MODIFIED else read_feed_file(response.content)
        with transaction.atomic():
            _store_feed(feed_id, signed_feed, response)
    except Refusal as refusal:
        _record_failure(feed, refusal)


def combine_feeds(federation_id: int) -> None:
    """Combine all feeds of a federation by its points rules and store the result for its pages. Safe to
    repeat."""
    federation = Federation.objects.filter(pk=federation_id).first()
    if federation is None:
        return
    feeds = [parse_feed(each) for each in list_stored_files(federation)]
    rule = ladder_from_json(federation.ladder), federation.starts, federation.ends
    addresses = dict(federation.feeds.values_list("public_id", "address"))
    worked_out, now = (
        federation_standings_to_json(compute_federation_standings(feeds, *rule), feeds, addresses),
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
    claimable = _select_due_feeds(now).filter(pk=feed.pk, due_at=feed.due_at)
    return bool(claimable.update(due_at=now + CLAIM_DURATION))


def _request_feed(feed: FollowedFeed) -> RemoteResponse:
    """Request the feed. Refuses: feed_away, feed_withdrawn, feed_answers_otherwise, feed_too_large."""
    headers = {"Accept": "application/json", "User-Agent": "Charlemagne"}
    if feed.etag:
        headers["If-None-Match"] = feed.etag
    try:
        response = get_url(feed.address, headers, timeout=REQUEST_TIMEOUT, max_bytes=MAX_FEED_BYTES + 1)
    except RequestNotSentError as trouble:
        raise Refusal("feed_away") from trouble
    if response.status in WITHDRAWN_STATUSES:
        raise Refusal("feed_withdrawn")
    is_known = response.status == HTTPStatus.NOT_MODIFIED and bool(feed.etag)
    if response.status != HTTPStatus.OK and not is_known:
        raise Refusal("feed_answers_otherwise", status=response.status)
    if len(response.content) > MAX_FEED_BYTES:
        raise Refusal("feed_too_large", most=MAX_FEED_BYTES // 2**20)
    return response


def _store_feed(feed_id: int, signed_feed: SignedFeed | None, response: RemoteResponse) -> None:
    """Store the new feed, or that nothing changed (``signed_feed`` is None).

    Call it within a transaction. Refuses: club_disk_full, and what ``_is_new`` refuses.
    """
    feed = FollowedFeed.objects.select_for_update(of=("self",)).filter(pk=feed_id).first()
    if feed is None:
        return
    is_new = signed_feed is not None and _is_new(feed, signed_feed, response.text)
    if signed_feed is not None and is_new:
        if (growth := len(response.text) - len(feed.content)) > 0:
            check_space(feed.federation.club_id, growth)
        feed.public_id, feed.key, feed.number = signed_feed.id, signed_feed.key, signed_feed.number
        feed.club, feed.etag = signed_feed.data["club"], response.etag[:100]
        feed.content = response.text
    now = timezone.now()
    feed.heard_at, feed.due_at, feed.attempts, feed.trouble = now, now + REFRESH_INTERVAL, 0, None
    feed.save()
    if is_new:
        enqueue(kind=ADD_UP, key=str(feed.federation_id), club_id=feed.federation.club_id)
    raise_revision(f"federation:{feed.federation_id}")


def _is_new(feed: FollowedFeed, signed_feed: SignedFeed, content: str) -> bool:
    """Check that the feed is newer than the stored one. A feed with the same key but another id is accepted,
    whatever its number: the club turned its feed off and on again. So is another one with the same number,
    if it is dated later: the club was restored.

    Refuses: feed_not_signed, feed_of_another_club, feed_key_changed, feed_followed_already, feed_older.
    """
    if not signed_feed.is_signed:
        raise Refusal("feed_not_signed")
    if feed.key and not signed_feed.has_successor_key(feed.key):
        if feed.public_id != signed_feed.id:
            raise Refusal("feed_of_another_club")
        raise Refusal("feed_key_changed", key=get_fingerprint(signed_feed.key))
    others = FollowedFeed.objects.filter(federation=feed.federation_id, public_id=signed_feed.id)
    if others.exclude(pk=feed.pk).exists():
        raise Refusal("feed_followed_already")
    if signed_feed.id != feed.public_id or not feed.content or content == feed.content:
        return content != feed.content
    if (signed_feed.number, signed_feed.created_at) <= (feed.number, read_feed_file(feed.content).created_at):
        raise Refusal("feed_older")
    return True


def _record_failure(feed: FollowedFeed, refusal: Refusal) -> None:
    delay = RETRY_DELAYS[min(feed.attempts, len(RETRY_DELAYS) - 1)]
    now = timezone.now()
    is_silent = feed.heard_at is not None and now - feed.heard_at > MAX_SILENCE
    with transaction.atomic():
        feed_rows = FollowedFeed.objects.filter(pk=feed.pk)
        feed_rows.update(attempts=F("attempts") + 1, due_at=now + delay, trouble=serialize_refusal(refusal))
        if (refusal.code == "feed_withdrawn" or is_silent) and feed_rows.exclude(content="").exists():
            feed_rows.update(content="", etag="")
            enqueue(kind=ADD_UP, key=str(feed.federation_id), club_id=feed.federation.club_id)
        raise_revision(f"federation:{feed.federation_id}")
