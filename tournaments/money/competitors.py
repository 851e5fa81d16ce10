"""Who competes for a prize of a category."""

from django.db.models import TextChoices


class Among(TextChoices):
    """Entries, but for ``CLUBS``, where whole clubs do."""

    EVERYBODY = "everybody"
    LABEL = "label"
    RATING = "rating"
    CLUB = "club"
    SECTION = "section"
    POOL = "pool"
    CLUBS = "clubs"
