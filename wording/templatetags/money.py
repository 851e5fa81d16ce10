"""Template filters for money, in the reader's language."""

from collections.abc import Mapping

from django import template

from clubs.money_words import amount_as_typed, amount_in_words
from engine.awards import Award
from tournaments.cash_rules import STEPS
from tournaments.models import Prize, PrizeCategory
from tournaments.money.presenters.awards import CategoryAwards
from web.money import Due
from wording.labels.money import (
    AMONG,
    category_title,
    competitors_name,
    places_in_words,
    prize_in_words,
    rank_prize,
)

register = template.Library()
register.filter("amount", amount_in_words)
register.filter(amount_as_typed)
register.filter(competitors_name)


@register.filter
def due_of(dues: Mapping[int, Due], entry: int) -> Due | None:
    """Return what an entry pays, by its number; None if no fee is charged."""
    return dues.get(entry)


@register.filter
def prize(given: Prize) -> str:
    """Name a prize, with its value."""
    return prize_in_words(given.name, given.amount)


@register.simple_tag
def prize_of_rank(rank: int) -> str:
    """Name the prize of the first, the second and the third."""
    return rank_prize(rank)


@register.filter
def public_prize(given: Prize) -> str:
    """Name a prize as the public may see it."""
    return prize_in_words(given.name, given.amount if given.shows_amount else 0)


@register.simple_tag
def rounding_steps() -> list[tuple[str, str]]:
    """Return the choices for rounding prizes."""
    return [(str(step), amount_in_words(step)) for step in STEPS]


@register.simple_tag
def who_can_compete() -> list[tuple[str, str]]:
    """Return the choices of who competes for a prize."""
    return [(among.value, str(name)) for among, name in AMONG.items()]


@register.filter
def title_of(found: CategoryAwards) -> str:
    """Return the title of a category of prizes."""
    return category_title(found.category, found.group)


@register.filter
def places(award: Award) -> str:
    """Name the places that an award is for."""
    return places_in_words(award.first, award.last)


@register.filter
def amounts_of(category: PrizeCategory) -> str:
    """Format what each place wins: ``$50, $30``; "" if there are no amounts."""
    return ", ".join(
        amount_in_words(cents) if cents else "–" for cents in category.amounts if any(category.amounts)
    )
