"""What the entries of a club's log are called."""

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
