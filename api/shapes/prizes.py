"""Prizes and prize categories of an event."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as s

from tournaments.models import Prize, PrizeCategory, PrizeScope
from tournaments.standings.queries.validity import find_changes

from .events import PlayerOut
from .rounds import ChangesOut


class PrizeOut(s.Serializer[Prize]):
    """A prize won by one person, or by two together."""

    id = s.IntegerField(source="pk")
    name = s.CharField()
    amount = s.IntegerField(help_text="In cents; 0 for a prize without money.")
    winners = PlayerOut(many=True)
    rank = s.IntegerField(allow_null=True, help_text="The rank that it was given for, if any.")
    changes = s.SerializerMethodField(help_text="Why they have another rank now.")
    is_public = s.BooleanField()
    shows_amount = s.BooleanField()

    @extend_schema_field(ChangesOut(allow_null=True))
    def get_changes(self, prize: Prize) -> Any:
        changes = find_changes(prize)
        return None if changes is None else ChangesOut(changes).data


class PrizeCategoryOut(s.Serializer[PrizeCategory]):
    """Prizes for the best of some entries."""

    id = s.IntegerField(source="pk")
    name = s.CharField()
    among = s.ChoiceField(choices=PrizeScope.values)
    group = s.CharField()
    lowest = s.IntegerField(allow_null=True)
    highest = s.IntegerField(allow_null=True)
    prize = s.CharField()
    amounts = s.ListField(child=s.IntegerField(), help_text="Cents for each place; 0 for no money.")
    is_public = s.BooleanField()
    shows_amount = s.BooleanField()


class Prizes(s.Serializer[Any]):
    """Prizes won, prize categories, and how the fees become prizes."""

    results = PrizeOut(many=True)
    categories = PrizeCategoryOut(many=True)
    add_up = s.BooleanField(help_text="Whether an entry can win in several categories.")
    prize_share = s.IntegerField(help_text="Percentage of the fees for prizes.")
    rounding_step = s.IntegerField(help_text="What prizes are rounded to, in cents.")
    starting_cash = s.IntegerField(help_text="Cash in the box at the start, in cents.")
