"""Rounds, their tables, and the hands that were played there."""

from typing import Any

from rest_framework import serializers as s

from engine.ranking import OutcomeKind
from rules import record_to_json
from scoring.queries import open_dispute
from tournaments.lifecycle import RoundState
from tournaments.rounds.byes import ByeKind


class RoundLine(s.Serializer[Any]):
    number = s.IntegerField()
    state = s.ChoiceField(choices=RoundState.values)
    published_at = s.DateTimeField(allow_null=True)
    closed_at = s.DateTimeField(allow_null=True)


class Rounds(s.Serializer[Any]):
    results = RoundLine(many=True)


class SideOut(s.Serializer[Any]):
    entries = s.ListField(child=s.IntegerField(), help_text="Their numbers.")
    entry_ids = s.ListField(child=s.IntegerField())
    names = s.CharField()
    club = s.CharField()
    points = s.IntegerField(allow_null=True)
    games_won = s.IntegerField(allow_null=True)
    has_won = s.BooleanField()


class TableOut(s.Serializer[Any]):
    number = s.IntegerField()
    sides = SideOut(many=True, help_text="A, then B.")
    is_over = s.BooleanField()
    is_contested = s.BooleanField(
        help_text="Whether marks of a hand differ: the round is not closed until somebody has chosen. Only"
        " where hands are shown."
    )
    ruling = s.CharField(
        help_text="How the director decided it: a ``forfeit``, of both sides where neither has won,"
        " ``adjusted``, or ``awarded``, a game; empty where the cards did."
    )


class ByeOut(s.Serializer[Any]):
    entry = s.IntegerField()
    entry_id = s.IntegerField()
    names = s.CharField()
    kind = s.ChoiceField(
        choices=[kind.value for kind in ByeKind],
        help_text="In a bracket, ``waits`` for the other side, or goes on by a ``walkover``; else a ``bye``.",
    )
    counts_as = s.ChoiceField(
        choices=[OutcomeKind.BYE.value, OutcomeKind.REQUESTED_BYE.value],
        allow_null=True,
        help_text="What the ranking counts: a ``bye``, or a ``requested_bye``. Null"
        " where it counts nothing, and where whoever asks may not see the standings with this round.",
    )


class RoundOut(s.Serializer[Any]):
    """A round with its tables; where its results are kept back, without them."""

    number = s.IntegerField()
    state = s.ChoiceField(choices=RoundState.values)
    is_kept_back = s.BooleanField()
    tables = TableOut(many=True)
    byes = ByeOut(many=True)


class HandOut(s.Serializer[Any]):
    number = s.IntegerField()
    hand = s.SerializerMethodField()
    gained = s.IntegerField()
    points = s.ListField(child=s.IntegerField(), allow_null=True, help_text="Of the game after it.")
    is_corrected = s.BooleanField()
    is_contested = s.BooleanField()

    def get_hand(self, line: Any) -> dict[str, Any]:
        return dict(record_to_json(line.record))


class GameOut(s.Serializer[Any]):
    number = s.IntegerField()
    points = s.ListField(child=s.IntegerField())
    hands = HandOut(many=True)


class TableWhole(TableOut):
    """A table with every hand, as far as results are released; ``match`` and ``code`` are the club's."""

    games = GameOut(many=True)
    match = s.IntegerField(allow_null=True)
    code = s.CharField(allow_null=True, help_text="The six digits on its card.")


class MarkOut(s.Serializer[Any]):
    id = s.IntegerField(source="pk")
    number = s.IntegerField()
    status = s.CharField()
    hand = s.JSONField(source="record_data")


class MatchOut(s.Serializer[Any]):
    """The match now played at a table, with the marks that count."""

    match = s.IntegerField(source="pk")
    round = s.IntegerField(source="round_number")
    table = s.IntegerField(source="card.number")
    first_dealer = s.IntegerField(allow_null=True)
    players = s.SerializerMethodField()
    marks = MarkOut(many=True, source="marks.all")
    summary = s.JSONField()
    revision = s.IntegerField()
    is_disputed = s.SerializerMethodField(help_text="Whether the table calls the desk.")

    def get_players(self, match: Any) -> list[str]:
        return [player.person.name for player in match.players.all()]

    def get_is_disputed(self, match: Any) -> bool:
        return open_dispute(match) is not None


class DisputeOut(s.Serializer[Any]):
    """A table that calls the desk."""

    round = s.IntegerField(source="match.round_number")
    table = s.IntegerField(source="match.card.number")
    call = s.UUIDField(
        source="entry_key", allow_null=True, help_text="Names the call: an answer to it says so."
    )
    note = s.CharField(help_text="What the table says of it.")
    since = s.DateTimeField(source="created_at")


class Disputes(s.Serializer[Any]):
    results = DisputeOut(many=True)


class MarkDone(s.Serializer[Any]):
    id = s.IntegerField(source="pk")
    status = s.CharField()
    summary = s.JSONField(source="match.summary")
