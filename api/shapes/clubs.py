"""Clubs and their people."""

from typing import Any

from rest_framework import serializers as s

from api.fields import HourField, typed_list
from clubs.models import ChangedDate, Club, DuesPeriod, Person, RecurringNight
from tournaments.models import Season
from tournaments.seasons.queries import find_season_changes

from .plans import SeasonLadder


class ClubOut(s.Serializer[Club]):
    id = s.SlugField(source="slug", help_text="Short name in the address of the club's page; it never changes.")
    name = s.CharField()
    language = s.CharField(help_text="Language code, `fr` or `en`.")
    time_zone = s.CharField(help_text="IANA name, for example `America/Toronto`.")
    ruleset = s.CharField(source="usual_ruleset", help_text="Key of the ruleset usually played.")


class ChangedDateOut(s.Serializer[ChangedDate]):
    """A cancelled or moved date of a recurring night."""

    on = s.DateField(help_text="Date of the pattern.")
    moved_to = s.DateField(allow_null=True, help_text="New date; null if cancelled.")
    reason = s.CharField()


class NightOut(s.Serializer[RecurringNight]):
    """A recurring night of the calendar."""

    id = s.IntegerField(source="pk")
    name = s.CharField()
    pattern = s.CharField()
    first_on = s.DateField(help_text="First date.")
    last_on = s.DateField(allow_null=True, help_text="Last date; null for no end.")
    starts_at = HourField()
    ends_at = HourField(allow_null=True)
    place = s.CharField(source="hall")
    changed_dates = ChangedDateOut(many=True)


class Nights(s.Serializer[Any]):
    results = NightOut(many=True)


class DuesOut(s.Serializer[DuesPeriod]):
    """Dues of a period, charged to members."""

    id = s.IntegerField(source="pk")
    name = s.CharField()
    amount = s.IntegerField(help_text="In cents.")
    starts = s.DateField()
    ends = s.DateField()


class AllDues(s.Serializer[Any]):
    results = DuesOut(many=True)


class SeasonOut(s.Serializer[Season]):
    """Settings of a season."""

    id = s.IntegerField(source="pk")
    name = s.CharField()
    starts = s.DateField()
    ends = s.DateField()
    ladders = typed_list(SeasonLadder, help_text="Rules of each of its standings; only values other than the default.")
    left_out = s.ListField(child=s.IntegerField(), help_text="Ids of events that do not count.")
    is_closed = s.SerializerMethodField(help_text="Whether its standings no longer change.")

    changed_nights = s.SerializerMethodField(
        help_text="The nights, by event, whose results changed after the season was closed."
    )

    def get_is_closed(self, season: Season) -> bool:
        return season.closed_at is not None

    def get_changed_nights(self, season: Season) -> list[int]:
        changes = find_season_changes(season)
        return [] if changes is None else list(changes.nights)


class PersonOut(s.Serializer[Person]):
    id = s.IntegerField(source="pk")
    name = s.CharField()
    contact = s.CharField(help_text="Telephone number or e-mail address.")
    is_guest = s.BooleanField()
    is_active = s.BooleanField()
    shows_full_name = s.BooleanField(help_text="Whether the public sees the full name.")
    family = s.CharField(source="family.name", default="")
    labels = s.ListField(child=s.CharField())
    is_rated = s.BooleanField(help_text="Whether the person has a rating.")
    is_hidden = s.BooleanField(help_text="Whether the public never sees the name.")


class TokenOut(s.Serializer[Any]):
    """The API key in use."""

    name = s.CharField()
    club = s.SlugField(source="club.slug")
    scope = s.CharField(help_text="What the key allows: `read`, `score`, `direct` or `manage`.")
    lasts_until = s.DateTimeField(help_text="When the key expires.")


class Done(s.Serializer[Any]):
    """The request is done."""

    id = s.IntegerField(allow_null=True, help_text="Id of the object created, or null.")
