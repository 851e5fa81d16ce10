"""What can be won at an event, and what was."""

from typing import Any

from rest_framework import serializers as s

from tournaments.models import Among, Prize, PrizeCategory

from .events import PlayerOut


class PrizeOut(s.Serializer[Prize]):
    """What a person, or two together, won; ``amount`` in cents."""

    id = s.IntegerField(source="pk")
    name = s.CharField()
    amount = s.IntegerField()
    winners = PlayerOut(many=True)
    is_public = s.BooleanField()
    shows_amount = s.BooleanField()


class PrizeCategoryOut(s.Serializer[PrizeCategory]):
    """What the best of some win; ``amounts`` are those of the places in cents, 0 where there is none."""

    id = s.IntegerField(source="pk")
    name = s.CharField()
    among = s.ChoiceField(choices=Among.values)
    group = s.CharField()
    lowest = s.IntegerField(allow_null=True)
    highest = s.IntegerField(allow_null=True)
    prize = s.CharField()
    amounts = s.ListField(child=s.IntegerField())
    is_public = s.BooleanField()
    shows_amount = s.BooleanField()


class Prizes(s.Serializer[Any]):
    """``add_up``: one entry may win in several categories."""

    results = PrizeOut(many=True)
    categories = PrizeCategoryOut(many=True)
    add_up = s.BooleanField()
