"""Amounts of money in templates, in the reader's language."""

from collections.abc import Mapping

from django import template

from clubs.money import Due
from clubs.money_words import amount_as_typed, amount_in_words
from config.money_wording import prize_in_words, rank_prize
from tournaments.models import Prize

register = template.Library()
register.filter("amount", amount_in_words)
register.filter(amount_as_typed)


@register.filter
def due_of(dues: Mapping[int, Due], entry: int) -> Due | None:
    """What an entry pays, by its number; None where nothing is asked."""
    return dues.get(entry)


@register.filter
def prize(given: Prize) -> str:
    """What was won, with what it is worth."""
    return prize_in_words(given.name, given.amount)


@register.simple_tag
def prize_of_rank(rank: int) -> str:
    """What the first, the second and the third win."""
    return rank_prize(rank)


@register.filter
def public_prize(given: Prize) -> str:
    """The same as everybody may see it."""
    return prize_in_words(given.name, given.amount if given.shows_amount else 0)
