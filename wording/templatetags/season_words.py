"""Template tags for seasons, in the reader's language."""

from collections.abc import Mapping

from django import template
from django.utils.functional import Promise

from engine.ladders import FEDERATION_COUNTS
from tournaments.seasons import labels as words

register = template.Library()
register.filter(words.ladder_in_words)


@register.simple_tag
def list_choices(kind: str) -> list[tuple[str, str | Promise]]:
    """Return the choices of a field of season standings, by a key of ``CHOICES``: value and name."""
    return [(str(key), name) for key, name in CHOICES[kind].items()]


CHOICES: Mapping[str, Mapping[str, str | Promise]] = {
    "counts": words.COUNTS,
    "counts_of_federation": {key: words.COUNTS[key] for key in FEDERATION_COUNTS},
    "unit": words.UNITS,
    "unit_of_series": words.SERIES_UNITS,
    "who": words.WHO_LABELS,
}
