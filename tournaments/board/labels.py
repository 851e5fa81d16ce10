"""Contents of wall screens, and changes of an event's wall screens, in words."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.board.boards import Scene

SCENES: Mapping[Scene, str | Promise] = {
    Scene.ROTATING: pgettext_lazy("on a board", "Tables, standings"),
    Scene.BY_NAME: pgettext_lazy("on a board", "Names, standings"),
    Scene.TABLES: pgettext_lazy("on a board", "Tables"),
    Scene.NAMES: pgettext_lazy("on a board", "Names"),
    Scene.STANDINGS: pgettext_lazy("on a board", "Standings"),
    Scene.CLOCK: pgettext_lazy("on a board", "Clock"),
}

BOARD_ACTIONS: dict[str, str | Promise] = {
    "add_board": _("Wall screen “%(name)s” added"),
    "change_board": _("Wall screen “%(name)s” changed"),
    "show_on_board": _("Wall screen “%(name)s”: %(scene)s"),
    "remove_board": _("Wall screen “%(name)s” removed"),
}
"""Sentences by ``Action.kind``; their values come from ``details``."""
