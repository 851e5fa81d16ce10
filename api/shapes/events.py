"""Events, entries and standings."""

from typing import Any

from rest_framework import serializers as s

from api.fields import Hour
from engine.phases import phases_to_json
from rules import match_format_to_json, ruleset_to_json
from tournaments.exports.presenters.standings import figure
from tournaments.lifecycle import EventState
from tournaments.models import Event
from tournaments.standings.presenters import StandingsStatus


class Shown(s.Serializer[Any]):
    """Visibility of an event to the public."""

    is_public = s.BooleanField(help_text="Whether its page is public.")
    entries = s.BooleanField(help_text="Whether the list of entries is public.")
    draw = s.BooleanField(help_text="Whether published rounds are public.")
    results = s.CharField()
    standings = s.CharField()
    names = s.CharField()
    silent_from = s.IntegerField(allow_null=True, help_text="First round whose results are hidden, or null.")


class EventOut(s.Serializer[Event]):
    """A club night or a tournament."""

    id = s.SlugField(
        source="short", help_text="Short name in the address of the event's page; it never changes."
    )
    club = s.SlugField(source="club.slug")
    name = s.CharField()
    held_on = s.DateField()
    state = s.ChoiceField(choices=EventState.values)
    ruleset = s.CharField(source="terms.ruleset.key")
    rules_name = s.CharField(source="terms.rules_name", help_text="Name of the house rules, or empty.")
    entry_size = s.IntegerField(help_text="Players per entry: 1 or 2.")
    tables = s.IntegerField(source="table_count", help_text="Number of tables.")
    shows = Shown(source="visible")


class AnnouncementOut(s.Serializer[Any]):
    """Event details. Times are in the club's time zone. Values not set are empty or null."""

    last_day = s.DateField(allow_null=True, help_text="Last day of an event of several days, or null.")
    starts_at = Hour(allow_null=True)
    ends_at = Hour(allow_null=True)
    place = s.CharField()
    address = s.CharField()
    about = s.CharField()
    prizes = s.CharField()
    bring = s.CharField()
    contact = s.CharField()
    sign_up_until = s.DateField(allow_null=True, help_text="Last day to sign up.")
    is_called_off = s.BooleanField(help_text="Whether the event is cancelled.")
    reason_off = s.CharField(help_text="Why it is cancelled, for example a storm.")


class EventNews(EventOut):
    """A club night or a tournament, with its details."""

    announcement = AnnouncementOut()


class EventWhole(EventNews):
    """A club night or a tournament, with its details, match length and rules."""

    format = s.SerializerMethodField(help_text="Length of a match: games to win, hands or minutes.")
    rules = s.SerializerMethodField(help_text="Ruleset, with every house rule.")
    phases = s.SerializerMethodField(help_text="What a stage, a section or later rounds have of their own.")

    def get_format(self, event: Event) -> dict[str, Any]:
        return dict(match_format_to_json(event.terms.match_format))

    def get_rules(self, event: Event) -> dict[str, Any]:
        return dict(ruleset_to_json(event.terms.ruleset))

    def get_phases(self, event: Event) -> list[dict[str, Any]]:
        return phases_to_json(event.phases)


class PlayerOut(s.Serializer[Any]):
    id = s.IntegerField(source="pk")
    name = s.CharField()


class EntryOut(s.Serializer[Any]):
    """An entry: a pair or one person. Values for the club only are null for other readers."""

    number = s.IntegerField(help_text="Number within the event.")
    id = s.IntegerField(help_text="Id across all events, as in files.")
    names = s.CharField()
    section = s.CharField(allow_null=True)
    is_waiting = s.BooleanField(allow_null=True, help_text="Whether it is on the waiting list.")
    looks_for_partner = s.BooleanField(allow_null=True, help_text="Whether one person waits for a partner.")
    is_present = s.BooleanField(allow_null=True, help_text="Whether it has checked in.")
    leaves_after = s.IntegerField(allow_null=True, help_text="Last round before its withdrawal, or null.")
    disqualification = s.CharField(allow_null=True, help_text="Why it was disqualified; empty if it was not.")
    is_house = s.BooleanField(help_text="Whether it only completes a table, and has no rank.")
    players = PlayerOut(many=True, allow_null=True)


class Entries(s.Serializer[Any]):
    results = EntryOut(many=True)


class Figures(s.DictField):
    """Values by metric, as a page shows them."""

    def to_representation(self, value: Any) -> dict[str, Any]:
        shown: dict[str, Any] = super().to_representation({key: figure(key, kept) for key, kept in value})
        return shown


class RankOut(s.Serializer[Any]):
    rank = s.IntegerField()
    entry = s.IntegerField(help_text="Number of the entry.")
    entry_id = s.IntegerField(help_text="Id of the entry.")
    names = s.CharField()
    overall = s.IntegerField(
        allow_null=True, help_text="In a section's standings, the rank among all entries."
    )
    figures = Figures(
        child=s.FloatField(allow_null=True), help_text="Values by metric key; see `columns` for their order."
    )
    left_after = s.IntegerField(allow_null=True, help_text="Last round before it withdrew, or null.")
    is_disqualified = s.BooleanField()


class StandingsOut(s.Serializer[Any]):
    """Standings, as far as the reader may see them."""

    status = s.ChoiceField(choices=[status.value for status in StandingsStatus])
    is_final = s.BooleanField(
        help_text="Whether these are the final standings as published. Always false with the club's API key,"
        " which reads the current standings with later corrections."
    )
    is_outdated = s.BooleanField(help_text="Whether the published final standings would be others now.")
    after_round = s.IntegerField(help_text="Last complete round counted.")
    during_round = s.IntegerField(allow_null=True, help_text="Round in play whose results count, or null.")
    computed_at = s.DateTimeField(allow_null=True)
    section = s.CharField(help_text="Section shown; empty for all entries.")
    sections = s.ListField(child=s.CharField())
    columns = s.ListField(child=s.CharField(), help_text="Metric keys in the order of the columns.")
    results = RankOut(many=True, source="rows")
