"""Template filters for the contracts of a rulebook, in the reader's language."""

from collections.abc import Iterable

from django import template
from django.utils.translation import gettext

from clubs.game_words import contract_name
from clubs.name_formats import join_names
from scoring.rulebook import ContractRow

register = template.Library()


@register.filter
def join_contract_names(keys: Iterable[str]) -> str:
    """Join the names of contracts: ``Mulot and Gros Mulot``."""
    return join_names([contract_name(key) for key in keys])


@register.filter
def get_row_name(row: ContractRow) -> str:
    """Name a row of the order of bids: ``Mulot``; number bids that share a row: ``5 to 8``."""
    if row.first == row.last:
        return contract_name(row.first.key)
    return gettext("%(first)s to %(last)s") % {"first": row.first.number, "last": row.last.number}
