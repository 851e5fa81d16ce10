"""Clubs and their people."""

from typing import Any

from rest_framework import serializers as s

from api.fields import Hour
from clubs.models import ChangedDate, Club, DuesPeriod, Person, RecurringNight
from tournaments.models import Season


class ClubOut(s.Serializer[Club]):
    id = s.SlugField(source="slug", help_text="As in the address of its page; it never changes.")
    name = s.CharField()
    language = s.CharField()
    time_zone = s.CharField()
    ruleset = s.CharField(source="usual_ruleset", help_text="What it usually plays.")


class ChangedDateOut(s.Serializer[ChangedDate]):
    """A day on which it is not held; null in ``moved_to`` where it is cancelled."""

    on = s.DateField()
    moved_to = s.DateField(allow_null=True)
    reason = s.CharField()


class NightOut(s.Serializer[RecurringNight]):
    """A night of the calendar, which comes again."""

    id = s.IntegerField(source="pk")
    name = s.CharField()
    pattern = s.CharField()
    first_on = s.DateField()
    last_on = s.DateField(allow_null=True)
    starts_at = Hour()
    ends_at = Hour(allow_null=True)
    place = s.CharField(source="hall")
    changed_dates = ChangedDateOut(many=True)


class Nights(s.Serializer[Any]):
    results = NightOut(many=True)


class DuesOut(s.Serializer[DuesPeriod]):
    """What is asked of members for a time; ``amount`` in cents."""

    id = s.IntegerField(source="pk")
    name = s.CharField()
    amount = s.IntegerField()
    starts = s.DateField()
    ends = s.DateField()


class AllDues(s.Serializer[Any]):
    results = DuesOut(many=True)


class SeasonOut(s.Serializer[Season]):
    """What a season adds up, as it is said to change it: of each ladder what is not as usual. Events in
    ``left_out`` do not count; once it is closed nothing of it changes."""

    id = s.IntegerField(source="pk")
    name = s.CharField()
    starts = s.DateField()
    ends = s.DateField()
    ladders = s.ListField(child=s.DictField())
    left_out = s.ListField(child=s.IntegerField())
    is_closed = s.SerializerMethodField()

    def get_is_closed(self, season: Season) -> bool:
        return season.closed_at is not None


class PersonOut(s.Serializer[Person]):
    id = s.IntegerField(source="pk")
    name = s.CharField()
    contact = s.CharField()
    is_guest = s.BooleanField()
    is_active = s.BooleanField()
    shows_full_name = s.BooleanField()
    family = s.CharField(source="family.name", default="")
    labels = s.ListField(child=s.CharField())
    is_rated = s.BooleanField()
    is_hidden = s.BooleanField()


class TokenOut(s.Serializer[Any]):
    """Who a program is here, and what it may do."""

    name = s.CharField()
    club = s.SlugField(source="club.slug")
    scope = s.CharField()
    lasts_until = s.DateTimeField()


class Done(s.Serializer[Any]):
    """It is done; ``id`` names what was made, where something was."""

    id = s.IntegerField(allow_null=True)
