"""Rounds, tables and hands."""

from typing import Any, ClassVar

from rest_framework import serializers as s

from engine.changes import ChangedTable, Changes, RankMove
from engine.charts import MatchPlace, PartKind, RoundKind
from engine.draws import ReasonCode
from engine.draws.lineups import ReasonJson
from engine.ranking import OutcomeKind
from rules import record_to_json
from scoring.queries import find_open_call
from tournaments.lifecycle import RoundState
from tournaments.rounds.byes import ByeKind
from tournaments.rounds.labels import describe_draw_reason
from tournaments.rounds.place_labels import format_stage_name, place_name
from tournaments.rounds.queries.team_matches import PostponementRequest


class ForTheClub(s.Serializer[Any]):
    """A serializer whose ``hidden`` fields are null for readers of other clubs."""

    hidden: ClassVar[tuple[str, ...]]

    def to_representation(self, instance: Any) -> Any:
        call = self.context.get("call")
        is_staff = call is not None and call.is_staff
        return super().to_representation(instance) | ({} if is_staff else dict.fromkeys(self.hidden))


class DrawnRound(ForTheClub):
    """A round and its draw."""

    hidden = ("lot", "price")
    number = s.IntegerField()
    state = s.ChoiceField(choices=RoundState.values)
    format = s.CharField(
        source="draw_format",
        help_text="Format of the draw, for example `swiss`; `stages` if several were drawn together.",
    )
    lot = s.IntegerField(
        source="seed", allow_null=True, help_text="Lot of the draw, to give as `seed`; only for the club."
    )
    price = s.DictField(
        child=s.IntegerField(),
        allow_null=True,
        help_text="Cost of the draw by criterion, empty if the format has none; only for the club.",
    )


class RoundLine(DrawnRound):
    published_at = s.DateTimeField(allow_null=True)
    closed_at = s.DateTimeField(allow_null=True)


class Rounds(s.Serializer[Any]):
    results = RoundLine(many=True)


class SideOut(s.Serializer[Any]):
    entries = s.ListField(child=s.IntegerField(), help_text="Numbers of the entries.")
    entry_ids = s.ListField(child=s.IntegerField(), help_text="Ids of the entries.")
    names = s.CharField()
    club = s.CharField()
    points = s.IntegerField(
        allow_null=True, help_text="Points in the game in play; after the match, the points that count."
    )
    games_won = s.IntegerField(allow_null=True)
    has_won = s.BooleanField()


class StageNumber(s.IntegerField):
    """Number of a stage from 1, stored from 0."""

    def to_representation(self, value: Any) -> Any:
        return value + 1


class PlaceOut(s.Serializer[MatchPlace]):
    """The place of a match in the event. Names are in the language of the request."""

    name = s.SerializerMethodField(help_text="For example, `Final A`, `Semifinal B`, `Pool B`.")
    stage_name = s.SerializerMethodField(help_text="Name of the stage, for example `Final A`; empty if it has none.")
    pool = s.CharField(help_text="Letter of the pool, or empty.")
    part = s.ChoiceField(
        choices=[kind.value for kind in PartKind],
        allow_null=True,
        help_text="Part of the bracket; null outside a bracket.",
    )
    round = s.ChoiceField(
        choices=[kind.value for kind in RoundKind],
        help_text="Round of the bracket; `round` if it has no name.",
    )
    first_place = s.IntegerField(help_text="Best place played for, in the part `places`.")
    last_place = s.IntegerField(help_text="Last place played for, in the part `places`.")
    clubs = s.ListField(child=s.CharField(), help_text="The two clubs that meet, or none; if `has_home`, home first.")
    has_home = s.BooleanField(help_text="Whether a team match is played at the place of the first club.")

    def get_name(self, place: MatchPlace) -> str:
        return place_name(place)

    def get_stage_name(self, place: MatchPlace) -> str:
        return format_stage_name(place)


class DrawReasonOut(s.Serializer[Any]):
    """A reason for a table or a bye, as far as the reader may see it."""

    code = s.ChoiceField(choices=[code.value for code in ReasonCode])
    text = s.SerializerMethodField(help_text="A sentence in the language of the request.")

    def get_text(self, reason: ReasonJson) -> str:
        return describe_draw_reason(reason)


class TableOut(s.Serializer[Any]):
    number = s.IntegerField()
    stage = StageNumber(help_text="Number of the stage, from 1.")
    place = PlaceOut(allow_null=True, help_text="Place in a pool, a bracket or one of several finals, or null.")
    reasons = DrawReasonOut(many=True)
    sides = SideOut(many=True, help_text="Side A, then side B.")
    is_over = s.BooleanField()
    is_contested = s.BooleanField(
        help_text="Whether two records of a hand differ. The round cannot close before one is chosen. False"
        " where hands are hidden."
    )
    postponed_to = s.DateField(
        allow_null=True, help_text="Day of a postponed team match; null if it is not postponed, or not known."
    )
    ruling = s.CharField(
        help_text="Director's ruling: ``forfeit`` (by both sides if neither has won), ``adjusted``, or"
        " ``awarded`` (a game); empty if the cards decided."
    )


class ByeOut(ForTheClub):
    hidden = ("reasons",)
    entry = s.IntegerField()
    entry_id = s.IntegerField()
    names = s.CharField()
    stage = StageNumber(help_text="Number of the stage, from 1.")
    reasons = DrawReasonOut(many=True, allow_null=True, help_text="Only for the club.")
    kind = s.ChoiceField(
        choices=[kind.value for kind in ByeKind],
        help_text="``bye``; in a bracket, ``waits`` for an opponent, or ``walkover``.",
    )
    counts_as = s.ChoiceField(
        choices=[
            OutcomeKind.BYE.value,
            OutcomeKind.SCHEDULED_BYE.value,
            OutcomeKind.REQUESTED_BYE.value,
        ],
        allow_null=True,
        help_text="How the ranking counts it: `bye`, `scheduled_bye`, `requested_bye`. Null if it counts"
        " nothing, or if the reader may not see standings with this round.",
    )


class ChangedTableOut(s.Serializer[ChangedTable]):
    """A table whose results changed. ``table`` is 0 for a bye."""

    round = s.IntegerField()
    table = s.IntegerField()


class RankMoveOut(s.Serializer[RankMove]):
    """The rank of an entry when something was made, and now; null where it has none."""

    entry = s.IntegerField()
    before = s.IntegerField(allow_null=True)
    after = s.IntegerField(allow_null=True)


class ChangesOut(s.Serializer[Changes]):
    """Changed results, and what would follow from them now. Entries by number."""

    tables = ChangedTableOut(many=True, help_text="Whose results changed.")
    order = s.BooleanField(help_text="Whether the order of the standings changed.")
    settings = s.BooleanField(help_text="Whether settings of the event or of an entry changed.")
    away = s.ListField(child=s.IntegerField(), help_text="Drawn, but absent.")
    left_out = s.ListField(child=s.IntegerField(), help_text="Present, but not drawn.")
    nights = s.ListField(child=s.IntegerField(), help_text="The nights of a season, by event.")
    pairings = s.ListField(
        child=s.ListField(child=s.ListField(child=s.IntegerField())),
        help_text="The tables and byes of a new draw with the same number that this one does not have.",
    )
    ranks = RankMoveOut(many=True, help_text="Whose rank would be another one.")


class PostponementRequestOut(s.Serializer[PostponementRequest]):
    """A captain's request to postpone a team match, not answered yet."""

    team = s.CharField(help_text="Team of the captain, to give with the answer; empty for the organizing club.")
    day = s.DateField(help_text="New date.")
    note = s.CharField(help_text="Reason, as typed.")
    tables = s.ListField(child=s.IntegerField(), help_text="Tables of the match.")


class RoundOut(DrawnRound):
    """A round with its tables, without results while they are hidden."""

    is_kept_back = s.BooleanField(help_text="Whether its results are hidden.")
    changes = ChangesOut(
        allow_null=True, help_text="Before it begins, what changed since it was drawn; only for the club."
    )
    tables = TableOut(many=True)
    byes = ByeOut(many=True)
    postponement_requests = PostponementRequestOut(many=True, help_text="Not answered yet; empty for other clubs.")


class HandOut(s.Serializer[Any]):
    number = s.IntegerField()
    hand = s.SerializerMethodField(help_text="The hand, as in docs/api/recorded-nights.md.")
    gained = s.IntegerField(help_text="Points gained by the side that scored more.")
    points = s.ListField(
        child=s.IntegerField(),
        allow_null=True,
        help_text="Points of sides A and B in the game, after the hand.",
    )
    is_corrected = s.BooleanField(help_text="Whether it replaces an earlier record.")
    is_contested = s.BooleanField(help_text="Whether two records of the hand differ.")

    def get_hand(self, line: Any) -> dict[str, Any]:
        return dict(record_to_json(line.record))


class GameOut(s.Serializer[Any]):
    number = s.IntegerField()
    points = s.ListField(child=s.IntegerField())
    hands = HandOut(many=True)


class TableWhole(TableOut):
    """A table with every hand, as far as results are public. ``match`` and ``code`` are for the club only."""

    games = GameOut(many=True)
    match = s.IntegerField(allow_null=True)
    code = s.CharField(allow_null=True, help_text="Six-digit code of the table.")


class MarkOut(s.Serializer[Any]):
    id = s.IntegerField(source="pk")
    number = s.IntegerField()
    status = s.CharField()
    hand = s.JSONField(source="record_data")


class MatchOut(s.Serializer[Any]):
    """The match in play at a table, with the hands that count."""

    match = s.IntegerField(source="pk")
    round = s.IntegerField(source="round_number")
    table = s.IntegerField(source="card.number")
    first_dealer = s.IntegerField(allow_null=True)
    players = s.SerializerMethodField()
    marks = MarkOut(many=True, source="marks.all")
    summary = s.JSONField()
    revision = s.IntegerField(help_text="Number that grows with each change.")
    is_disputed = s.SerializerMethodField(help_text="Whether the table has called the desk.")

    def get_players(self, match: Any) -> list[str]:
        return [player.person.name for player in match.players.all()]

    def get_is_disputed(self, match: Any) -> bool:
        return find_open_call(match) is not None


class DisputeOut(s.Serializer[Any]):
    """A table that has called the desk."""

    round = s.IntegerField(source="match.round_number")
    table = s.IntegerField(source="match.card.number")
    call = s.UUIDField(source="entry_key", allow_null=True, help_text="Id of the call, to give with the answer.")
    note = s.CharField(help_text="Note from the table.")
    since = s.DateTimeField(source="created_at")


class Disputes(s.Serializer[Any]):
    results = DisputeOut(many=True)


class MarkDone(s.Serializer[Any]):
    id = s.IntegerField(source="pk")
    status = s.CharField()
    summary = s.JSONField(source="match.summary")
