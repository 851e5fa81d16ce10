"""Template filters for money, in the reader's language."""

from collections.abc import Mapping

from django import template

from engine.awards import Award
from tournaments.cash_rules import ROUNDING_STEPS
from tournaments.models import Prize, PrizeCategory
from tournaments.money.labels import (
    AMONG_LABELS,
    competitors_name,
    format_places,
    format_prize,
    get_category_title,
    get_rank_prize_name,
)
from tournaments.money.presenters.awards import CategoryAwards
from web.money import Charge
from web.money_words import amount_as_typed, format_amount

register = template.Library()
register.filter("amount", format_amount)
register.filter(amount_as_typed)
register.filter(competitors_name)
register.simple_tag(get_rank_prize_name, name="rank_prize_name")


@register.filter
def get_charge(dues: Mapping[int, Charge], entry: int) -> Charge | None:
    """Return what an entry pays, by its number; None if no fee is charged."""
    return dues.get(entry)


@register.filter
def prize_name(prize_row: Prize) -> str:
    """Name a prize, with its value."""
    return format_prize(prize_row.name, prize_row.amount)


@register.filter
def public_prize_name(prize_row: Prize) -> str:
    """Name a prize as the public may see it."""
    return format_prize(prize_row.name, prize_row.amount if prize_row.shows_amount else 0)


@register.simple_tag
def list_rounding_steps() -> list[tuple[str, str]]:
    """Return the choices for rounding prizes."""
    return [(str(step), format_amount(step)) for step in ROUNDING_STEPS]


@register.simple_tag
def list_among_choices() -> list[tuple[str, str]]:
    """Return the choices of who competes for a prize."""
    return [(among.value, str(name)) for among, name in AMONG_LABELS.items()]


@register.filter
def get_awards_title(awards: CategoryAwards) -> str:
    """Return the title of a category of prizes."""
    return get_category_title(awards.category, awards.group)


@register.filter
def places(award: Award) -> str:
    """Name the places that an award is for."""
    return format_places(award.first_place, award.last_place)


@register.filter
def format_category_amounts(category: PrizeCategory) -> str:
    """Format what each place wins: ``$50, $30``; "" if there are no amounts."""
    return ", ".join(format_amount(cents) if cents else "–" for cents in category.amounts if any(category.amounts))
