"""Stages, sections, ranking rules and phases of events, and ladders of seasons."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as s

from api.fields import Partial, typed_object
from engine.draws import FORMATS
from engine.draws.formats.interclub import MEETS
from engine.draws.formats.knockout import PLACES
from engine.draws.formats.mitchell import STAYS
from engine.draws.formats.progressive import FIRST_ROUND_ORDERS
from engine.draws.formats.round_robin import LEAVERS
from engine.draws.pairing_cost.targets import TARGETS
from engine.draws.schedules.foursomes import ODD_CHOICES
from engine.draws.stages.plans import CARRIED_CHOICES, TAKES_CHOICES
from engine.ladders import FEDERATION_COUNTS, Eligibility, Ladder, LadderFigure, LadderUnit, ladder_from_json
from engine.phases import PhaseRelease
from engine.ranking import (
    METRICS,
    UNPLAYED_KINDS,
    AcrossPools,
    Average,
    Bye,
    DisqualificationRule,
    UnplayedOpponent,
    ranking_rules_from_json,
)
from engine.ranking.ranking_rules import NUMBERS
from rules import MatchCriterion, TieRule


def _build_choice_field(values: Any, **more: Any) -> s.ChoiceField:
    return s.ChoiceField(choices=[str(value) for value in values], **more)


def _build_number_field(**more: Any) -> s.IntegerField:
    return s.IntegerField(allow_null=True, **more)


def _build_names_field(**more: Any) -> s.ListField:
    return s.ListField(child=s.CharField(), **more)


class StageSettings(Partial):
    """Settings of the format of a stage; each format has some of them (docs/development/draws.md)."""

    accelerated_rounds = _build_number_field()
    apart_rounds = _build_number_field(help_text="First rounds in which those in `avoid` are kept apart; null for all.")
    avoid = _build_names_field(help_text="Bonds that keep two apart if possible.")
    avoid_repeats = s.BooleanField()
    boards = _build_number_field(help_text="Tables of each team match.")
    byes = s.ListField(child=s.IntegerField())
    criteria = _build_names_field(help_text="Criteria of the draw, most important first.")
    feed_in = _build_number_field()
    first_round = _build_choice_field(FIRST_ROUND_ORDERS)
    forfeits_count = s.BooleanField()
    free = s.ListField(child=s.IntegerField(), allow_null=True)
    home = s.BooleanField(help_text="Whether each team match is played at the place of one of the teams.")
    leavers = _build_choice_field(LEAVERS)
    legs = s.IntegerField(help_text="How often two meet: 1 or 2.")
    meet = _build_choice_field(MEETS)
    mixes_sections = s.BooleanField(help_text="Whether the sections play together.")
    moves = _build_number_field(help_text="Teams promoted and relegated between two sections.")
    must_not = _build_names_field(help_text="Bonds that always keep two apart.")
    odd = _build_choice_field(ODD_CHOICES)
    places = _build_choice_field(PLACES, help_text="Places that are played for.")
    pool_size = _build_number_field()
    pools = _build_number_field(help_text="Number of pools.")
    rematch_after = _build_number_field()
    rounds = _build_number_field()
    second_final = s.BooleanField()
    separate = _build_names_field()
    side = s.IntegerField()
    stays = _build_choice_field(STAYS)
    tables = s.ListField(child=s.DictField())
    target = _build_choice_field(TARGETS)
    together = _build_names_field()


class EventStage(Partial):
    """A stage: a format, its settings and its entrants. Fields that are left out have their usual values."""

    always: ClassVar = ("format",)
    name = s.CharField(help_text="Name that the director gave it, or empty.")
    format = _build_choice_field(FORMATS)
    settings = typed_object(StageSettings)
    rounds = _build_number_field(help_text="Number of rounds; null for that of the format.")
    takes = _build_choice_field(
        TAKES_CHOICES, help_text="`all`; the first `count`; `count` of each pool; or `ranked` from `first` to `last`."
    )
    count = _build_number_field()
    first = _build_number_field()
    last = _build_number_field()
    carried = _build_choice_field(
        CARRIED_CHOICES, help_text="Earlier results that count: all, those among its entrants, or none."
    )
    beside = s.BooleanField(help_text="Whether it is played at the same time as the stage before it.")


class SectionOut(s.Serializer[Any]):
    """A section, with the tables where it plays; null for any."""

    name = s.CharField()
    first_table = _build_number_field()
    last_table = _build_number_field()


class MatchLength(Partial):
    """Length of a match: the first of games, hands and minutes ends it. Only values that are set."""

    games_to_win = _build_number_field()
    hands = _build_number_field()
    minutes = _build_number_field()
    decided_by = _build_choice_field(MatchCriterion)
    charlemagne_points = _build_number_field(help_text="Points of a game won by Charlemagne if points decide.")
    tie = _build_choice_field(
        TieRule, allow_null=True, help_text="What decides a level match; without it, it is a draw."
    )


@extend_schema_field(
    {
        "oneOf": [
            {"type": "integer", "minimum": 0},
            {"type": "string", "enum": [each.value for each in Average]},
        ]
    }
)
class Points(s.JSONField):
    """Points of a round that was not played: a number, or an average."""


def _build_unplayed_fields() -> dict[str, s.Field[Any, Any, Any, Any]]:
    """Return the fields for the value and the points of each kind of round without play."""
    worths = {name: _build_choice_field(Bye) for name in UNPLAYED_KINDS}
    return worths | {f"{name}_points": Points() for name in UNPLAYED_KINDS}


class _PhaseFields(s.Serializer[Any]):
    ruleset = s.DictField(help_text="Ruleset, with every house rule.")
    rules_name = s.CharField()
    match_format = typed_object(MatchLength)
    tie = _build_choice_field(TieRule)
    tables = s.ListField(child=s.IntegerField(min_value=1), help_text="First and last table.")
    released = _build_choice_field(
        PhaseRelease, help_text="When its results are public, and count in the public standings."
    )
    order = s.ListField(child=_build_choice_field(METRICS), help_text="Metric keys that rank it, first to last.")

    def get_fields(self) -> dict[str, Any]:
        return super().get_fields() | _build_unplayed_fields()


class PhaseSettings(Partial, _PhaseFields):
    """Settings that a phase has of its own."""


class PhaseOut(PhaseSettings):
    """Settings of a stage, a section or later rounds, as far as they differ from the event."""

    stage = s.IntegerField(help_text="Position of the stage, from 0; without it, the whole event.")
    section = s.CharField(help_text="Without it, all sections.")
    since = s.IntegerField(help_text="First round; without it, round 1.")


class RankingOut(s.Serializer[Any]):
    """Ranking rules: metrics in order, and the values of rounds."""

    order = s.ListField(child=_build_choice_field(METRICS), help_text="Metric keys, first to last.")

    def get_fields(self) -> dict[str, Any]:
        numbers = {name: s.IntegerField(allow_null=name == "most_byes_asked") for name in NUMBERS}
        rest = {
            "unplayed_opponent": _build_choice_field(UnplayedOpponent),
            "across_pools": _build_choice_field(AcrossPools),
            "disqualified": _build_choice_field(DisqualificationRule),
        }
        return super().get_fields() | numbers | _build_unplayed_fields() | rest

    def to_representation(self, instance: Any) -> Any:
        """Read the rules from their stored value."""
        return super().to_representation(ranking_rules_from_json(instance))


class RankingRulesIn(Partial, RankingOut):
    """Ranking rules. Fields that are left out have their usual values."""


class LadderOut(s.Serializer[Ladder]):
    """Rules for adding up the points of several nights."""

    counts = s.ChoiceField(
        choices=[each.value for each in FEDERATION_COUNTS], help_text="Figure of a night that adds up."
    )
    unit = s.ChoiceField(choices=[LadderUnit.PERSON.value, LadderUnit.PAIR.value])
    rank_points = s.ListField(child=s.IntegerField(), help_text="Points for rank 1, rank 2, and so on.")
    best = s.IntegerField(allow_null=True, help_text="Best nights that count; null for all.")
    least_nights = s.IntegerField(help_text="Nights needed to be ranked.")
    presence = s.IntegerField(help_text="Points for taking part in a night.")

    def to_representation(self, instance: Any) -> Any:
        """Read the ladder from its stored value."""
        return super().to_representation(ladder_from_json(instance))


class SeasonLadder(Partial, LadderOut):
    """Rules of one of the standings of a season. Fields that are left out have their usual values."""

    always: ClassVar = ("name",)
    name = s.CharField()
    counts = _build_choice_field(LadderFigure, help_text="Figure of a night that adds up.")
    unit = _build_choice_field(LadderUnit)
    who = _build_choice_field(Eligibility, help_text="Those who are ranked.")
    label = s.CharField(  # type: ignore[assignment]  # a serializer has a label of its own
        help_text="Only people with this label are ranked; empty for all."
    )
