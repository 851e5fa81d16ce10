"""The template filters ``date`` and ``time``: Django's, adapted to French usage."""

from typing import Any

from django import template
from django.template import defaultfilters

from clubs.date_formats import localize_date

register = template.Library()


@register.filter("date", expects_localtime=True, is_safe=False)
def format_date_filter(value: Any, form: str | None = None) -> str:
    """Format a date: ``1er janvier 2027``; in English as Django does."""
    return localize_date(defaultfilters.date(value, form))


@register.filter("time", expects_localtime=True, is_safe=False)
def format_time_filter(value: Any, form: str | None = None) -> str:
    """Format a time: ``19 h``, ``19 h 30``; in English as Django does."""
    return localize_date(defaultfilters.time(value, form))
