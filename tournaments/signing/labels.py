"""Titles of the entries in a club's results log."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from engine.signed_logs import EntryKind

ENTRIES: Mapping[EntryKind, str | Promise] = {
    EntryKind.FINAL: _("Final standings"),
    EntryKind.CORRECTED: _("Final standings, corrected"),
    EntryKind.WITHDRAWN: _("Final standings withdrawn"),
    EntryKind.KEY: _("Key change"),
}
