"""Template tags for structured data about a page, for search engines."""

import json
from collections.abc import Iterable
from functools import partial
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from clubs.absolute_urls import absolute_url
from clubs.models import Club
from tournaments.models import Event
from tournaments.sharing.presenters import structured_data
from web.json_in_pages import json_in_page

register = template.Library()


@register.simple_tag(takes_context=True)
def facts_of_club(context: dict[str, Any], club: Club) -> SafeString:
    here = partial(absolute_url, context["request"])
    trail = structured_data.trail(_above(club, None, here), "")
    return _script(structured_data.club_facts(club, here), trail)


@register.simple_tag(takes_context=True)
def facts_of_event(context: dict[str, Any], event: Event, guests: Iterable[Club]) -> SafeString:
    here = partial(absolute_url, context["request"])
    told = structured_data.event_facts(event, guests, here)
    return _script(told, structured_data.trail(_above(event.club, event, here), ""))


@register.simple_tag(takes_context=True)
def trail_below(context: dict[str, Any], above: Club | Event, name: str) -> SafeString:
    """Return the breadcrumb trail to a page with that name, below the page of a club or an event."""
    club, event = (above.club, above) if isinstance(above, Event) else (above, None)
    return _script(
        structured_data.trail(_above(club, event, partial(absolute_url, context["request"])), name)
    )


def _above(club: Club, event: Event | None, here: structured_data.Whole) -> list[tuple[str, str]]:
    """Return the pages from the home page down to that of the club, or of the event."""
    steps = [("Charlemagne", reverse("home")), (club.name, reverse("front", args=[club.slug]))]
    if event is not None:
        steps.append((event.name, event.get_absolute_url()))
    return [(name, here(path)) for name, path in steps]


def _script(*told: structured_data.Facts) -> SafeString:
    graph = {"@context": "https://schema.org", "@graph": told}
    text = json_in_page(json.dumps(graph, ensure_ascii=False))
    return format_html('<script type="application/ld+json">{}</script>', text)
