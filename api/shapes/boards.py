"""The screens of a hall."""

from typing import Any

from rest_framework import serializers as s

from tournaments.board.boards import Board, Scene


class BoardOut(s.Serializer[Board]):
    """A screen: its page ends in its ``number``; the tables of its room, null where it has no limit."""

    number = s.IntegerField()
    name = s.CharField()
    scene = s.ChoiceField(choices=[scene.value for scene in Scene])
    first_table = s.IntegerField(allow_null=True)
    last_table = s.IntegerField(allow_null=True)
    is_dark = s.BooleanField()


class Boards(s.Serializer[Any]):
    results = BoardOut(many=True)
