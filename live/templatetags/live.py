"""How a page says which stream it hears, and the revision that it shows (``static/js/live.js``)."""

from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from live.hub import Subject, revision_name
from live.streams import stream_path

register = template.Library()


@register.simple_tag(takes_context=True)
def stream_of(context: template.Context, topics: str) -> SafeString:
    """The attribute that says which stream a page hears whose own element asks whether it is the newest."""
    return format_html(' data-live="{}"', _address(context, Subject(topics, is_public=True)))


@register.simple_tag(takes_context=True)
def news_of(context: template.Context, owner: Any, *, at_desk: bool = False) -> SafeString:
    """The attributes of the element that is asked for anew when the owner's topic has another revision."""
    subject = Subject(owner.topic, is_public=not at_desk)
    return format_html(
        ' data-live="{}" data-revision="{}"',
        _address(context, subject),
        revision_name(subject, owner.watched_number),
    )


def _address(context: template.Context, subject: Subject) -> str:
    root = vars(context["request"]).get("site_prefix", "/")
    return str(root.rstrip("/") + stream_path(subject, timezone.now()))
