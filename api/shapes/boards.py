"""Wall screens."""

from typing import Any

from rest_framework import serializers as s

from tournaments.board.boards import Board, Scene


class BoardOut(s.Serializer[Board]):
    """A wall screen."""

    number = s.IntegerField(help_text="Number of the screen; its address ends with it.")
    name = s.CharField()
    scene = s.ChoiceField(choices=[scene.value for scene in Scene], help_text="View shown; `turning` rotates.")
    first_table = s.IntegerField(allow_null=True, help_text="First table of its room; null for no limit.")
    last_table = s.IntegerField(allow_null=True, help_text="Last table of its room; null for no limit.")
    is_dark = s.BooleanField(help_text="Whether the screen uses dark colours.")


class Boards(s.Serializer[Any]):
    results = BoardOut(many=True)
