"""Names as they stand in addresses and in names of files."""

from django.utils.text import slugify

from .names import to_plain_characters


def slug_of(name: str) -> str:
    """``saint-coeur`` for ``Saint-Cœur``; "" if nothing is left of it."""
    return slugify(to_plain_characters(name))
