"""``{% if "money"|is_loaded %}``: whether a feature is loaded, so that a page may link to it."""

from django import template
from django.conf import settings

register = template.Library()


@register.filter
def is_loaded(feature: str) -> bool:
    return feature in settings.TOURNAMENT_FEATURES
