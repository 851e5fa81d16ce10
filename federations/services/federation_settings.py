"""Services of a federation: its name, dates, points rules, and the feeds that it follows."""

import datetime
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor
from clubs.services.changes import ClubChange, get_row, validate_length
from engine.ladders import Eligibility, LadderUnit, ladder_from_json, ladder_to_json
from errors import Refusal, get_or_refuse
from federations.models import NAME_LENGTH, Federation, FollowedFeed
from jobs.services import enqueue
from web.names import clean_text
from web.outgoing import check_address, get_url_host

FETCH, ADD_UP = "fetch_feed", "add_up_federation"
"""Kinds of its tasks; their keys are the id of the feed, and of the federation."""
MAX_DURATION = datetime.timedelta(days=731)
MAX_FEEDS = 100


@transaction.atomic
def open_federation(
    *,
    club_id: int,
    name: str,
    starts: datetime.date,
    ends: datetime.date,
    ladder: Mapping[str, Any],
    by: Actor = NOBODY,
) -> Federation:
    """Create a federation run by the club. It follows no clubs yet. Safe to repeat with the same idempotency
    key.

    Refuses: federation_name_required, text_too_long, season_ends_before, season_too_long,
    ladder_of_people_only, and what ``ladder_from_json`` does.
    """
    values = _check_values(name, starts, ends, ladder)
    change = ClubChange(club_id, "open_federation", by)
    if change.is_repeat:
        return change.club.federations.get(key=by.key)
    federation = Federation.objects.create(club=change.club, key=by.key, **values)
    change.record(federation=federation.pk, name=federation.name)
    enqueue(kind=ADD_UP, key=str(federation.pk), club_id=club_id)
    return federation


@transaction.atomic
def change_federation(
    *,
    club_id: int,
    federation_id: int,
    name: str,
    starts: datetime.date,
    ends: datetime.date,
    ladder: Mapping[str, Any],
    by: Actor = NOBODY,
) -> Federation:
    """Change the name, dates or points rule of a federation. Safe to repeat.

    Refuses: no_such_federation, and what ``open_federation`` does.
    """
    values = _check_values(name, starts, ends, ladder)
    change, federation = _begin_change(club_id, "change_federation", federation_id, by)
    if not change.is_repeat:
        for field, value in values.items():
            setattr(federation, field, value)
        federation.save(update_fields=list(values))
        change.record(federation=federation.pk, name=federation.name)
        enqueue(kind=ADD_UP, key=str(federation.pk), club_id=club_id)
    return federation


@transaction.atomic
def end_federation(*, club_id: int, federation_id: int, by: Actor = NOBODY) -> None:
    """Delete a federation, with its pages and all data from its feeds. Safe to repeat with the same
    idempotency key.

    Refuses: no_such_federation.
    """
    change = ClubChange(club_id, "end_federation", by)
    if not change.is_repeat:
        federation = _find_federation(change, federation_id)
        change.record(name=federation.name)
        federation.delete()


@transaction.atomic
def follow_feed(*, club_id: int, federation_id: int, address: str, by: Actor = NOBODY) -> FollowedFeed:
    """Follow the feed of a club at this address. Later feeds must be signed with the key of the first one.
    Safe to repeat.

    Refuses: no_such_federation, too_many_feeds, and what ``check_address`` does.
    """
    address = check_address(address.strip())
    change, federation = _begin_change(club_id, "follow_feed", federation_id, by)
    existing = federation.feeds.filter(address=address).first()
    if existing is not None:
        return existing
    if federation.feeds.count() >= MAX_FEEDS:
        raise Refusal("too_many_feeds", field="address", most=MAX_FEEDS)
    feed = FollowedFeed.objects.create(federation=federation, address=address)
    change.record(federation=federation.pk, host=get_url_host(address))
    enqueue(kind=FETCH, key=str(feed.pk), club_id=club_id)
    return feed


@transaction.atomic
def unfollow_feed(*, club_id: int, federation_id: int, feed_id: int, by: Actor = NOBODY) -> None:
    """Stop following a feed. Its nights no longer count. Safe to repeat with the same idempotency key.

    Refuses: no_such_federation, no_such_feed.
    """
    change, federation = _begin_change(club_id, "unfollow_feed", federation_id, by)
    if not change.is_repeat:
        feed = get_row(federation.feeds.all(), feed_id, refusal_code="no_such_feed")
        change.record(federation=federation.pk, host=get_url_host(feed.address))
        feed.delete()
        enqueue(kind=ADD_UP, key=str(federation.pk), club_id=club_id)


@transaction.atomic
def fetch_now(*, club_id: int, federation_id: int) -> Federation:
    """Fetch all feeds of a federation now. Safe to repeat. Refuses: no_such_federation."""
    federation = get_or_refuse(Federation.objects.filter(club=club_id, pk=federation_id).first(), "no_such_federation")
    federation.feeds.update(due_at=timezone.now())
    for pk in federation.feeds.values_list("pk", flat=True):
        enqueue(kind=FETCH, key=str(pk), club_id=club_id)
    return federation


def _begin_change(club_id: int, kind: str, federation_id: int, by: Actor) -> tuple[ClubChange, Federation]:
    change = ClubChange(club_id, kind, by)
    return change, _find_federation(change, federation_id)


def _find_federation(change: ClubChange, federation_id: int) -> Federation:
    return get_row(change.club.federations.all(), federation_id, refusal_code="no_such_federation")


def _check_values(name: str, starts: datetime.date, ends: datetime.date, ladder: Mapping[str, Any]) -> dict[str, Any]:
    """Check the values, and return them as stored."""
    name = validate_length(clean_text(name), field="name", max_length=NAME_LENGTH)
    if not name:
        raise Refusal("federation_name_required", field="name")
    if ends < starts:
        raise Refusal("season_ends_before", field="ends")
    if ends - starts > MAX_DURATION:
        raise Refusal("season_too_long", field="ends", days=MAX_DURATION.days)
    rule = ladder_from_json({**ladder, "name": "ladder"})
    if rule.unit is LadderUnit.CLUB or rule.who is not Eligibility.ALL or rule.label:
        raise Refusal("ladder_of_people_only", field="unit")
    return {"name": name, "starts": starts, "ends": ends, "ladder": ladder_to_json(rule)}
