"""Template tags for a history: its groups, the rows that a change wrote, and the last change."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.audit.history import ClubChangeLine, find_club_line
from wording.labels.audit_diff import diff_rows
from wording.lookups import build_lookup

GROUP_NAMES: Mapping[str, str | Promise] = {
    "people": _("Members and guests"),
    "nights": _("Calendar and night templates"),
    "team": _("Team"),
    "seasons": _("Seasons and ratings"),
    "entries": _("Entries"),
    "attendance": _("Check-in"),
    "rounds": _("Rounds and tables"),
    "results": _("Results"),
    "settings": _("Settings"),
    "money": _("Dues, fees and prizes"),
    "interclub": _("Interclub"),
    "federations": _("Federations"),
    "publishing": _("Publishing"),
    "privacy": _("Personal information"),
}


register = template.Library()
register.filter(diff_rows)
register.filter("get_group_name", build_lookup(GROUP_NAMES))


@register.simple_tag(takes_context=True)
def find_last_change(context: dict[str, Any]) -> ClubChangeLine | None:
    """Return the change that the address says was just made (``done``). One query, or none."""
    return find_club_line(context["club"], context["request"].GET.get("done", ""))
