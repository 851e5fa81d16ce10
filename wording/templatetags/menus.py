"""``{% club_menu %}`` and ``{% event_menu %}``: the pages of a club or an event that the reader may open."""

from typing import Any

from django import template
from django.conf import settings

from tournaments.lifecycle import EventState
from wording.menus import CLUB_MENU, EVENT_MENU, Menu

register = template.Library()


@register.simple_tag(takes_context=True)
def build_club_menu(context: dict[str, Any]) -> Menu:
    """Return the club's menu. Needs ``club`` and ``request``; ``current_page`` is its key."""
    facts = {*_get_permissions(context), "hall" if settings.NAMES.is_hall else "server"}
    return CLUB_MENU.build_menu(context["club"].slug, facts=facts, current_key=context.get("current_page", ""))


@register.simple_tag(takes_context=True)
def build_event_menu(context: dict[str, Any]) -> Menu:
    """Return the event's menu. Needs ``event`` and ``request``; ``current_page`` is its key."""
    event, permissions = context["event"], _get_permissions(context)
    facts = {
        *permissions,
        "preparing" if event.state == EventState.PREPARING else "begun",
        "public" if event.is_public else "private",
        "directing" if "direct" in permissions else "helping",
    }
    return EVENT_MENU.build_menu(event.short, facts=facts, current_key=context.get("current_page", ""))


def _get_permissions(context: dict[str, Any]) -> frozenset[str]:
    return frozenset(getattr(context["request"], "permissions", ()))
