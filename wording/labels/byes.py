"""Reasons for being at no table in a round, in words."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.rounds.byes import ByeKind

BYES: Mapping[ByeKind, str | Promise] = {
    ByeKind.WAITS: _("waits for the next match"),
    ByeKind.WALKOVER: _("advances by walkover"),
    ByeKind.BYE: _("bye"),
}
BYES_IN_LIST: Mapping[ByeKind, str | Promise] = {
    ByeKind.WAITS: pgettext_lazy("in a list, for the table", "waiting"),
    ByeKind.WALKOVER: pgettext_lazy("in a list, for the table", "advances"),
    ByeKind.BYE: BYES[ByeKind.BYE],
}
"""Words for a narrow column, where others have the number of their table."""
BYES_PAST: Mapping[ByeKind, str | Promise] = {
    ByeKind.WAITS: pgettext_lazy("round", "waited"),
    ByeKind.WALKOVER: pgettext_lazy("round", "walkover"),
    ByeKind.BYE: pgettext_lazy("round", "bye"),
}
"""Words in a list of past rounds."""


def bye_words(kind: ByeKind) -> str:
    return str(BYES[kind])


def bye_in_list(kind: ByeKind) -> str:
    return str(BYES_IN_LIST[kind])


def bye_in_past(kind: ByeKind) -> str:
    return str(BYES_PAST[kind])
