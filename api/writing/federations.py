"""API: a club's feed and its federations."""

from typing import Any

from django.db import transaction
from django.urls import reverse
from rest_framework import serializers as s

from api.commands import own_command, read_fields
from api.fields import change_body, choice_field, integer_field, optional_integer_field, request_body, text_field
from api.operation import ApiCall, Operation, read_operation
from api.paths import CLUB
from api.shapes.federations import (
    FederationDates,
    FederationLadder,
    FederationLineWhole,
    FederationOut,
    FederationRatings,
    FederationRatingWhole,
    Federations,
    FeedOut,
    FollowedFeeds,
)
from api.sheets import SheetOut
from clubs.absolute_urls import build_absolute_url
from clubs.policy import Permission
from engine.ladders import FEDERATION_COUNTS, LadderUnit
from federations.access import get_federation, get_first_of_month, get_only_line
from federations.models import ClubFeed, Federation
from federations.presenters import (
    LineView,
    RatingView,
    list_ladder_lines,
    list_month_gains,
    list_rating_lines,
    list_upcoming_dates,
)
from federations.queries import list_federation_feeds
from federations.services import federation_settings, publishing
from federations.sheets import build_month_sheet
from tournaments.signing.presenters import get_key_fingerprint
from web.outgoing import MAX_URL_LENGTH
from web.sheets.tables import Sheet

OWN = Permission.OWN
FEED, FEDERATIONS = f"{CLUB}/feed", f"{CLUB}/federations"
FEDERATION = f"{FEDERATIONS}/<int:federation_id>"
FEEDS = f"{FEDERATION}/feeds"


class LadderIn(s.Serializer[Any]):
    """Rules for adding up the points of several nights."""

    counts = choice_field(FEDERATION_COUNTS)
    unit = choice_field((LadderUnit.PERSON, LadderUnit.PAIR), default=LadderUnit.PERSON.value)
    rank_points = s.ListField(child=integer_field(), max_length=100, default=list)
    best = optional_integer_field()
    least_nights = integer_field(default=0)
    presence = integer_field(default=0)


FEDERATION_FIELDS = {"name": text_field(), "starts": s.DateField(), "ends": s.DateField(), "ladder": LadderIn()}
FederationIn = request_body("FederationIn", **FEDERATION_FIELDS)
FederationChange = change_body("FederationChange", **FEDERATION_FIELDS)


def _get_federation(call: ApiCall) -> Federation:
    """Get a federation, with its points rule."""
    return get_federation(call.path["slug"], call.path["federation_id"])


def _list_federations(call: ApiCall) -> dict[str, Any]:
    """List the federations that a club runs."""
    return {"results": call.club.federations.defer("worked_out")}


def _list_followed_feeds(call: ApiCall) -> dict[str, Any]:
    """List the clubs that a federation follows."""
    return {"results": list_federation_feeds(_get_federation(call))}


def _get_federation_ladder(call: ApiCall) -> dict[str, Any]:
    """Get the standings over all clubs of a federation."""
    lines = list_ladder_lines(_get_federation(call))
    return {"total": len(lines), "results": lines}


def _get_federation_line(call: ApiCall) -> LineView:
    """Get the nights behind a line of the standings."""
    return get_only_line(list_ladder_lines(_get_federation(call), key=call.path["key"]))


def _get_federation_ratings(call: ApiCall) -> dict[str, Any]:
    """Get the ratings over all clubs of a federation."""
    lines = list_rating_lines(_get_federation(call))
    return {"total": len(lines), "results": lines}


def _get_federation_rating(call: ApiCall) -> RatingView:
    """Get a player's rating in a federation, night by night."""
    return get_only_line(list_rating_lines(_get_federation(call), key=call.path["key"]))


def _get_federation_calendar(call: ApiCall) -> dict[str, Any]:
    """Get upcoming nights and tournaments of all clubs of a federation."""
    return {"results": list_upcoming_dates(_get_federation(call))}


def _get_federation_month(call: ApiCall) -> Sheet:
    """Get the points that players earned in a month."""
    federation = _get_federation(call)
    month = get_first_of_month(call.path["year"], call.path["month"])
    return build_month_sheet(federation, month, list_month_gains(federation, month))


def _fetch(call: ApiCall) -> Federation:
    with transaction.atomic():
        call.check_before_change()
        return federation_settings.fetch_now(club_id=call.club.pk, federation_id=call.path["federation_id"])


def _get_feed(call: ApiCall, _: Any = None) -> dict[str, Any]:
    """Get a club's feed for federations: whether it is on, and its address."""
    feed = ClubFeed.objects.filter(club=call.club).only("number").first()
    if feed is None:
        return {"is_on": False, "address": "", "number": 0, "key": ""}
    return {
        "is_on": True,
        "address": build_absolute_url(call.request, reverse("feed", args=[call.club.slug])),
        "number": feed.number,
        "key": get_key_fingerprint(call.club),
    }


FEDERATION_OPERATIONS: list[Operation] = [
    read_operation(FEED, _get_feed, FeedOut),
    read_operation(FEDERATIONS, _list_federations, Federations),
    read_operation(FEDERATION, _get_federation, FederationOut),
    read_operation(FEEDS, _list_followed_feeds, FollowedFeeds),
    read_operation(f"{FEDERATION}/ladder", _get_federation_ladder, FederationLadder),
    read_operation(f"{FEDERATION}/ladder/<slug:key>", _get_federation_line, FederationLineWhole),
    read_operation(f"{FEDERATION}/ratings", _get_federation_ratings, FederationRatings),
    read_operation(f"{FEDERATION}/ratings/<slug:key>", _get_federation_rating, FederationRatingWhole),
    read_operation(f"{FEDERATION}/calendar", _get_federation_calendar, FederationDates),
    read_operation(f"{FEDERATION}/months/<int:year>/<int:month>", _get_federation_month, SheetOut),
    own_command(
        FEDERATIONS, federation_settings.open_federation, FederationIn, status=201, response_shape=FederationOut
    ),
    own_command(
        FEDERATION,
        federation_settings.change_federation,
        FederationChange,
        method="put",
        response_shape=FederationOut,
        read_current=read_fields(_get_federation, FEDERATION_FIELDS),
    ),
    own_command(FEDERATION, federation_settings.end_federation, method="delete"),
    own_command(
        FEEDS,
        federation_settings.follow_feed,
        request_body("FollowIn", address=text_field(max_length=MAX_URL_LENGTH)),
        status=201,
    ),
    own_command(f"{FEEDS}/<int:feed_id>", federation_settings.unfollow_feed, method="delete"),
    Operation(
        method="post",
        path=f"{FEDERATION}/fetch",
        name="fetchFeeds",
        description="Fetch all feeds of a federation now.",
        access=OWN,
        run=_fetch,
        response_shape=FederationOut,
    ),
    own_command(FEED, publishing.switch_feed_on, method="put", response_shape=FeedOut, build_response=_get_feed),
    own_command(FEED, publishing.switch_feed_off, method="delete", response_shape=FeedOut, build_response=_get_feed),
]
