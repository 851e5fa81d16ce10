"""Names as they stand in addresses and in names of files."""

from django.utils.text import slugify

from .names import take_ligatures_apart


def slug_of(name: str) -> str:
    """``saint-coeur`` for ``Saint-Cœur``; "" if nothing is left of it."""
    return slugify(take_ligatures_apart(name))
