"""API: a club's feed and its federations."""

from typing import Any

from django.urls import reverse
from django.utils import timezone
from rest_framework import serializers as s

from api.commands import command
from api.fields import body, change, maybe_number, number, one_of, text
from api.operation import Operation, ProgramCall, read
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
from clubs.absolute_urls import absolute_url
from clubs.policy import Permission
from engine.ladders import FEDERATION_COUNTS, LadderUnit
from federations.access import federation_for_everybody, first_of_month, only_line
from federations.models import ClubFeed, Federation
from federations.presenters import (
    LineView,
    RatingView,
    dates_ahead,
    feed_views,
    ladder_lines,
    month_lines,
    rating_lines,
)
from federations.services import federation_settings, publishing
from federations.sheets import month_table
from tournaments.signing.presenters import digits_of_key
from web.outgoing import LONGEST_ADDRESS
from web.sheets import Sheet

OWN = Permission.OWN
FEED, FEDERATIONS = f"{CLUB}/feed", f"{CLUB}/federations"
FEDERATION = f"{FEDERATIONS}/<int:federation_id>"
FEEDS = f"{FEDERATION}/feeds"


class LadderIn(s.Serializer[Any]):
    """Rules for adding up the points of several nights."""

    counts = one_of(FEDERATION_COUNTS)
    unit = one_of((LadderUnit.PERSON, LadderUnit.PAIR), default=LadderUnit.PERSON.value)
    rank_points = s.ListField(child=number(), max_length=100, default=list)
    best = maybe_number()
    least_nights = number(default=0)
    presence = number(default=0)


FEDERATION_FIELDS = {"name": text(), "starts": s.DateField(), "ends": s.DateField(), "ladder": LadderIn()}
FederationIn = body("FederationIn", **FEDERATION_FIELDS)
FederationChange = change("FederationChange", **FEDERATION_FIELDS)


def _federation(call: ProgramCall) -> Federation:
    return federation_for_everybody(call.path["slug"], call.path["federation_id"])


def _federation_now(call: ProgramCall) -> dict[str, Any]:
    federation = _federation(call)
    return {name: getattr(federation, name) for name in FEDERATION_FIELDS}


def _federations(call: ProgramCall) -> dict[str, Any]:
    return {"results": call.club.federations.defer("worked_out")}


def _feeds(call: ProgramCall) -> dict[str, Any]:
    return {"results": feed_views(_federation(call), now=timezone.now())}


def _ladder(call: ProgramCall) -> dict[str, Any]:
    lines = ladder_lines(_federation(call))
    return {"total": len(lines), "results": lines}


def _line(call: ProgramCall) -> LineView:
    return only_line(ladder_lines(_federation(call), key=call.path["key"]))


def _ratings(call: ProgramCall) -> dict[str, Any]:
    lines = rating_lines(_federation(call))
    return {"total": len(lines), "results": lines}


def _rating(call: ProgramCall) -> RatingView:
    return only_line(rating_lines(_federation(call), key=call.path["key"]))


def _dates(call: ProgramCall) -> dict[str, Any]:
    return {"results": dates_ahead(_federation(call))}


def _month(call: ProgramCall) -> Sheet:
    federation = _federation(call)
    month = first_of_month(call.path["year"], call.path["month"])
    return month_table(federation, month, month_lines(federation, month))


def _fetch(call: ProgramCall) -> Federation:
    return federation_settings.fetch_now(club_id=call.club.pk, federation_id=call.path["federation_id"])


def _feed(call: ProgramCall, _: Any = None) -> dict[str, Any]:
    feed = ClubFeed.objects.filter(club=call.club).only("number").first()
    if feed is None:
        return {"is_on": False, "address": "", "number": 0, "key": ""}
    return {
        "is_on": True,
        "address": absolute_url(call.request, reverse("feed", args=[call.club.slug])),
        "number": feed.number,
        "key": digits_of_key(call.club),
    }


OF_FEDERATIONS: list[Operation] = [
    read(
        FEED,
        "getFeed",
        "Get a club's feed for federations: whether it is on, and its address.",
        _feed,
        FeedOut,
    ),
    read(FEDERATIONS, "listFederations", "List the federations that a club runs.", _federations, Federations),
    read(FEDERATION, "getFederation", "Get a federation, with its points rule.", _federation, FederationOut),
    read(FEEDS, "listFollowedFeeds", "List the clubs that a federation follows.", _feeds, FollowedFeeds),
    read(
        f"{FEDERATION}/ladder",
        "getFederationLadder",
        "Get the standings over all clubs of a federation.",
        _ladder,
        FederationLadder,
    ),
    read(
        f"{FEDERATION}/ladder/<slug:key>",
        "getFederationLine",
        "Get the nights behind a line of the standings.",
        _line,
        FederationLineWhole,
    ),
    read(
        f"{FEDERATION}/ratings",
        "getFederationRatings",
        "Get the ratings over all clubs of a federation.",
        _ratings,
        FederationRatings,
    ),
    read(
        f"{FEDERATION}/ratings/<slug:key>",
        "getFederationRating",
        "Get a player's rating in a federation, night by night.",
        _rating,
        FederationRatingWhole,
    ),
    read(
        f"{FEDERATION}/calendar",
        "getFederationCalendar",
        "Get upcoming nights and tournaments of all clubs of a federation.",
        _dates,
        FederationDates,
    ),
    read(
        f"{FEDERATION}/months/<int:year>/<int:month>",
        "getFederationMonth",
        "Get the points that players earned in a month.",
        _month,
        SheetOut,
    ),
    command(
        FEDERATIONS,
        federation_settings.open_federation,
        OWN,
        takes=FederationIn,
        status=201,
        gives=FederationOut,
    ),
    command(
        FEDERATION,
        federation_settings.change_federation,
        OWN,
        method="put",
        takes=FederationChange,
        gives=FederationOut,
        keeps=_federation_now,
    ),
    command(FEDERATION, federation_settings.end_federation, OWN, method="delete"),
    command(
        FEEDS,
        federation_settings.follow_feed,
        OWN,
        takes=body("FollowIn", address=text(most=LONGEST_ADDRESS)),
        status=201,
    ),
    command(f"{FEEDS}/<int:feed_id>", federation_settings.unfollow_feed, OWN, method="delete"),
    Operation(
        method="post",
        path=f"{FEDERATION}/fetch",
        name="fetchFeeds",
        says="Fetch all feeds of a federation now.",
        needs=OWN,
        run=_fetch,
        gives=FederationOut,
    ),
    command(FEED, publishing.switch_feed_on, OWN, method="put", gives=FeedOut, answers=_feed),
    command(FEED, publishing.switch_feed_off, OWN, method="delete", gives=FeedOut, answers=_feed),
]
