"""Slugs for URLs and file names."""

from django.utils.text import slugify

from .names import to_plain_characters


def slug_of(name: str) -> str:
    """Return the slug of a name: ``saint-coeur`` for ``Saint-Cœur``; "" if nothing is left."""
    return slugify(to_plain_characters(name))
