"""Template tags for a page's stream and the revision it shows (``static/js/live.js``)."""

from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from live.hub import Subject, get_revision_name
from live.streams import build_stream_path

register = template.Library()


@register.simple_tag(takes_context=True)
def stream_attribute(context: template.Context, topics: str) -> SafeString:
    """Return the attribute with the page's stream, for pages whose own element asks whether it is current."""
    return format_html(' data-live="{}"', _get_stream_url(context, Subject(topics, is_public=True)))


@register.simple_tag(takes_context=True)
def live_attributes(context: template.Context, owner: Any, *, is_staff: bool = False) -> SafeString:
    """Return the attributes of an element that is fetched again when the owner's topic has a new revision."""
    subject = Subject(owner.topic, is_public=not is_staff)
    return format_html(
        ' data-live="{}" data-revision="{}"',
        _get_stream_url(context, subject),
        get_revision_name(subject, owner.watched_number),
    )


def _get_stream_url(context: template.Context, subject: Subject) -> str:
    root = vars(context["request"]).get("site_prefix", "/")
    return str(root.rstrip("/") + build_stream_path(subject, timezone.now()))
