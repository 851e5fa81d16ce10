"""Template filters for a club's roles, days and webhooks."""

from django import template

from clubs.date_formats import (
    day_and_year_in_words,
    day_in_words,
    days_and_year_in_words,
    days_in_words,
    days_written,
    describe_calling_off,
    describe_change_of_day,
    hour_in_words,
    pattern_in_words,
)
from web.outgoing import get_url_host
from wording.labels import team, webhooks

register = template.Library()
register.filter(day_in_words)
register.filter(day_and_year_in_words)
register.filter(days_in_words)
register.filter(days_and_year_in_words)
register.filter(days_written)
register.filter(hour_in_words)
register.filter(pattern_in_words)
register.filter(describe_calling_off)
register.filter(describe_change_of_day)


@register.filter
def get_security_kind(kind: str) -> str:
    """Name a kind of refused sign-in."""
    return str(team.SECURITY_KINDS[kind])


@register.filter
def get_scope_description(scope: str) -> str:
    return str(team.SCOPE_MEANINGS[scope])


@register.filter
def get_role_description(role: str) -> str:
    return str(team.ROLE_MEANINGS[role])


@register.filter
def get_host(address: str) -> str:
    return get_url_host(address)


@register.filter
def get_news_kind(kind: str) -> str:
    """Name a kind of webhook message."""
    return str(webhooks.KINDS[kind])


@register.filter
def get_delivery_failure(code: str) -> str:
    """Describe why a message was not sent."""
    return str(webhooks.DELIVERY_FAILURES[code])
