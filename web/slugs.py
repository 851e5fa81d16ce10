"""Slugs for URLs and file names."""

from django.utils.text import slugify

from .names import replace_special_characters


def build_slug(name: str) -> str:
    """Return the slug of a name: ``saint-coeur`` for ``Saint-Cœur``; "" if nothing is left."""
    return slugify(replace_special_characters(name))
