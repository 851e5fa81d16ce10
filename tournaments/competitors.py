"""Competitors for the prizes of a category."""

from django.db.models import TextChoices


class PrizeScope(TextChoices):
    """Competitors of a category: entries, except that whole clubs compete in ``CLUBS``."""

    EVERYBODY = "everybody"
    LABEL = "label"
    RATING = "rating"
    CLUB = "club"
    SECTION = "section"
    POOL = "pool"
    CLUBS = "clubs"
