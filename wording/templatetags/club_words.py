"""Template filters for a club's roles, days and webhooks."""

from django import template

from clubs import labels
from clubs.date_formats import (
    day_and_year_in_words,
    day_in_words,
    days_and_year_in_words,
    days_in_words,
    describe_calling_off,
    describe_change_of_day,
    format_days,
    hour_in_words,
    name_and_days,
    pattern_in_words,
)
from web.outgoing import get_url_host
from wording.lookups import build_lookup

register = template.Library()
register.filter(day_in_words)
register.filter(day_and_year_in_words)
register.filter(days_in_words)
register.filter(days_and_year_in_words)
register.filter(format_days)
register.filter(name_and_days)
register.filter(hour_in_words)
register.filter(pattern_in_words)
register.filter(describe_calling_off)
register.filter(describe_change_of_day)
register.filter("get_security_kind", build_lookup(labels.SECURITY_KINDS))
register.filter("get_scope_description", build_lookup(labels.SCOPE_MEANINGS))
register.filter("get_role_description", build_lookup(labels.ROLE_MEANINGS))
register.filter("get_host", get_url_host)
register.filter("get_news_kind", build_lookup(labels.WEBHOOK_KINDS))
register.filter("get_delivery_failure", build_lookup(labels.DELIVERY_FAILURES))
