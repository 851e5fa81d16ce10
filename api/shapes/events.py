"""Events, who takes part, and the standings."""

from typing import Any

from rest_framework import serializers as s

from api.fields import Hour
from rules import match_format_to_json, ruleset_to_json
from tournaments.exports.presenters.standings import figure
from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.standings.presenters import StandingsStatus


class Shown(s.Serializer[Any]):
    """What everybody sees of it now."""

    is_public = s.BooleanField()
    entries = s.BooleanField()
    draw = s.BooleanField()
    results = s.CharField()
    standings = s.CharField()
    names = s.CharField()
    silent_from = s.IntegerField(allow_null=True)


class EventOut(s.Serializer[Event]):
    """A club night or a tournament."""

    id = s.SlugField(source="short", help_text="As in the address of its page; it never changes.")
    club = s.SlugField(source="club.slug")
    name = s.CharField()
    held_on = s.DateField()
    state = s.ChoiceField(choices=EventState.values)
    ruleset = s.CharField(source="terms.ruleset.key")
    rules_name = s.CharField(source="terms.rules_name")
    entry_size = s.IntegerField(help_text="How many people make an entry.")
    tables = s.IntegerField(source="table_count")
    shows = Shown(source="visible")


class AnnouncementOut(s.Serializer[Any]):
    """Hours are those of the club's clock. Empty where nobody has said."""

    last_day = s.DateField(allow_null=True, help_text="Of an event of several days.")
    starts_at = Hour(allow_null=True)
    ends_at = Hour(allow_null=True)
    place = s.CharField()
    address = s.CharField()
    about = s.CharField()
    prizes = s.CharField()
    bring = s.CharField()
    contact = s.CharField()
    sign_up_until = s.DateField(allow_null=True)
    is_called_off = s.BooleanField(help_text="It is not held.")
    reason_off = s.CharField(help_text="Why it is called off, such as a storm.")


class EventNews(EventOut):
    """The same with what its poster says."""

    announcement = AnnouncementOut()


class EventWhole(EventNews):
    """The same with the rules that it is played by, too."""

    format = s.SerializerMethodField()
    rules = s.SerializerMethodField()

    def get_format(self, event: Event) -> dict[str, Any]:
        return dict(match_format_to_json(event.terms.match_format))

    def get_rules(self, event: Event) -> dict[str, Any]:
        return dict(ruleset_to_json(event.terms.ruleset))


class PlayerOut(s.Serializer[Any]):
    id = s.IntegerField(source="pk")
    name = s.CharField()


class EntryOut(s.Serializer[Any]):
    """Who takes part: a pair, or somebody alone. What only the club sees is null for others."""

    number = s.IntegerField(help_text="Names it within its event.")
    id = s.IntegerField(help_text="Names it anywhere, as in files.")
    names = s.CharField()
    section = s.CharField(allow_null=True)
    is_waiting = s.BooleanField(allow_null=True)
    looks_for_partner = s.BooleanField(
        allow_null=True, help_text="One person who waits until the desk makes a pair of two."
    )
    is_present = s.BooleanField(allow_null=True)
    leaves_after = s.IntegerField(allow_null=True)
    players = PlayerOut(many=True, allow_null=True)


class Entries(s.Serializer[Any]):
    results = EntryOut(many=True)


class Figures(s.DictField):
    """By metric, as numbers that a page would show."""

    def to_representation(self, value: Any) -> dict[str, Any]:
        shown: dict[str, Any] = super().to_representation({key: figure(key, kept) for key, kept in value})
        return shown


class RankOut(s.Serializer[Any]):
    rank = s.IntegerField()
    entry = s.IntegerField()
    entry_id = s.IntegerField()
    names = s.CharField()
    overall = s.IntegerField(allow_null=True, help_text="The rank among all, in the list of a section.")
    figures = Figures(child=s.FloatField(allow_null=True), help_text="By metric.")
    left_after = s.IntegerField(allow_null=True)


class StandingsOut(s.Serializer[Any]):
    """The standings as whoever asks may see them."""

    status = s.ChoiceField(choices=[status.value for status in StandingsStatus])
    is_final = s.BooleanField(
        help_text="Whether they are as published. Never with a key of the club, which reads those of the "
        "moment, with what was corrected since."
    )
    after_round = s.IntegerField()
    during_round = s.IntegerField(allow_null=True)
    computed_at = s.DateTimeField(allow_null=True)
    section = s.CharField()
    sections = s.ListField(child=s.CharField())
    columns = s.ListField(child=s.CharField())
    results = RankOut(many=True, source="rows")
