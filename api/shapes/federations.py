"""What federations add up to."""

from typing import Any

from rest_framework import serializers as s

from api.fields import Hour
from engine.ladders import FEDERATION_COUNTS, Ladder, LadderUnit, ladder_from_json
from federations.models import Federation
from federations.presenters import (
    DateView,
    FederationNightView,
    FeedView,
    GainView,
    LineView,
    RatingView,
    StepView,
)


class LadderOut(s.Serializer[Ladder]):
    """How nights add up: what each brings, to whom, and which of them count; all do where `best` is null."""

    counts = s.ChoiceField(choices=[each.value for each in FEDERATION_COUNTS])
    unit = s.ChoiceField(choices=[LadderUnit.PERSON.value, LadderUnit.PAIR.value])
    rank_points = s.ListField(child=s.IntegerField(), help_text="Of the first, the second, …")
    best = s.IntegerField(allow_null=True)
    least_nights = s.IntegerField()
    presence = s.IntegerField(help_text="For being there.")

    def to_representation(self, instance: Any) -> Any:
        """Of a ladder as it is stored."""
        return super().to_representation(ladder_from_json(instance))


class FederationOut(s.Serializer[Federation]):
    """Points, ratings and dates of many clubs from one day to another, by a rule that the federation sets."""

    id = s.IntegerField(source="pk")
    name = s.CharField()
    starts = s.DateField()
    ends = s.DateField()
    ladder = LadderOut()
    worked_out_at = s.DateTimeField(allow_null=True, help_text="When all was last added up.")


class FollowedFeedOut(s.Serializer[FeedView]):
    """A club whose feed is followed; its name is empty until a feed has come."""

    id = s.IntegerField(source="feed.pk")
    club = s.CharField(source="feed.club")
    is_up_to_date = s.BooleanField()
    heard_at = s.DateTimeField(source="feed.heard_at", allow_null=True)


class FeedOut(s.Serializer[Any]):
    """What the club itself publishes for federations; empty in `address` and `key` where it is off."""

    is_on = s.BooleanField()
    address = s.CharField(help_text="Of the signed file: a federation follows it.")
    number = s.IntegerField(help_text="Grows with each file; 0 until the first is written, in a moment.")
    key = s.CharField(help_text="The digits of the key that signs, for whoever compares them.")


class Federations(s.Serializer[Any]):
    results = FederationOut(many=True)


class FollowedFeeds(s.Serializer[Any]):
    results = FollowedFeedOut(many=True)


class FederationNight(s.Serializer[FederationNightView]):
    """A night of a club: `page` is where the club shows it, `log` the line that signs its results; empty
    where there is none."""

    club = s.CharField()
    name = s.CharField()
    held_on = s.DateField()
    page = s.CharField()
    log = s.CharField()
    is_corrected = s.BooleanField()
    of = s.IntegerField(help_text="So many entries were there.")


class Gain(s.Serializer[GainView]):
    """What a night brought."""

    night = FederationNight()
    rank = s.IntegerField()
    gained = s.IntegerField()
    is_counted = s.BooleanField()


class FederationLine(s.Serializer[LineView]):
    key = s.CharField(help_text="Names the line in its address.")
    names = s.CharField()
    clubs = s.CharField()
    rank = s.IntegerField(allow_null=True, help_text="Null for who came too seldom.")
    total = s.IntegerField()
    nights = s.IntegerField()
    bonus = s.IntegerField(help_text="For being there, within the total.")


class FederationLineWhole(FederationLine):
    gains = Gain(many=True)


class FederationLadder(s.Serializer[Any]):
    """The first five hundred lines of `total`, best first."""

    total = s.IntegerField()
    results = FederationLine(many=True)


class Step(s.Serializer[StepView]):
    """A rating after a night, from so many matches in all."""

    night = FederationNight()
    rating = s.IntegerField()
    matches = s.IntegerField()


class FederationRating(s.Serializer[RatingView]):
    key = s.CharField(help_text="Names the rating in its address.")
    name = s.CharField()
    clubs = s.CharField()
    rank = s.IntegerField()
    rating = s.IntegerField()
    margin = s.IntegerField()
    matches = s.IntegerField()


class FederationRatingWhole(FederationRating):
    steps = Step(many=True)


class FederationRatings(s.Serializer[Any]):
    """The five hundred strongest of `total`."""

    total = s.IntegerField()
    results = FederationRating(many=True)


class FederationDate(s.Serializer[DateView]):
    day = s.DateField()
    starts_at = Hour(allow_null=True)
    club = s.CharField()
    name = s.CharField()
    place = s.CharField()
    page = s.CharField()
    is_off = s.BooleanField(help_text="It was called off.")


class FederationDates(s.Serializer[Any]):
    """What is ahead in all clubs."""

    results = FederationDate(many=True)
