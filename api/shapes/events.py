"""Events, entries and standings."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as s

from api.fields import HourField, typed_list
from clubs.models import HistoryRow
from engine.phases import phases_to_json
from rules import Side, match_format_to_json, ruleset_to_json
from tournaments.exports.presenters.standings import scale_figure
from tournaments.lifecycle import EventState
from tournaments.models import Adjustment, Event
from tournaments.rounds.place_labels import stage_title
from tournaments.standings.presenters import StandingsRow, StandingsStatus
from web.money import Charge

from .plans import EventStage, MatchLength, PhaseOut, RankingOut, SectionOut
from .rounds import StageNumber


class Shown(s.Serializer[Any]):
    """Visibility of an event to the public."""

    is_public = s.BooleanField(help_text="Whether its page is public.")
    entries = s.BooleanField(help_text="Whether the list of entries is public.")
    draw = s.BooleanField(help_text="Whether published rounds are public.")
    results = s.CharField()
    standings = s.CharField()
    names = s.CharField()
    silent_from = s.IntegerField(
        source="announced_silence", allow_null=True, help_text="First round whose results are hidden, or null."
    )


class EventOut(s.Serializer[Event]):
    """A club night or a tournament."""

    id = s.SlugField(source="short", help_text="Short name in the address of the event's page; it never changes.")
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
    starts_at = HourField(allow_null=True)
    ends_at = HourField(allow_null=True)
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
    stages = typed_list(EventStage)
    sections = SectionOut(many=True)
    ranking = RankingOut()
    phases = s.SerializerMethodField(help_text="What a stage, a section or later rounds have of their own.")

    @extend_schema_field(MatchLength)
    def get_format(self, event: Event) -> dict[str, Any]:
        return dict(match_format_to_json(event.terms.match_format))

    def get_rules(self, event: Event) -> dict[str, Any]:
        return dict(ruleset_to_json(event.terms.ruleset))

    @extend_schema_field(PhaseOut(many=True))
    def get_phases(self, event: Event) -> list[dict[str, Any]]:
        return phases_to_json(event.phases)


class PlayerOut(s.Serializer[Any]):
    id = s.IntegerField(source="pk")
    name = s.CharField()


class AdjustmentOut(s.Serializer[Adjustment]):
    """A bonus or a penalty that the director gave an entry."""

    id = s.IntegerField(source="pk")
    metric = s.CharField()
    amount = s.IntegerField()
    round = s.IntegerField(allow_null=True)
    reason = s.CharField()


class DueOut(s.Serializer[Charge]):
    """Fees of the players of an entry, in cents."""

    asked = s.IntegerField(source="amount")
    paid = s.IntegerField()
    owed = s.IntegerField()


def _rounds(says: str) -> s.ListField:
    return s.ListField(child=s.IntegerField(), allow_null=True, help_text=says)


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
    team = s.CharField(allow_null=True, help_text="Club that it plays for.")
    rating = s.IntegerField(allow_null=True)
    table = s.IntegerField(allow_null=True, help_text="The only table where it can sit, or null.")
    side = s.ChoiceField(
        choices=list(Side.__members__), allow_null=True, help_text="The only side where it can sit, or null."
    )
    family = s.CharField(allow_null=True)
    car = s.CharField(allow_null=True)
    labels = s.CharField(allow_null=True, help_text="Labels for prize categories, with commas.")
    plays_from = s.IntegerField(allow_null=True, help_text="Its first round; null while it is left out until it comes.")
    absent = _rounds("Rounds in which it is absent.")
    excused = _rounds("Those of them in which it is excused.")
    withdrawn = _rounds("Rounds that it missed before it returned.")
    byes_asked = _rounds("Rounds in which it has requested a bye.")
    adjustments = AdjustmentOut(many=True, allow_null=True)
    fees = DueOut(allow_null=True, help_text="Null if the event is free, or if the entry owes no fee.")


class Entries(s.Serializer[Any]):
    results = EntryOut(many=True)


class Figures(s.DictField):
    """Values by metric, as a page shows them."""

    def to_representation(self, value: Any) -> dict[str, Any]:
        values: dict[str, Any] = super().to_representation(
            {key: scale_figure(key, value_stored) for key, value_stored in value}
        )
        return values


class RankOut(s.Serializer[Any]):
    rank = s.IntegerField()
    entry = s.IntegerField(help_text="Number of the entry.")
    entry_id = s.IntegerField(help_text="Id of the entry.")
    names = s.CharField()
    overall = s.IntegerField(allow_null=True, help_text="In a section's standings, the rank among all entries.")
    figures = Figures(
        child=s.FloatField(allow_null=True), help_text="Values by metric key; see `columns` for their order."
    )
    order = s.ListField(child=s.CharField(), help_text="Metric keys that rank it, first to last.")
    stage = StageNumber(
        allow_null=True, help_text="Number of its stage, if several finals are played at the same time."
    )
    stage_name = s.SerializerMethodField(help_text="Name of that stage, for example `Final A`, or empty.")
    pool = s.CharField(help_text="Letter of its pool while it is in one, or empty.")
    left_after = s.IntegerField(allow_null=True, help_text="Last round before it withdrew, or null.")
    is_disqualified = s.BooleanField()

    def get_stage_name(self, row: StandingsRow) -> str:
        return "" if row.stage is None else stage_title(self.context["call"].event.plan, row.stage)


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


class ActionOut(s.Serializer[HistoryRow]):
    """A change in the history. Undo it by its ``id``."""

    id = s.IntegerField(source="pk")
    kind = s.CharField(help_text="Kind of change, for example `close_round`.")
    at = s.DateTimeField(source="created_at")
    by = s.CharField(source="account.name", default=None, allow_null=True)
    origin = s.CharField(help_text="API key, device and IP address that made the change.")
    reason = s.CharField()
    undoes = s.IntegerField(source="undoes_id", allow_null=True, help_text="Id of the change it undid.")
    undone_by = s.IntegerField(
        source="undone_by.pk", default=None, allow_null=True, help_text="Id of the change that undid it."
    )
