"""Template tags for the visibility of an event, in the reader's language."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.functional import Promise

from tournaments.events import visibility_labels as words
from tournaments.publishing.labels import describe_visibility

register = template.Library()
register.filter(describe_visibility)

CHOICES: Mapping[str, Mapping[Any, str | Promise]] = {
    "results": words.RESULTS,
    "ranked": words.RANKS_RELEASES,
    "names": words.NAMES,
}


@register.simple_tag
def list_release_choices(name: str) -> list[tuple[str, str | Promise]]:
    """Return the choices of a release field: value and words."""
    return [(choice.value, label) for choice, label in CHOICES[name].items()]
