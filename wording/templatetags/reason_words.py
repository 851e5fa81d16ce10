"""Template tags for the reasons of a rank, in the reader's language."""

from collections.abc import Iterable
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from clubs.name_formats import join_names
from tournaments.standings import reason_labels as rank_reasons
from tournaments.standings.presenters.reasons import NamedEntry

register = template.Library()


@register.simple_tag(takes_context=True)
def join_links(context: dict[str, Any], others: Iterable[NamedEntry]) -> SafeString:
    """Join the names as links to the reasons of their ranks: ``Lise R. and Paul R.`` Needs `event` and
    `why_page`."""
    event, page = context["event"], context["why_page"]
    links = [
        format_html('<a href="{}">{}</a>', reverse(page, args=[event.short, other.entry]), other.names)
        for other in others
    ]
    return mark_safe(join_names(links))  # noqa: S308


register.filter(rank_reasons.compare_ranks)
register.filter(rank_reasons.round_outcome)
register.filter(rank_reasons.ranking_sentences)
