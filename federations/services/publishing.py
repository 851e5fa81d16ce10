"""Services of a club's own feed. An owner turns it on; the worker writes and signs it when its content
changes."""

import json

from django.db import transaction
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor
from clubs.models import Club
from clubs.services.changes import ClubChange
from engine.checksums import to_canonical_json
from federations.feed_files import sign_feed
from federations.models import ClubFeed, PersonIdentity
from federations.queries import build_feed_content, get_feed_state, list_key_entries
from jobs.services import enqueue
from tournaments.signing.services import get_signing_key

WRITE = "write_feed"
"""Kind of its tasks; their key is the club's id."""


@transaction.atomic
def switch_feed_on(*, club_id: int, by: Actor = NOBODY) -> Club:
    """Publish what everybody may see of a club as a signed feed for federations. Safe to repeat."""
    change = ClubChange(club_id, "switch_feed_on", by)
    if not change.is_repeat:
        ClubFeed.objects.get_or_create(club=change.club)
        enqueue(kind=WRITE, key=str(club_id), club_id=club_id)
        change.record()
    return change.club


@transaction.atomic
def switch_feed_off(*, club_id: int, by: Actor = NOBODY) -> Club:
    """Stop publishing the feed. If it is turned on again, it is a new feed, with new ids for people and
    events and no links to people at other clubs. Safe to repeat."""
    change = ClubChange(club_id, "switch_feed_off", by)
    if not change.is_repeat:
        ClubFeed.objects.filter(club=change.club).delete()
        PersonIdentity.objects.filter(person__club=change.club).delete()
        change.record()
    return change.club


def request_due_feeds() -> None:
    """Enqueue a task for each feed whose content may have changed. Two queries for each club that has a
    feed."""
    for feed in ClubFeed.objects.select_related("club").defer("written"):
        if feed.state != get_feed_state(feed):
            enqueue(kind=WRITE, key=str(feed.club_id), club_id=feed.club_id)


@transaction.atomic
def renew_restored_feeds() -> None:
    """Have the feeds of a restored database written again, under new numbers: their followers may have later
    ones. Safe to repeat."""
    for feed in ClubFeed.objects.exclude(written=""):
        ClubFeed.objects.filter(pk=feed.pk).update(state="", written="", signature="")
        enqueue(kind=WRITE, key=str(feed.club_id))


@transaction.atomic
def write_feed(club_id: int) -> None:
    """Write and sign the feed. Its number grows, with the clock, when its content changes, also after a
    database was restored. Safe to repeat."""
    feed = ClubFeed.objects.select_for_update(of=("self",)).select_related("club").filter(club=club_id).first()
    if feed is None:
        return
    feed.state = get_feed_state(feed)
    key = get_signing_key(feed.club)
    content = {**build_feed_content(feed), "key": key.public, "keys": list_key_entries(feed.club)}
    now = timezone.now()
    previous = json.loads(feed.written) if feed.written else {}
    if content != {name: value for name, value in previous.items() if name not in ("number", "at")}:
        feed.number = max(feed.number + 1, int(now.timestamp()))
        content |= {"number": feed.number, "at": now.isoformat(timespec="seconds")}
        feed.written = to_canonical_json(content).decode()
        feed.signature = sign_feed(content, private=key.private)
    feed.save()
