"""Refusals about wall screens, by code: sentence, and HTTP status if not 422."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

REFUSALS: Mapping[str, str | Promise] = {
    "board_name_required": _("Name the wall screen, for example “Large hall”."),
    "board_tables": _("Enter the smaller table number first."),
    "too_many_boards": _("Already %(most)s wall screens. Remove one first."),
    "no_such_board": _("This wall screen no longer exists. Check the list."),
}
