"""Template filters for a club's upcoming nights, and for an event's announcement."""

from django import template
from django.utils.translation import ngettext

from clubs.date_formats import day_in_words, days_and_year_in_words, hour_in_words, pattern_in_words
from tournaments.agenda.queries import AgendaLine
from tournaments.events.labels import stages_in_words
from tournaments.models import Event

register = template.Library()


@register.filter
def more_nights_in_words(line: AgendaLine) -> str:
    """Describe the further nights of a series: ``Every Tuesday: 4 more until Tuesday, January 5``; "" if none
    follows."""
    if line.held is None or line.until is None:
        return ""
    text = ngettext(
        "%(pattern)s: %(number)s more until %(day)s", "%(pattern)s: %(number)s more until %(day)s", line.more
    )
    pattern, day = pattern_in_words(line.held.night), day_in_words(line.until)
    return text % {"pattern": pattern, "number": line.more, "day": day}


@register.filter
def event_in_brief(event: Event) -> str:
    """Describe an event in a list of search results, so that it differs from all others.

    ``Tuesday cards, Les Joyeux Atouts, Tuesday, January 5, 2027, 7 p.m., Church hall. By results (Swiss), 5
    rounds.``
    """
    hour, _ = event.hours
    parts = [event.name, event.club.name, days_and_year_in_words(event.days)]
    parts += [hour_in_words(hour)] if hour is not None else []
    parts += [each for each in (event.place, event.address) if each]
    return " ".join([", ".join(parts) + ".", *stages_in_words(event.plan)])
