"""Federations, feeds, standings and ratings across clubs."""

from typing import Any

from rest_framework import serializers as s

from api.fields import HourField
from federations.models import Federation, FollowedFeed
from federations.presenters import DateView, FederationNightView, GainView, LineView, RatingView, StepView

from .plans import LadderOut


class FederationOut(s.Serializer[Federation]):
    """A federation: standings, ratings and calendar of several clubs for a period."""

    id = s.IntegerField(source="pk")
    name = s.CharField()
    starts = s.DateField()
    ends = s.DateField()
    ladder = LadderOut()
    worked_out_at = s.DateTimeField(allow_null=True, help_text="When its standings were last computed.")


class FollowedFeedOut(s.Serializer[FollowedFeed]):
    """A club that the federation follows."""

    id = s.IntegerField(source="pk")
    club = s.CharField(help_text="Name of the club; empty until its feed arrives.")
    is_up_to_date = s.BooleanField()
    heard_at = s.DateTimeField(allow_null=True, help_text="When the feed last answered.")


class FeedOut(s.Serializer[Any]):
    """The club's own feed for federations. `address` and `key` are empty if it is off."""

    is_on = s.BooleanField()
    address = s.CharField(help_text="Address of the signed file, for federations to follow.")
    number = s.IntegerField(help_text="Number of the current file; 0 until the first one is written.")
    key = s.CharField(help_text="Fingerprint of the signing key.")


class Federations(s.Serializer[Any]):
    results = FederationOut(many=True)


class FollowedFeeds(s.Serializer[Any]):
    results = FollowedFeedOut(many=True)


class FederationNight(s.Serializer[FederationNightView]):
    """A night of a club."""

    club = s.CharField()
    name = s.CharField()
    held_on = s.DateField()
    page = s.CharField(help_text="Address of the night at the club, or empty.")
    log = s.CharField(help_text="Address of the signed entry in its results log, or empty.")
    is_corrected = s.BooleanField()
    of = s.IntegerField(help_text="Number of entries.")


class Gain(s.Serializer[GainView]):
    """Points gained in one night."""

    night = FederationNight()
    rank = s.IntegerField()
    gained = s.IntegerField(help_text="Points.")
    is_counted = s.BooleanField(help_text="Whether the night counts in the total.")


class FederationLine(s.Serializer[LineView]):
    key = s.CharField(help_text="Key of the line, used in paths.")
    names = s.CharField()
    clubs = s.CharField()
    rank = s.IntegerField(allow_null=True, help_text="Null with fewer nights than the federation requires.")
    total = s.IntegerField()
    nights = s.IntegerField()
    bonus = s.IntegerField(help_text="Points for taking part, included in `total`.")


class FederationLineWhole(FederationLine):
    gains = Gain(many=True)


class FederationLadder(s.Serializer[Any]):
    """The first 500 lines, best first; `total` is the number of lines."""

    total = s.IntegerField()
    results = FederationLine(many=True)


class Step(s.Serializer[StepView]):
    """A rating after a night."""

    night = FederationNight()
    rating = s.IntegerField()
    matches = s.IntegerField()


class FederationRating(s.Serializer[RatingView]):
    key = s.CharField(help_text="Key of the rating, used in paths.")
    name = s.CharField()
    clubs = s.CharField()
    rank = s.IntegerField()
    rating = s.IntegerField()
    margin = s.IntegerField(help_text="Uncertainty of the rating, plus or minus.")
    matches = s.IntegerField()


class FederationRatingWhole(FederationRating):
    steps = Step(many=True)


class FederationRatings(s.Serializer[Any]):
    """The 500 strongest players; `total` is the number of players."""

    total = s.IntegerField()
    results = FederationRating(many=True)


class FederationDate(s.Serializer[DateView]):
    day = s.DateField()
    starts_at = HourField(allow_null=True)
    club = s.CharField()
    name = s.CharField()
    place = s.CharField()
    page = s.CharField()
    is_off = s.BooleanField(help_text="Whether it is cancelled.")


class FederationDates(s.Serializer[Any]):
    """Upcoming nights and tournaments of all clubs."""

    results = FederationDate(many=True)
