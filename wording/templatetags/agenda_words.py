"""Template filters for a club's upcoming nights, and for an event's announcement."""

from django import template

from wording.labels.agenda import event_in_brief, more_nights_in_words

register = template.Library()
register.filter(event_in_brief)
register.filter(more_nights_in_words)
