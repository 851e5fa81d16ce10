"""The filters ``date`` and ``time`` of all templates: Django's, in the way French says some of them."""

from typing import Any

from django import template
from django.template import defaultfilters

from clubs.day_words import as_it_is_said

register = template.Library()


@register.filter("date", expects_localtime=True, is_safe=False)
def date_written(value: Any, form: str | None = None) -> str:
    """``1er janvier 2027``; in English as ever."""
    return as_it_is_said(defaultfilters.date(value, form))


@register.filter("time", expects_localtime=True, is_safe=False)
def time_written(value: Any, form: str | None = None) -> str:
    """``19 h``, ``19 h 30``; in English as ever."""
    return as_it_is_said(defaultfilters.time(value, form))
