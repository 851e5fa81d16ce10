"""Names of the groups of changes by which a history can be filtered."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

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
