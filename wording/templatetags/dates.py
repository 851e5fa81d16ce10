"""The template filters ``date`` and ``time``: Django's, adapted to French usage."""

from typing import Any

from django import template
from django.template import defaultfilters

from clubs.day_words import as_it_is_said

register = template.Library()


@register.filter("date", expects_localtime=True, is_safe=False)
def date_written(value: Any, form: str | None = None) -> str:
    """Format a date: ``1er janvier 2027``; in English as Django does."""
    return as_it_is_said(defaultfilters.date(value, form))


@register.filter("time", expects_localtime=True, is_safe=False)
def time_written(value: Any, form: str | None = None) -> str:
    """Format a time: ``19 h``, ``19 h 30``; in English as Django does."""
    return as_it_is_said(defaultfilters.time(value, form))
