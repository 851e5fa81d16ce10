"""Template tags for structured data about a page, for search engines."""

import json
from collections.abc import Iterable
from functools import partial
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from clubs.absolute_urls import build_absolute_url
from clubs.models import Club
from tournaments.models import Event
from tournaments.sharing.presenters import structured_data
from web.html_json import escape_json_for_html

register = template.Library()


@register.simple_tag(takes_context=True)
def club_structured_data(context: dict[str, Any], club: Club) -> SafeString:
    build_url = partial(build_absolute_url, context["request"])
    trail = structured_data.describe_breadcrumbs(_list_ancestors(club, None, build_url), "")
    return _render_script(structured_data.describe_club(club, build_url), trail)


@register.simple_tag(takes_context=True)
def event_structured_data(context: dict[str, Any], event: Event, guests: Iterable[Club]) -> SafeString:
    build_url = partial(build_absolute_url, context["request"])
    event_facts = structured_data.describe_event(event, guests, build_url)
    return _render_script(
        event_facts, structured_data.describe_breadcrumbs(_list_ancestors(event.club, event, build_url), "")
    )


@register.simple_tag(takes_context=True)
def breadcrumb_trail(context: dict[str, Any], parent: Club | Event, name: str) -> SafeString:
    """Return the breadcrumb trail to a page with that name, below the page of a club or an event."""
    club, event = (parent.club, parent) if isinstance(parent, Event) else (parent, None)
    return _render_script(
        structured_data.describe_breadcrumbs(
            _list_ancestors(club, event, partial(build_absolute_url, context["request"])), name
        )
    )


def _list_ancestors(club: Club, event: Event | None, build_url: structured_data.UrlBuilder) -> list[tuple[str, str]]:
    """Return the pages from the home page down to that of the club, or of the event."""
    steps = [("Charlemagne", reverse("home")), (club.name, reverse("front", args=[club.slug]))]
    if event is not None:
        steps.append((event.name, event.get_absolute_url()))
    return [(name, build_url(path)) for name, path in steps]


def _render_script(*items: structured_data.StructuredData) -> SafeString:
    graph = {"@context": "https://schema.org", "@graph": items}
    text = escape_json_for_html(json.dumps(graph, ensure_ascii=False))
    return format_html('<script type="application/ld+json">{}</script>', text)
