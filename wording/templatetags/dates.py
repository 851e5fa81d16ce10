"""The filter ``date`` of all templates: Django's, with the first of a month as French has it."""

from typing import Any

from django import template
from django.template import defaultfilters

from clubs.day_words import with_first

register = template.Library()


@register.filter("date", expects_localtime=True, is_safe=False)
def date_written(value: Any, form: str | None = None) -> str:
    """``1er janvier 2027``; in English as ever."""
    return with_first(defaultfilters.date(value, form))
